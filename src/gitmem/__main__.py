"""Run gitmem with `python -m gitmem`, best as `python -P -m gitmem`.

Without -P Python itself looks into the current folder for modules, which may be
anybody's; what is imported from here on is not taken from there. Run by its path, it
finds the rest of gitmem beside itself.
"""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]
    if not __package__:
        # Behind the standard library, before another gitmem that is installed.
        packages = (i for i, each in enumerate(sys.path) if "-packages" in each)
        own = __file__.rpartition("/gitmem/")[0]
        sys.path.insert(next(packages, len(sys.path)), own)
    from gitmem.cli.main import main

    main()
