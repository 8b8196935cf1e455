"""The command line: all commands, under headings, in the order in which they are needed.

Each command is imported only when called, so that none waits for libraries that others need.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from eigenfaces.cli.running import command
from eigenfaces.faces.model_files import has_dlib
from eigenfaces.versions import package_versions

__all__ = ["app"]

COMMANDS = {
    "A project": {
        "building": "build info train faces",
        "collecting": "update check find",
        "handing_on": "export forget",
    },
    "Who is in a photo": {"recognising": "recognise calibrate verify"},
    "How often that is right": {"evaluating": "evaluate repeat compare sweep published"},
    "The face space": {"learning": "components reconstruct synthesise map lesson"},
}
"""The headings of the help, each with modules of this package and their commands.

A command is the function of that name, which also gives its help and options.
"""

HELP = """See the eigenfaces of your own photos, and find out who is in a new one.

The program finds the face in every photo, and crops it so that the eyes are always in the same
place. If your photos are already cropped faces, add --already-cropped. Everything stays on this
computer. Do not use it for authentication, because a printed photo passes as well.

**A first look**

    eigenfaces build people/ -o people.eigenfaces
    eigenfaces info people.eigenfaces
    eigenfaces train people.eigenfaces
    eigenfaces recognise people.eigenfaces group.jpg
    eigenfaces calibrate people.eigenfaces
    eigenfaces components people.eigenfaces -k 20 -o components
    eigenfaces reconstruct people.eigenfaces somebody.jpg -k 50 -o rebuilt.png
    eigenfaces map people.eigenfaces -o map.svg
    eigenfaces lesson variance -o variance.svg

`eigenfaces build --sample` uses forty people that come with the program, and
`eigenfaces faces people/ -o cut` shows what was found in each photo.
`eigenfaces evaluate people/ -o report.html` measures how well people are recognised.

**Exit codes**

- 0: success
- 1: failure; a message on standard error says why
- 2: the command line is not valid
- 3: success, but some photos could not be used; they are listed with the reasons
- 4: success, but some figures are different (`repeat`, `published`), or the photos show two people
  (`verify`)
- 130: stopped with Ctrl-C; nothing is left half-written
"""


class _Commands(Mapping[str, Any]):
    """Mapping of names to commands. The module of a command is imported only when needed."""

    def __init__(self) -> None:
        self._made = dict[str, Any]()
        self._places = {
            name: (module, heading)
            for heading, modules in COMMANDS.items()
            for module, names in modules.items()
            for name in names.split()
        }

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            module, heading = self._places[name]
            function = getattr(import_module(f"eigenfaces.cli.{module}"), name)
            self._made[name] = command(function, heading)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class _Program(TyperGroup):
    """Group of all commands, which knows their names before their modules are imported."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands: Any = _Commands()


app = typer.Typer(
    cls=_Program,
    help=HELP,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="markdown",
    pretty_exceptions_show_locals=False,
)


def _print_versions(wanted: bool) -> None:
    if wanted:
        versions = package_versions()
        if has_dlib():
            import dlib

            versions["dlib"] = dlib.__version__
        for name in sorted(versions, key=lambda name: name != "eigenfaces"):
            typer.echo(f"{name} {versions[name]}")
        raise typer.Exit


@app.callback()
def _common(
    *,
    versions: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_versions,
            is_eager=True,
            help="Print the versions of everything that the figures depend on.",
        ),
    ] = False,
) -> None: ...
