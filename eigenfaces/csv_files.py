"""CSV tables for other programs, in which no name can become a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
"""How a cell begins that a spreadsheet would run, or that `as_cell` has made harmless."""


def as_table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Return lines of cells under a heading as CSV, each cell by `as_cell`.

    Bytes of a file name that are not text are written as ``\udc80`` and so on.
    """
    page = io.StringIO()
    table = csv.writer(page, lineterminator="\n")
    table.writerow(heading)
    for row in rows:
        table.writerow([as_cell(str(cell)) for cell in row])
    return page.getvalue().encode("utf-8", "backslashreplace").decode("utf-8")


def as_cell(text: str) -> str:
    """Return a cell with an apostrophe first if a spreadsheet would run it as a formula.

    >>> as_cell("=1+1"), as_cell("Zoë"), as_cell("-3.5"), as_cell("'=1+1")
    ("'=1+1", 'Zoë', '-3.5', "''=1+1")
    """
    return f"'{text}" if _FORMULA.match(text) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
