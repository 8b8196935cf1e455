"""Code that all commands share: how they run, stop and print.

Results are printed to standard output, progress and errors to standard error. A command returns its
exit code. An expected failure is reported in one sentence. No other part of the core prints.
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
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_type_hints

import typer
from typer.core import TyperCommand

from eigenfaces.errors import INTERRUPTED, STOPPED, EigenfacesError, reason_of
from eigenfaces.files import atomic_write, check_empty, refuse_special, resolved, write_table

DONE, FAILED, SOME_UNUSED, DIFFERENT = 0, 1, 3, 4

exit_stack = contextlib.ExitStack()  # resources that stay open until the command ends


# Running


def command(function: Callable[..., int | None], heading: str) -> Any:
    """Return a command that runs a function and is listed under a heading in the help.

    A parameter that is a dataclass is a group of options. Its fields are separate options on the
    command line, under a heading taken from the start of its docstring.
    """
    hints = get_type_hints(function, include_extras=True)
    parameters = list[inspect.Parameter]()
    groups: dict[str, Any] = {n: kind for n, kind in hints.items() if is_dataclass(kind)}
    for name, parameter in inspect.signature(function).parameters.items():
        if name not in groups:
            parameters.append(parameter.replace(annotation=hints[name]))
            continue
        group = get_type_hints(groups[name], include_extras=True)
        for option in inspect.signature(groups[name]).parameters.values():
            (about,) = group[option.name].__metadata__
            about.rich_help_panel = (groups[name].__doc__ or "").partition(":")[0]
            keyword = option.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            parameters.append(keyword.replace(annotation=group[option.name]))
    run = _runner(function, groups)
    vars(run)["__signature__"] = inspect.Signature(parameters)
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    alone = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    alone.command(cls=_NoEmptyArguments, rich_help_panel=heading)(run)
    return typer.main.get_command(alone)


class _NoEmptyArguments(TyperCommand):
    """Command that refuses empty arguments, as an empty path would mean the current folder."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if any(re.fullmatch(r"(--[a-z-]+=)?\s*", argument) for argument in args):
            raise typer.BadParameter(
                "One argument is empty, perhaps a variable without a value: fill it in.", ctx
            )
        return super().parse_args(ctx, args)


def _runner(function: Callable[..., int | None], groups: dict[str, Any]) -> Callable[..., None]:
    """Return a command that exits with its code and prints expected failures in one sentence."""

    @functools.wraps(function)
    def run(**values: object) -> None:
        for name, kind in groups.items():
            values[name] = kind(**{part.name: values.pop(part.name) for part in fields(kind)})
        outside = signal.getsignal(signal.SIGINT)
        code = DONE
        if outside not in (signal.SIG_IGN, None):  # background jobs ignore it
            # Ctrl-C raises an exception, so that unfinished files are removed.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with exit_stack:
                code = function(**values) or DONE
            sys.stdout.flush()
        except EigenfacesError as error:
            code = fail(str(error))
        except KeyboardInterrupt:
            echo_err(STOPPED)
            code = INTERRUPTED
        except OSError as error:
            code = fail_by_system(error)
        except MemoryError:
            code = fail("There is not enough memory: use fewer photos or smaller faces.")
        finally:
            signal.signal(signal.SIGINT, outside or signal.SIG_DFL)
        raise typer.Exit(code)

    return run


# Printing


def printable(text: object) -> str:
    """Return the text with “�” in place of line ends and characters that cannot be printed.

    Characters that join or separate letters, or allow a line break in a word, are kept.
    """

    def is_safe(letter: str) -> bool:
        between = letter in "\u00ad\u200c\u200d\u2060"
        return letter.isprintable() or between or unicodedata.category(letter) == "Zs"

    return "".join(letter if is_safe(letter) else "�" for letter in str(text))


def print_text(*blocks: str, err: bool = False) -> None:
    """Print the blocks of text that are not empty, with a blank line between them."""
    if text := "\n\n".join(filter(None, blocks)):
        typer.echo("\n".join(map(printable, text.split("\n"))), err=err)


