"""What the review asks for, in one place; the rest of the room sees only this."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from gitmem.service.reviewing import Replayed, Reviewed
    from gitmem.service.service import Service


class Desk(Protocol):
    """The verbs behind the keys."""

    def review(self) -> "Reviewed":
        """Read the tape."""

    def replay(self, anchor: str) -> "Replayed":
        """Read what was said after an anchor."""

    def delete(self, anchor: str) -> None:
        """Delete one anchor."""

    def check_out(self, thread: str, node: str) -> None:
        """Go on from a node."""

    def archive(self, thread: str, node: str) -> None:
        """Archive a thread, or one of its nodes where one is named."""


class ServiceDesk:
    """The verbs as the service has them."""

    def __init__(self, service: "Service") -> None:
        """Remember the service."""
        self._service = service

    def review(self) -> "Reviewed":
        """Read the tape."""
        return self._service.tape.review()

    def replay(self, anchor: str) -> "Replayed":
        """Read what was said after an anchor."""
        return self._service.tape.replay(anchor)

    def delete(self, anchor: str) -> None:
        """Delete one anchor."""
        self._service.tape.delete((anchor,))

    def check_out(self, thread: str, node: str) -> None:
        """Go on from a node."""
        from gitmem.service.weaving import Said

        self._service.tape.thread("checkout", Said(thread=thread, node=node))

    def archive(self, thread: str, node: str) -> None:
        """Archive a thread, or one of its nodes where one is named."""
        from gitmem.service.weaving import Said

        if node:
            said = Said(thread=thread, node=node, state="archived")
            self._service.tape.thread("update", said)
        else:
            self._service.tape.thread("archive", Said(thread=thread))
