"""Writing reports and figures to files, completely or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.evaluation.records import Record, to_json
from eigenfaces.project.exports import check_empty
from eigenfaces.project.file import atomic_write
from eigenfaces.report.page import to_html
from eigenfaces.report.plots import plots_of
from eigenfaces.report.plots.plot import Suffix, rendered
from eigenfaces.report.relative_paths import with_relative_paths
from eigenfaces.report.scores import four_columns

_KINDS: tuple[Suffix, ...] = ("svg", "png", "pdf")
_TICK_AFTER = 1 << 16  # characters of a file: some milliseconds


def write_report(
    record: Record, target: Path, tick: Tick = no_tick, other: Record | None = None
) -> tuple[Path, ...]:
    """Write a report; existing files of these names are replaced.

    Parameters
    ----------
    record
        The evaluation; only the names of its photographs are written, not their folders.
    target
        ``….html``: the page, and beside it ``….json`` and ``…-scores.txt``. ``….json``: these two.
    tick
        Called after each figure, and now and then while files are written.
    other
        A second evaluation to be compared with it, on the page.

    Returns
    -------
        The files written: first the target, then those beside it.

    Raises
    ------
    EigenfacesError
        Another suffix, or the files cannot be written; then nothing is changed.
    """
    *page, figures, scores = report_files(target)
    written: dict[Path, Iterable[str]] = {path: [to_html(record, tick, other)] for path in page}
    written[figures] = [to_json(with_relative_paths(record))]
    written[scores] = four_columns(record)
    return _written(written, tick)


def report_files(target: Path) -> tuple[Path, ...]:
    """Return what `write_report` writes: the target, and the files beside it."""
    scores = target.with_name(f"{target.stem}-scores.txt")
    if check_name(target).suffix.lower() == ".json":
        return target, scores
    return target, target.with_suffix(".json"), scores


def check_name(target: Path) -> Path:
    """Return the path of a report; raise `EigenfacesError` early if it is not possible."""
    suffix = target.suffix.lower()
    if suffix == ".pdf":
        raise EigenfacesError(
            "A report is a page that prints well: let its name end in .html, open it in a browser, "
            "and print it there into a PDF. Figures are written as PDF on their own."
        )
    if suffix not in (".html", ".json"):
        raise EigenfacesError(
            f"“{target.name}” is no name for a report: let it end in .html or .json."
        )
    return target


def _written(contents: Mapping[Path, Iterable[str]], tick: Tick) -> tuple[Path, ...]:
    """Write all of these files, or none, in UTF-8, one piece of text after another.

    Bytes of a file name that are not text are escaped as in JSON.
    """
    for path in contents:
        if path.is_dir():
            raise EigenfacesError(f"“{path}” is a folder. Choose another name for the report.")
    with ExitStack() as stack:
        for path, content in contents.items():
            part = stack.enter_context(atomic_write(path))
            with part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
                since = 0
                for piece in content:
                    since += file.write(piece)
                    if since > _TICK_AFTER:
                        tick(0, 0)
                        since = 0
    return tuple(contents)


def write_figures(record: Record, folder: Path, tick: Tick = no_tick) -> tuple[Path, ...]:
    """Write every figure as SVG, PNG and PDF into a new or empty folder; return the files."""
    check_empty(folder)
    some = plots_of(record.evaluation)
    names = []
    with atomic_write(folder) as part:
        part.mkdir()
        for done, plot in enumerate(some):
            tick(done, len(some))
            for suffix, content in zip(_KINDS, rendered(plot, *_KINDS), strict=True):
                names.append(f"{plot.stem}.{suffix}")
                (part / names[-1]).write_bytes(content)
    return tuple(folder / name for name in names)