def print_result(as_json: bool, content: object, *blocks: str) -> None:
    """Print a result as JSON or as text."""
    if not as_json:
        print_text(*blocks)
        return
    escaped = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    try:
        text = json.dumps(content, ensure_ascii=escaped, indent=2, allow_nan=False)
    except ValueError:
        raise EigenfacesError(
            "Some numbers are not finite, so they cannot be written as JSON."
        ) from None
    typer.echo(text)


def echo_err(text: str) -> None:
    """Print a note to standard error."""
    typer.echo(printable(text), err=True)


def fail(text: str) -> int:
    """Print an error and return its exit code."""
    echo_err(text)
    return FAILED


def fail_by_system(error: OSError) -> int:
    """Print why the system refused an operation, and return the exit code."""
    what = f"“{error.filename}” cannot be used"
    if error.filename is None:  # standard output, which Python flushes again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        what = "The output cannot be written"
    return fail(f"{what}: {reason_of(error)}.")


def terminal_width() -> int:
    """Return the width of the terminal in characters, or a large number if there is no terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else 1000


def table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Lay out rows of cells in columns, no wider than the terminal. Long cells are wrapped."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    rows = list(rows)
    grid = Table(box=None, pad_edge=False, show_header=bool(heading))
    for title in heading or rows[0]:
        grid.add_column(str(title), overflow="fold")
    for row in rows:
        grid.add_row(*(Text(printable(cell)) for cell in row))
    page = io.StringIO()
    Console(file=page, width=terminal_width(), color_system=None).print(grid)
    return "\n".join(line.rstrip() for line in page.getvalue().splitlines())


class ProgressBar:
    """Tick that shows the progress of some work as a bar."""

    def __init__(self, title: str, bar: Any) -> None:
        self._title, self._bar = title, bar
        self._task = bar.add_task(title, total=None)

    def __call__(self, done: int, total: int) -> None:
        """Show how much of the work is done."""
        self._bar.update(self._task, completed=done, total=total)

    def set_stage(self, stage: str) -> None:
        """Show the name of the stage that is beginning."""
        self._bar.update(self._task, description=f"{self._title}: {stage}")


@contextlib.contextmanager
def progress(title: str) -> Iterator[ProgressBar]:
    """Show a progress bar during some work if standard error is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    # With FORCE_COLOR, which is about colours, Rich would fill a log with bars.
    with bar if sys.stderr.isatty() else contextlib.nullcontext():
        yield ProgressBar(title, bar)


# Writing files


def write_csv(path: Path, heading: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a CSV file with a heading line."""
    with atomic_write(path) as part:
        write_table(part, heading, rows)


def check_new(output: Path, overwrite: bool) -> None:
    """Raise `EigenfacesError` early if a file cannot be written. Links are followed."""
    place = resolved(output)
    if place.is_symlink():
        raise EigenfacesError(f"“{output}” is a link to itself: choose another name.")
    if place.is_dir():
        raise EigenfacesError(f"“{output}” is a folder: add a file name to it.")
    refuse_special(place)
    _check_parent(place)
    if os.path.lexists(output) and not overwrite:
        raise EigenfacesError(
            f"“{output}” already exists. Add --overwrite to replace it, or choose another name."
        )


def check_new_folder(output: Path) -> None:
    """Raise `EigenfacesError` early if a folder cannot be created, or is not empty."""
    place = resolved(output)
    check_empty(output)
    if place == Path.cwd():
        raise EigenfacesError(
            f"“{output}” is the current folder, which would be replaced by a new one. Add a "
            "folder name to it."
        )
    _check_parent(place)


def _check_parent(place: Path) -> None:
    if not place.parent.is_dir() or not os.access(place.parent, os.W_OK):
        raise EigenfacesError(f"Nothing can be written in “{place.parent}”: choose another folder.")
