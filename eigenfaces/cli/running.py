"""What all commands share: exit codes, failures, and where they print.

Results go to standard output, progress and error messages to standard error. A command returns its
exit code; an expected failure becomes one sentence. No other part of the core prints.
"""

import contextlib
import functools
import io
import json
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import typer
from typer.core import TyperCommand

from eigenfaces.cli import options
from eigenfaces.cli.option_groups import Command, collect_groups, expand_groups
from eigenfaces.cli.plaintext import shown
from eigenfaces.errors import INTERRUPTED, STOPPED, EigenfacesError, Tick
from eigenfaces.photographs.decode import resolved
from eigenfaces.project.exports import check_empty
from eigenfaces.project.file import refuse_special

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
- 4: done, but some figures came out otherwise (`repeat`, `published`)
- 130: stopped with Ctrl-C; nothing is left half-written
"""

app = typer.Typer(
    help=HELP,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_show_locals=False,
)


until_the_end = contextlib.ExitStack()
"""What a command needs open until it has ended."""


def command(function: Command) -> Callable[..., None]:
    """Register a command that returns its exit code; turn expected failures into a sentence."""

    @functools.wraps(function)
    def run(**said: object) -> None:
        for stream in (sys.stdout, sys.stderr):  # a file name may not be valid text
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        code = DONE
        try:
            with _interruptible(), until_the_end:
                code = function(**collect_groups(function, said))
            sys.stdout.flush()
        except EigenfacesError as error:
            code = fail(str(error))
        except KeyboardInterrupt:
            note(STOPPED)
            code = INTERRUPTED
        except BrokenPipeError:  # the reader closed the pipe, as in “| head”
            _discard(1)
        except OSError as error:
            code = fail(_unusable(error))
        except MemoryError:
            code = fail("There is not enough memory: use fewer photographs or smaller faces.")
        raise typer.Exit(code)

    signature = expand_groups(function)
    run.__signature__ = signature  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in signature.parameters.values()}
    return app.command(cls=_Command)(run)


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


@app.callback()
def _common(*, version: options.Version = False) -> None: ...


def note(text: str) -> None:
    """Print a note to standard error, if it can be written."""
    try:
        typer.echo(shown(text), err=True)
    except OSError:
        _discard(2)


def fail(text: str) -> int:
    """Print an error and return its exit code."""
    note(text)
    return FAILED


def terminal_width() -> int:
    """Return the width of the terminal in characters; without one, a very large number."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 1000


def print_json(content: object) -> None:
    """Write JSON to standard output; letters missing in its encoding are escaped."""
    try:
        text = json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False)
    except ValueError:
        raise EigenfacesError(
            "Some numbers are not finite, so they cannot be written as JSON."
        ) from None
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(content, indent=2)
    typer.echo(text)


def check_new(output: Path, overwrite: bool) -> None:
    """Raise `EigenfacesError` early if a file cannot be written here; links are followed."""
    place = resolved(output)
    if place.is_symlink():
        raise EigenfacesError(f"“{output}” is a link to itself: choose another name.")
    if place.is_dir():
        raise EigenfacesError(f"“{output}” is a folder: add a file name to it.")
    refuse_special(place)
    if not place.parent.is_dir() or not os.access(place.parent, os.W_OK):
        raise EigenfacesError(f"Nothing can be written in “{place.parent}”: choose another place.")
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
    if not place.parent.is_dir() or not os.access(place.parent, os.W_OK):
        raise EigenfacesError(f"Nothing can be written in “{place.parent}”: choose another place.")


_SECONDS = 10
"""Between two lines of progress, where there is no terminal."""


class Bar:
    """A progress bar as a tick; `enter` shows the name of the stage that begins."""

    def __init__(self, tick: Tick, name: Callable[[str], None]) -> None:
        self._tick, self.enter = tick, name

    def __call__(self, done: int, total: int) -> None:
        """Show the progress."""
        self._tick(done, total)


class _ProgressLines:
    """Progress where there is no terminal: a line now and then, and none for a short job."""

    def __init__(self, what: str) -> None:
        self._what, self._stage, self._last = what, "", monotonic()

    def __call__(self, done: int, total: int) -> None:
        now = monotonic()
        if total and now - self._last >= _SECONDS:
            self._last = now
            note(f"{self._what}{self._stage}: {done:,} of {total:,} ({done / total:.0%}).")

    def enter(self, stage: str) -> None:
        self._stage = f" ({stage})"


@contextlib.contextmanager
def progress(what: str) -> Iterator[Bar]:
    """Show a progress bar on standard error during some work; no terminal, a line now and then."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    if not console.is_terminal:
        lines = _ProgressLines(what)
        yield Bar(lines, lines.enter)
        return
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield Bar(
            lambda done, total: bar.update(task, completed=done, total=total),
            lambda stage: bar.update(task, description=f"{what}: {stage}"),
        )
