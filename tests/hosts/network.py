"""A network that ends at the loopback, for what a test starts."""

import contextlib
import ctypes
import fcntl
import os
import socket
import struct
from collections.abc import Iterator
from threading import get_native_id

CLONE_NEWNET = 0x40000000
SIOCSIFFLAGS = 0x8914
IFF_UP = 0x1


@contextlib.contextmanager
def closed() -> Iterator[bool]:
    """Take this thread, and all that it starts, into a network of its own.

    Gives whether that was allowed: it needs root, and Linux.
    """
    try:
        before = os.open(f"/proc/self/task/{get_native_id()}/ns/net", os.O_RDONLY)
        library = ctypes.CDLL(None, use_errno=True)
        is_closed = library.unshare(CLONE_NEWNET) == 0
    except (OSError, AttributeError):
        yield False
        return
    try:
        if is_closed:
            _raise_loopback()
        yield is_closed
    finally:
        if is_closed:
            library.setns(before, CLONE_NEWNET)
        os.close(before)


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        request = struct.pack("16sh14x", b"lo", IFF_UP)
        fcntl.ioctl(handle, SIOCSIFFLAGS, request)
