"""The report on paper: the result and its controls, the figures, how it was measured."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from eigenfaces.errors import Tick, no_tick
from eigenfaces.evaluation.records import Record
from eigenfaces.evaluation.remarks import remarks
from eigenfaces.evaluation.results import Evaluation
from eigenfaces.report.beside import FIRST_ONLY, HEADING, Comparison, comparison
from eigenfaces.report.drawings import drawings
from eigenfaces.report.method import (
    GLOSSARY,
    INTERVALS,
    THRESHOLDS,
    protocol_sentences,
    settings,
)
from eigenfaces.report.shared import with_relative_paths
from eigenfaces.report.sheets import A4, LEFT, RIGHT, Sheets, wrapped, writable
from eigenfaces.report.style import SECONDARY, WIDE, Bounds, Drawing, laid_out, styled
from eigenfaces.report.tables import (
    Table,
    duplicates_table,
    figures_table,
    folds_table,
    in_table,
    mistakes_table,
    people_table,
    unused_table,
    warnings,
)
from eigenfaces.report.words import capital, heading, left_out_words, result_sentence

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_ROWS_PRINTED = 200
_QUARTERS: tuple[Bounds, ...] = tuple(
    (left, bottom, 3.25, 2.9) for bottom in (7.7, 3.1) for left in (LEFT, 4.27)
)
_WHOLE: tuple[Bounds, ...] = ((LEFT, 3.6, RIGHT - LEFT, 7.0),)
"""Where figures stand on a sheet, inches: left, bottom, width, height."""


def to_pdf(record: Record, tick: Tick = no_tick, other: Record | None = None) -> bytes:
    """Return the report as PDF, A4; the same record gives the same bytes.

    Long tables are cut off after so many rows, and say so: the page and the JSON file have all.
    """
    from matplotlib.backends.backend_pdf import PdfPages

    record = with_relative_paths(record)
    title = heading(record)
    content = io.BytesIO()
    known = {
        "Title": title.encode("utf-8", "replace").decode(),
        "Creator": None,
        "Producer": None,
        "CreationDate": None,
    }
    with styled("report"), PdfPages(content, metadata=known) as pages:
        some = _sheets(record, other)
        for number, figure in enumerate(some, start=1):
            tick(number - 1, len(some))
            foot = f"{title} · {number} of {len(some)}"
            figure.text(LEFT / A4[0], 0.4 / A4[1], writable(foot), fontsize=7, color=SECONDARY)
            pages.savefig(figure)
    return content.getvalue()


def _sheets(record: Record, other: Record | None) -> list[Figure]:
    first = Sheets()
    _result(first, record, other)
    pictures = _pictures(drawings(record.evaluation))
    last = Sheets()
    for title, table in (
        ("Folds", folds_table(record.evaluation)),
        ("People", people_table(record.evaluation)),
        ("Mistakes", mistakes_table(record.evaluation)),
    ):
        if table is not None:
            last.heading(title)
            _table(last, table)
    _method(last, record)
    return [*first.figures, *pictures, *last.figures]


def _result(sheets: Sheets, record: Record, other: Record | None) -> None:
    evaluation = record.evaluation
    sheets.heading(heading(record), 15)
    sheets.paragraph(result_sentence(evaluation), 10.5)
    if evaluation.leaks:
        sheets.warning("This split leaks, and that was allowed: the figures are too good.")
        for leak in evaluation.leaks[:_ROWS_PRINTED]:
            sheets.paragraph(f"• {leak.sentence}")
    if evaluation.figures:
        sheets.heading("Figures")
        _table(sheets, figures_table(evaluation), (1.6, 0.8, 1.3, 3.07))
    if other is not None:
        _comparison(sheets, comparison(record, with_relative_paths(other)))
    _controls(sheets, evaluation)
    sheets.heading("Left out")
    names = ", ".join(evaluation.left_out)
    sheets.paragraph(f"{left_out_words(evaluation)}{names and ': '}{names}.")
    unused = unused_table(evaluation)
    if unused is not None:
        _table(sheets, unused)


def _comparison(sheets: Sheets, found: Comparison) -> None:
    sheets.heading(HEADING)
    for sentence in found.sentences:
        sheets.paragraph(sentence)
    _table(sheets, found.figures, (1.6, 1.0, 1.3, 1.0, 1.3, 0.57))
    if found.settings is not None:
        _table(sheets, found.settings, (1.8, 2.48, 2.49))
    sheets.paragraph(FIRST_ONLY)


def _controls(sheets: Sheets, evaluation: Evaluation) -> None:
    found = remarks(evaluation)
    if not found:
        return
    sheets.heading("What to hold beside it")
    for words in warnings(found):
        sheets.warning(words)
    heads = ("control", "value", "what it is", "what it says")
    sheets.table([heads, *map(in_table, found)], (1.0, 1.62, 2.05, 2.1))
    duplicates = duplicates_table(evaluation)
    if duplicates is not None:
        _table(sheets, duplicates)


def _table(sheets: Sheets, table: Table, widths: Sequence[float] = ()) -> None:
    more = len(table.rows) - _ROWS_PRINTED
    rows = [*table.rows[:_ROWS_PRINTED], *([table.foot] if table.foot else [])]
    sheets.paragraph(table.caption + (f" ({more} more are not printed)" if more > 0 else ""))
    sheets.table([[name for name, _ in table.columns], *rows], widths or _widths(table))


def _widths(table: Table) -> list[float]:
    """Give numbers little room, and what is left to the rest, more to what is longer."""
    narrow, least, most = 0.72, 12, 34
    longest = [
        0 if kind == "number" else max(len(name), *(len(row[at]) for row in table.rows))
        for at, (name, kind) in enumerate(table.columns)
    ]
    longest = [min(most, max(least, each)) if each else 0 for each in longest]
    rest = RIGHT - LEFT - narrow * longest.count(0)
    return [rest * each / sum(longest) if each else narrow for each in longest]


def _method(sheets: Sheets, record: Record) -> None:
    sheets.heading("How it was measured", 12)
    for title, text in (
        ("Protocol", protocol_sentences(record)),
        ("Intervals", INTERVALS),
        ("Thresholds", THRESHOLDS),
        ("Software", ", ".join(f"{name} {number}" for name, number in record.versions.items())),
    ):
        sheets.heading(title, 9.5)
        sheets.paragraph(text)
    sheets.heading("Settings", 9.5)
    sheets.table([("setting", "value"), *_terms(settings(record))], (1.8, 4.97))
    sheets.heading("Terms, as ISO/IEC 19795-1 uses them", 9.5)
    sheets.table([("term", "meaning"), *_terms(GLOSSARY)], (1.8, 4.97))
    sheets.paragraph(
        "The JSON file of this report holds every setting, seed, score and the SHA-256 of every "
        "photo; “eigenfaces repeat” measures it again."
    )


def _terms(terms: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(capital(term), said) for term, said in terms]


def _pictures(some: Sequence[Drawing]) -> list[Figure]:
    """Set small figures four on a sheet, and a large one on its own."""
    small = [each for each in some if each.size[0] <= WIDE]
    parts = [small[start : start + 4] for start in range(0, len(small), 4)]
    sheets = [_sheet(each, _QUARTERS) for each in parts]
    return [*sheets, *(_sheet([each], _WHOLE) for each in some if each.size[0] > WIDE)]


def _sheet(some: Sequence[Drawing], places: Sequence[Bounds]) -> Figure:
    from matplotlib.figure import Figure

    sheet = Figure(figsize=A4)
    for drawing, (left, bottom, width, height) in zip(some, places, strict=False):
        _, inside = laid_out(drawing, (width, height))
        bounds = (
            (left + inside[0] * width) / A4[0],
            (bottom + inside[1] * height) / A4[1],
            inside[2] * width / A4[0],
            inside[3] * height / A4[1],
        )
        drawing.draw(sheet.add_axes(bounds))
        title = left / A4[0], (bottom + height + 0.1) / A4[1]
        sheet.text(*title, drawing.title, fontsize=9.5, weight="bold", va="bottom")
        caption = "\n".join(wrapped(drawing.caption, width, 7.5))
        below = left / A4[0], (bottom - 0.1) / A4[1]
        sheet.text(*below, caption, fontsize=7.5, color=SECONDARY, va="top", linespacing=1.35)
    return sheet
