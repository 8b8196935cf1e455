"""What all commands share: how they are run and stopped, and where they print.

Results go to standard output, progress and error messages to standard error. A command returns its
exit code; an expected failure becomes one sentence. No other part of the core prints.
"""

import contextlib
import functools
import inspect
import io
import json
import os
import re
import shutil
import signal
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import is_dataclass
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand

from eigenfaces.errors import INTERRUPTED, STOPPED, EigenfacesError
from eigenfaces.photographs.decode import resolved
from eigenfaces.project.exports import check_empty
from eigenfaces.project.file import atomic_write, refuse_special
from eigenfaces.text import as_table

DONE, FAILED, SOME_UNUSED, DIFFERENT = 0, 1, 3, 4

HELP = """See the eigenfaces of your own photographs, and ask who is on a new one.

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
- 4: done, but some figures came out otherwise (`repeat`, `published`), or there are two people
  (`verify`)
- 130: stopped with Ctrl-C; nothing is left half-written
"""

_SECONDS = 10  # between two lines of progress, where there is no terminal

app = typer.Typer(
    help=HELP,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_show_locals=False,
)

exit_stack = contextlib.ExitStack()  # what a command needs open until it has ended


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"eigenfaces {version('eigenfaces')}")
        raise typer.Exit


@app.callback()
def _common(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Say which this is."),
    ] = False,
) -> None: ...


def register(heading: str, *commands: Callable[..., int]) -> None:
    """Add commands to the program, under a heading of its help.

    An argument that is a dataclass is a group of options, whose docstring begins with a heading.
    """
    for function in commands:
        signature = inspect.signature(function)
        hints = get_type_hints(function, include_extras=True)
        groups: dict[str, Any] = {name: each for name, each in hints.items() if is_dataclass(each)}
        run, parameters = _run(function, groups), list[inspect.Parameter]()
        for name, parameter in signature.parameters.items():
            if name not in groups:
                parameters.append(parameter.replace(annotation=hints[name]))
                continue
            for each in inspect.signature(groups[name]).parameters.values():
                (option,) = each.annotation.__metadata__
                option.rich_help_panel = (groups[name].__doc__ or "").partition(":")[0]
                parameters.append(each.replace(kind=inspect.Parameter.KEYWORD_ONLY))
        for each in parameters:
            for option in getattr(each.annotation, "__metadata__", ()):
                option.readable = False  # whether a file can be read is said by who reads it
        vars(run)["__signature__"] = signature.replace(parameters=parameters)
        run.__annotations__ = {each.name: each.annotation for each in parameters}
        app.command(cls=_Command, rich_help_panel=heading)(run)


def _run(function: Callable[..., int], groups: dict[str, Any]) -> Callable[..., None]:
    """Return a command that ends with its exit code; expected failures become a sentence."""

    @functools.wraps(function)
    def run(**said: object) -> None:
        for name, kind in groups.items():
            own = inspect.signature(kind).parameters
            said[name] = kind(**{each: said.pop(each) for each in own})
        code = DONE
        try:
            with _interruptible(), exit_stack:
                code = function(**said)
            sys.stdout.flush()
        except EigenfacesError as error:
            code = fail(str(error))
        except KeyboardInterrupt:
            echo_err(STOPPED)
            code = INTERRUPTED
        except BrokenPipeError:  # the reader closed the pipe, as in “| head”
            _discard(1)
        except OSError as error:
            code = fail(_unusable(error))
        except MemoryError:
            code = fail("There is not enough memory: use fewer photographs or smaller faces.")
        raise typer.Exit(code)

    return run


class _Command(TyperCommand):
    """A command that refuses empty arguments: an empty path would be the current folder."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if any(re.fullmatch(r"(--[a-z-]+=)?\s*", each) for each in args):
            raise typer.BadParameter(
                "One argument is empty, as of a variable that has no value: fill it in.", ctx
            )
        return super().parse_args(ctx, args)


def start() -> None:
    """Run the command line; a failure outside of a command also becomes one sentence."""
    code: object = DONE
    try:
        app(prog_name="eigenfaces")
    except SystemExit as ended:  # also where the reader closed the pipe, as in “--help | head”
        code = DONE if isinstance(ended.__context__, BrokenPipeError) else ended.code
    except OSError as error:
        code = fail(_unusable(error))
    try:
        sys.stdout.flush()
    except OSError as error:  # a command's own output is flushed already
        _discard(1)
        code = code or fail(_unusable(error))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done, and would be said to be stopped
    raise SystemExit(code)


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Turn Ctrl-C into an exception here, so that unfinished files are removed."""
    outside = signal.getsignal(signal.SIGINT)
    if outside in (signal.SIG_IGN, None):  # as in a job in the background
        yield
        return
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, outside)


