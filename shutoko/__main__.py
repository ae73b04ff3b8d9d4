"""The command `shutoko`, also as `python -m shutoko`: says in one line what keeps it from
starting.
"""

import sys


def main() -> int:
    """Runs the command; returns its exit code, 2 if another package named `rules` hides this
    project's.
    """
    try:
        import sim  # noqa: F401 - looks whose `rules` is found
    except ImportError as error:
        print(f"shutoko: {error}", file=sys.stderr)
        return 2
    from shutoko.cli import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
