"""The command line: one file a command, each a thin skin over a function."""

import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    from headwise.cli.app import run

    sys.exit(run(sys.argv[1:]))
