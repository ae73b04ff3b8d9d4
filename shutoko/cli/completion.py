"""`shutoko completion`: prints what a shell needs to complete commands, options and files of
`shutoko`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from shutoko.cli.common import Commands, add_json, emit

SHELLS = ("bash", "zsh", "tcsh", "fish", "powershell")
"""The shells: shtab writes for the first three, this module for the others."""


def add(commands: Commands) -> None:
    """Add the command to the command line."""
    parser = commands.add_parser(
        "completion",
        help="print the completion of this command for your shell",
        description="Print a script that lets a shell complete commands, options and files when "
        "you press Tab. For bash: "
        "shutoko completion bash > ~/.local/share/bash-completion/completions/shutoko",
        epilog="For zsh write it as _shutoko into a folder of $fpath, for fish as "
        "~/.config/fish/completions/shutoko.fish. In "
        "PowerShell: shutoko completion powershell | Out-String | Invoke-Expression",
    )
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))
    add_json(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    import shtab

    from shutoko.cli import parser

    top = parser()
    for action in _actions(top):
        if action.type is Path:
            action.complete = shtab.DIRECTORY if action.metavar == "DIR" else shtab.FILE  # type: ignore[attr-defined] # shtab's way
    own = {"fish": _fish, "powershell": _powershell}.get(args.shell)
    script = shtab.complete(top, args.shell) if own is None else own(top)
    if args.json:
        emit({"shell": args.shell, "script": script})
    else:
        print(script)
    return 0


def _fish(top: argparse.ArgumentParser) -> str:
    """What fish reads: a line for each command and each option, files where a command takes
    them.
    """
    lines = ["complete -c shutoko -f"]
    begin = "complete -c shutoko -n __fish_use_subcommand"
    lines += [f"{begin} {_fish_option(action)}" for action in top._actions if action.option_strings]  # noqa: SLF001 - see _actions
    for name, command in _commands(top).items():
        lines.append(
            f"{begin} -a {name} -d {_quoted((command.description or '').partition('. ')[0])}"
        )
        here = f"complete -c shutoko -n '__fish_seen_subcommand_from {name}'"
        for action in _actions(command):
            if action.option_strings:
                lines.append(f"{here} {_fish_option(action)}")
            elif action.choices is not None:
                lines.append(f"{here} -a {_quoted(' '.join(map(str, action.choices)))}")
            elif action.type is Path:
                lines.append(f"{here} -F")
    return "\n".join(lines)


def _fish_option(action: argparse.Action) -> str:
    words = [
        f"-l {text[2:]}" if text.startswith("--") else f"-s {text[1:]}"
        for text in action.option_strings
    ]
    if action.nargs != 0:
        words.append("-rF" if action.type is Path else "-x")
    if action.choices is not None:
        words.append(f"-a {_quoted(' '.join(map(str, action.choices)))}")
    return f"{' '.join(words)} -d {_quoted((action.help or '').partition(';')[0])}"


def _powershell(top: argparse.ArgumentParser) -> str:
    """What PowerShell reads: the words that can follow each command; where there are none it offers
    files by itself.
    """
    table = []
    for name, command in {"": top, **_commands(top)}.items():
        words = (
            [text for action in _actions(command) for text in action.option_strings]
            if name
            else ["--help", "--version"]
        )
        words += [] if name else list(_commands(top))
        words += [
            str(choice)
            for action in _actions(command)
            if name and action.choices
            for choice in action.choices
        ]
        table.append(
            f"        {_quoted(name)} = "
            f"@({', '.join(_quoted(word) for word in dict.fromkeys(words))})"
        )
    return "\n".join(
        [
            "Register-ArgumentCompleter -Native -CommandName shutoko -ScriptBlock {",
            "    param($word, $line, $position)",
            "    $words = @{",
            *table,
            "    }",
            "    $typed = @($line.CommandElements | ForEach-Object { $_.ToString() })",
            "    $command = ''",
            (
                "    if ($typed.Count -gt 1 -and $words.ContainsKey($typed[1]) -and $typed[1] -ne "
                "$word) { $command = $typed[1] }"
            ),
            '    $words[$command] | Where-Object { $_ -like "$word*" } | ForEach-Object {',
            (
                "        [System.Management.Automation.CompletionResult]::new($_, $_, "
                "'ParameterValue', $_)"
            ),
            "    }",
            "}",
        ]
    )


def _commands(top: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (found,) = (action for action in top._actions if isinstance(action, argparse._SubParsersAction))  # noqa: SLF001 - as below
    return dict(found.choices)


def _quoted(text: str) -> str:
    """A text in single quotes, on one line; in both shells an apostrophe in it becomes a
    typographic one.
    """
    return "'" + " ".join(text.split()).replace("'", "\u2019").replace("%%", "%") + "'"


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a parser and of all commands below it."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no public way to list them; shtab does the same
        yield action
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - as above
            for below in action.choices.values():
                yield from _actions(below)
