"""Run gitmem with `python -m gitmem`."""

from gitmem.cli.main import main

if __name__ == "__main__":
    main()