def _discard(stream: int) -> None:
    """Redirect standard output (1) or error (2) to nowhere: Python flushes both at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream)


def _unusable(error: OSError) -> str:
    if error.filename is None:  # standard output; errors of a file have its name
        _discard(1)
        return f"The output cannot be written: {error.strerror or error}."
    return f"“{error.filename}” cannot be used: {error.strerror}."


def shown(text: object) -> str:
    """Return a name that is safe to print: characters that cannot be printed become “�”."""

    def can_be(letter: str) -> bool:
        joins = letter in "\u200c\u200d\u2060"
        return letter.isprintable() or joins or unicodedata.category(letter) == "Zs"

    return "".join(each if can_be(each) else "�" for each in str(text))


def echo_err(text: str) -> None:
    """Print a note to standard error, if it can be written."""
    try:
        typer.echo(shown(text), err=True)
    except OSError:
        _discard(2)


def fail(text: str) -> int:
    """Print an error and return its exit code."""
    echo_err(text)
    return FAILED


def terminal_width() -> int:
    """Return the width of the terminal in characters; without one, a very large number."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 1000


def table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows of cells as columns, no wider than the terminal; long cells are wrapped."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    rows = list(rows)
    made = Table(box=None, pad_edge=False, show_header=bool(heading))
    for title in heading or rows[0]:
        made.add_column(str(title), overflow="fold")
    for row in rows:
        made.add_row(*(Text(shown(cell)) for cell in row))
    page = io.StringIO()
    Console(file=page, width=terminal_width(), color_system=None).print(made)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines())


def write_table(path: Path, heading: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV file."""
    with atomic_write(path) as part:
        part.write_text(as_table(heading, rows), "utf-8", newline="")


def print_json(content: object) -> None:
    """Write JSON to standard output; without Unicode there, letters are escaped."""
    escaped = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    try:
        text = json.dumps(content, ensure_ascii=escaped, indent=2, allow_nan=False)
    except ValueError:
        raise EigenfacesError(
            "Some numbers are not finite, so they cannot be written as JSON."
        ) from None
    typer.echo(text)


def check_new(output: Path, overwrite: bool) -> None:
    """Raise `EigenfacesError` early if a file cannot be written here; links are followed."""
    place = resolved(output)
    if place.is_symlink():
        raise EigenfacesError(f"“{output}” is a link to itself: choose another name.")
    if place.is_dir():
        raise EigenfacesError(f"“{output}” is a folder: add a file name to it.")
    refuse_special(place)
    _check_home(place)
    if os.path.lexists(output) and not overwrite:
        raise EigenfacesError(
            f"“{output}” exists already. Add --overwrite to replace it, or choose another name."
        )


def check_new_folder(output: Path) -> None:
    """Raise `EigenfacesError` early if a folder cannot be made here, or filled if it is empty."""
    place = resolved(output)
    check_empty(output)
    if place == Path.cwd():
        raise EigenfacesError(
            f"“{output}” is the folder that you are in, and a new one would take its place: add a "
            "folder's name to it."
        )
    _check_home(place)


def _check_home(place: Path) -> None:
    if not place.parent.is_dir() or not os.access(place.parent, os.W_OK):
        raise EigenfacesError(f"Nothing can be written in “{place.parent}”: choose another place.")


class Bar:
    """A tick that shows progress: a bar; where there is no terminal, a line now and then."""

    def __init__(self, what: str, bar: Any) -> None:
        self._what, self._line, self._bar, self._last = what, what, bar, monotonic()
        self._task = bar.add_task(what, total=None)

    def __call__(self, done: int, total: int) -> None:
        """Show the progress."""
        self._bar.update(self._task, completed=done, total=total)
        now = monotonic()
        if self._bar.disable and total and now - self._last >= _SECONDS:
            self._last = now
            echo_err(f"{self._line}: {done:,} of {total:,} ({done / total:.0%}).")

    def enter(self, stage: str) -> None:
        """Show the name of a stage that begins."""
        self._line = f"{self._what} ({stage})"
        self._bar.update(self._task, description=f"{self._what}: {stage}")


@contextlib.contextmanager
def progress(what: str) -> Iterator[Bar]:
    """Show on standard error how some work goes on."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        yield Bar(what, bar)
