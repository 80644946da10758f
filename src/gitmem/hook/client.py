"""Start what a host runs at a moment of a session, as `light` says.

Run as `python -I -S client.py HOST EVENT`, with the host's JSON on standard input.
Python compiles a script anew each time it is run, and a module once.
"""

# What `importlib` is made of; that itself brings more along.
import _frozen_importlib_external as loading


def _start() -> None:
    path = __file__.rpartition("/")[0] + "/light.py"
    code = loading.SourceFileLoader("light", path).get_code("light")
    if code is not None:
        exec(code, {"__name__": "__main__", "__file__": path})  # noqa: S102  our own


if __name__ == "__main__":
    _start()
