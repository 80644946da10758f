"""Run the review on a terminal."""

from gitmem.tui.app import Review
from gitmem.tui.desk import Desk
from gitmem.tui.model import Model


def run(desk: Desk, model: Model, query: str, limit: int) -> str:
    """Show the tape until the person leaves; give the command to go on with."""
    app = Review(desk, model, lambda: Model(desk.review(), limit), query)
    left_with = app.run()
    if app.failure is not None:
        raise app.failure
    return left_with or ""
