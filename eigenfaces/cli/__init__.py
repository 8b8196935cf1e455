"""The command line: its commands in the order in which they are wanted, under their headings.

A command is imported when it is called: one that needs neither lessons nor SciPy waits for none.
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
    "Who is on a photograph": {"recognising": "recognise calibrate verify"},
    "How often that is right": {"evaluating": "evaluate repeat compare sweep published"},
    "The face space": {"learning": "components reconstruct synthesise map lesson"},
}
"""Under each heading of the help the modules of this package, each with its commands.

A command is the function of that name; its help and its options are made from it.
"""

HELP = """See the eigenfaces of your own photographs, and ask who is in a new one.

In every photograph the face is found, and cut out so that its eyes lie at fixed places.
Photographs that are faces already need --already-cropped: nothing is searched for in them then.
Everything stays on this computer. This is no authentication: a printed photograph passes.

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

`eigenfaces build --sample` takes forty people that come with the program, and
`eigenfaces faces people/ -o cut` shows what was found in each photograph. How well people are told
apart is measured by `eigenfaces evaluate people/ -o report.html`.

**Exit codes**

- 0: done
- 1: not done; a sentence on standard error says why
- 2: the command was not written correctly
- 3: done, but some photographs could not be used; they are listed with their reasons
- 4: done, but some figures came out differently (`repeat`, `published`), or there are two people
  (`verify`)
- 130: stopped with Ctrl-C; nothing is left half-written
"""

app = typer.Typer(
    help=HELP,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode="markdown",
    pretty_exceptions_show_locals=False,
)


class _Commands(Mapping[str, Any]):
    """Every command by its name; its module is imported when the command is first asked for."""

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
    """The program, which knows the names of its commands before these are imported."""

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
            help="Print the versions of all that figures depend on.",
        ),
    ] = False,
) -> None: ...
