"""`shutoko completion`: prints what a shell needs to complete commands, options and files of
`shutoko`.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from shutoko.cli.common import answer, command, option

SHELLS = ("bash", "zsh", "tcsh")
"""The shells that shtab knows."""


@command(
    "completion",
    [
        option("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS)),
    ],
    help="print the completion of this command for your shell",
    description="Print a script that lets a shell complete commands, options and files when "
    "you press Tab. For bash: "
    "shutoko completion bash > ~/.local/share/bash-completion/completions/shutoko",
    epilog="For zsh write it as _shutoko into a folder of $fpath.",
)
def run(args: argparse.Namespace) -> int:
    """Print the script."""
    import shtab

    from shutoko.cli import parser

    top = parser()
    for action in _actions(top):
        if action.type is Path:
            action.complete = shtab.DIRECTORY if action.metavar == "DIR" else shtab.FILE  # type: ignore[attr-defined] # shtab's way
    script = shtab.complete(top, args.shell)
    answer(args, {"shell": args.shell, "script": script}, script)
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a parser and of all commands below it."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no public way to list them; shtab does the same
        yield action
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            for below in action.choices.values():
                yield from _actions(below)
