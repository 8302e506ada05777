"""Starts the command line: `python -m judge_core`."""

from judge_core.interfaces.cli.app import main

if __name__ == "__main__":
    main()
