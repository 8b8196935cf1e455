"""Points that are generated, moved by the user, or read from the user's own table."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from eigenfaces.errors import EigenfacesError, PhotoError
from eigenfaces.photographs.decode import read_content
from eigenfaces.photographs.tables import PERSON_HEADINGS, separator_of
from eigenfaces.space.arrays import Doubles
from eigenfaces.space.principal import draw_rows
from eigenfaces.text import count, shortened

MOST_ROWS, MOST_COLUMNS = 1000, 30
"""The most rows and columns of numbers read from a table, so that sliders stay responsive."""

MOST_LABELS = 12
"""A column of text groups the rows if it has between 2 and this many different values."""

_MOST_TEXT = 20_000_000  # bytes of a table
_MOST_CELLS = 200  # the most cells read from a line
_LEAST_ROWS, _LEAST_COLUMNS = 3, 2
_HUGE = 1e100  # the square of a larger number overflows
_DIGITS = 3  # decimals of points placed by hand, so that a listing can state them exactly
_LONGEST = 40  # the most characters of a heading

_SUFFIXES = frozenset({".csv", ".tsv", ".tab", ".txt"})
_MISSING = frozenset({"", "na", "n/a", "nan", "null", "none", "-", "–", "—", "?", "."})
_COUNTING = frozenset({"#", "id", "index", "no", "no.", "nr", "number", "row", "unnamed: 0"})
_LABEL_HEADINGS = PERSON_HEADINGS | {"category", "group", "species", "target", "type", "kind"}

_COMMA, _POINT = (re.compile(rf"[+-]?\d+{mark}\d+") for mark in (",", r"\."))
_THOUSANDS = {
    ".": re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?"),
    ",": re.compile(r"[+-]?\d{1,3}(\.\d{3})+(,\d*)?"),
}
"""Patterns of numbers with their digits in groups of three, by decimal mark."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Cloud:
    """A set of n points. Points in two dimensions can be dragged."""

    title: str  # in words
    values: Doubles  # (n, d)
    columns: tuple[str, ...]  # the names of the d numbers
    labels: tuple[str, ...] | None = None  # (n,) their groups
    names: tuple[str, ...] | None = None  # (n,) the name of each point
    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # columns of words, (n,)
    # lines of Python for listings that define ``x`` (n, d) and any ``labels`` (n,)
    code: str = ""
    notes: tuple[str, ...] = ()  # sentences about how the points were read

    def __post_init__(self) -> None:
        self.values.setflags(write=False)

    def __len__(self) -> int:
        return len(self.values)

    def with_point(self, number: int, to: Doubles) -> Cloud:
        """Return the cloud with one point moved to a position (d,) and with code for all points."""
        values = self.values.copy()
        values[number] = to
        values = np.round(values, _DIGITS)
        rows = ", ".join(f"[{', '.join(f'{entry:g}' for entry in row)}]" for row in values)
        code = f"x = np.array([{rows}])"
        if self.labels is not None:
            code += f"\nlabels = np.array({list(self.labels)})"
        title = f"{len(values):,} points of your own"
        return replace(self, title=title, values=values, code=code)

    def in_plane(self, across: str, up: str) -> Cloud:
        """Return the cloud with two columns: those named or, if one is unknown, the first two."""
        if len(self.columns) == 2:
            return self
        known = {across, up} <= {*self.columns}
        pair = [self.columns.index(across), self.columns.index(up)] if known else [0, 1]
        columns = tuple(self.columns[at] for at in pair)
        code = f"{self.code}x = x[:, {pair}]  # {', '.join(columns)}\n"
        return replace(self, values=self.values[:, pair], columns=columns, code=code)


def is_table(path: Path) -> bool:
    """Return whether a file is a table, judging by its suffix."""
    return path.suffix.lower() in _SUFFIXES


def read_number_table(path: Path | str) -> Cloud:
    r"""Return the numbers in a table, with a point for each row and a dimension for each column.

    The table is text, with commas, semicolons, tabs or spaces between the cells. Numbers may have a
    decimal comma, and the first line may contain headings. Columns of text provide the names and
    the labels of the rows. Rows with a missing number are left out. Of a long table, a random
    sample of `MOST_ROWS` rows is read; of a wide table, the first `MOST_COLUMNS` number columns.

    Parameters
    ----------
    path
        The file, in UTF-8, UTF-16 or Windows-1252, of at most 20 megabytes.

    Returns
    -------
    Cloud
        The n points with their headings, names and labels, and notes on what was left out.

    Raises
    ------
    EigenfacesError
        The file cannot be read, is not a table, or has too few numbers.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "trees.csv")
    ...     _ = file.write_text("tree;height;girth\noak;20,5;3\nash;18;1,5\nelm;?;2\nyew;9;4\n")
    ...     trees = read_number_table(file)
    >>> trees.columns, trees.names, trees.values.tolist()
    (('height', 'girth'), ('oak', 'ash', 'yew'), [[20.5, 3.0], [18.0, 1.5], [9.0, 4.0]])
    >>> trees.notes
    ('Left out: 1 of 4 rows, as a number is missing, most often in “height”.',)
    """
    path = Path(path).absolute()
    separator, rows, notes = _rows_of(_text_of(path), path.name)
    mark = _decimal_mark((cell for row in rows for cell in row), separator)
    headings = [f"column {at}" for at in range(1, len(rows[0]) + 1)]
    if not any(math.isfinite(_number(cell, mark)) for cell in rows[0]):
        first, *rows = rows
        headings[0] = "row"
        usual = zip(first, headings, strict=True)
        headings = [shortened(cell, _LONGEST) or heading for cell, heading in usual]
    if len(rows) > MOST_ROWS:
        notes.append(f"A sample of {MOST_ROWS:,} of {len(rows):,} rows, drawn at random.")
        rows = [rows[at] for at in draw_rows(np.arange(len(rows)), MOST_ROWS).tolist()]
    numbers, words = _columns_of(rows, _all_different(headings), mark, notes)
    if len(numbers) < _LEAST_COLUMNS:
        found = ", ".join(f"“{name}”" for name in numbers)
        raise EigenfacesError(
            f"“{path.name}” has {f'one column of numbers, {found}' if found else 'no numbers'}: a "
            "table needs at least two columns of numbers to have components."
        )
    if len(numbers) > MOST_COLUMNS:
        notes.append(f"The first {MOST_COLUMNS} of {len(numbers)} columns of numbers are read.")
    columns = tuple(numbers)[:MOST_COLUMNS]
    values = np.column_stack([numbers[name] for name in columns])
    whole = np.flatnonzero(np.isfinite(values).all(axis=1))
    n = len(whole)
    if n < len(rows):
        most = columns[int(np.isfinite(values).sum(axis=0).argmin())]
        notes.append(
            f"Left out: {len(rows) - n:,} of {count(len(rows), 'row')}, as a number is missing, "
            f"most often in “{most}”."
        )
    if n < _LEAST_ROWS:
        raise EigenfacesError(
            f"“{path.name}” has {count(n, 'complete row') if n else 'no complete row'}: a table "
            "needs at least three to have components."
        )
    words = {name: tuple(cells[row] for row in whole.tolist()) for name, cells in words.items()}
    alone = (cells for cells in words.values() if len(set(cells)) == n and all(cells))
    grouped = (cells for cells in words.values() if 2 <= len(set(cells)) <= min(MOST_LABELS, n - 1))
    labels = next(grouped, None)
    code = (
        "from pathlib import Path\n\nfrom eigenfaces import read_number_table\n\n"
        f"points = read_number_table(Path({str(path)!r}))\nx = points.values\n"
    )
    return Cloud(
        title=f"{count(n, 'row')} of {path.name}",
        values=values[whole],
        columns=columns,
        labels=labels,
        names=next(alone, None),
        words=words,
        code=code if labels is None else f"{code}labels = np.array(points.labels)\n",
        notes=tuple(notes),
    )


def _text_of(path: Path) -> str:
    """Return the text of a table, decoded with the encoding that fits it."""
    try:
        content = read_content(path, _MOST_TEXT)
    except PhotoError as error:
        raise EigenfacesError(f"“{path}” cannot be read: {error}") from None
    if content[:4] == b"PK\3\4":
        raise EigenfacesError(
            f"“{path.name}” is a workbook or an archive, not text: save its sheet as CSV."
        )
    marked = content[:2] in (b"\xff\xfe", b"\xfe\xff")
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise EigenfacesError(f"“{path.name}” is not a table: it is not text. Save the table as CSV.")


def _rows_of(text: str, name: str) -> tuple[str, list[list[str]], list[str]]:
    """Return the cell separator, all rows with the usual number of cells, and notes."""
    lines = list(io.StringIO(text, newline=""))  # a cell may contain line breaks
    separator = separator_of(lines)
    if not any(separator in line for line in lines):
        rows = [line.split() for line in lines]
    else:
        try:
            rows = list(csv.reader(lines, delimiter=separator, strict=True))
        except csv.Error as error:
            raise EigenfacesError(
                f"“{name}” is not a table: {error}. Check its quotation marks."
            ) from None
    rows = [[cell.strip() for cell in row[:_MOST_CELLS]] for row in rows]
    rows = [row for row in rows if any(row)]
    if not rows:
        raise EigenfacesError(f"“{name}” is empty: save the table again.")
    width = Counter(map(len, rows)).most_common(1)[0][0]
    if len(rows[0]) == width - 1:
        rows[0].insert(0, "")  # R writes no heading above the row names
    fit = [row for row in rows if len(row) == width]
    if others := len(rows) - len(fit):
        left_out = f"Left out: {count(others, 'line')} without {count(width, 'cell')}"
        return separator, fit, [f"{left_out}, which most lines have."]
    return separator, fit, []


def _decimal_mark(cells: Iterable[str], separator: str) -> str:
    """Return the decimal mark: a point or a comma.

    “1,234” is ambiguous. If nothing else decides, semicolons between cells suggest a comma.
    """
    commas, points, sure = 0, 0, 0
    for cell in cells:
        if _COMMA.fullmatch(cell):
            commas += 1
            sure += not _THOUSANDS["."].fullmatch(cell)
        elif _POINT.fullmatch(cell):
            points += 1
            sure -= not _THOUSANDS[","].fullmatch(cell)
    return "," if sure > 0 or (sure == 0 and separator == ";" and commas and not points) else "."


def _number(cell: str, mark: str) -> float:
    """Return the number in a cell; NaN if there is none, or if it is too large to be squared."""
    cell = re.sub(r"(?<=\d)[\s’'](?=\d{3}\b)", "", cell).replace("−", "-")
    other = "." if mark == "," else ","
    if _THOUSANDS[mark].fullmatch(cell):
        cell = cell.replace(other, "")
    try:
        value = float(cell.replace(",", ".") if mark == "," else cell)
    except ValueError:
        return math.nan
    if abs(value) < 1 / _HUGE:
        return 0.0
    return value if abs(value) <= _HUGE else math.nan


def _all_different(headings: Sequence[str]) -> list[str]:
    """Return the headings, with numbers added to repeated ones."""
    seen, different = Counter[str](), list[str]()
    for heading in headings:
        seen[heading] += 1
        different.append(f"{heading} ({seen[heading]})" if seen[heading] > 1 else heading)
    return different


def _columns_of(
    rows: Sequence[Sequence[str]], headings: Sequence[str], mark: str, notes: list[str]
) -> tuple[dict[str, Doubles], dict[str, tuple[str, ...]]]:
    """Return the columns of numbers (n,) and of text (n,); add notes about omitted columns."""
    numbers, words = dict[str, Doubles](), dict[str, tuple[str, ...]]()
    for at, heading in enumerate(headings):
        cells = tuple("" if row[at].lower() in _MISSING else row[at] for row in rows)
        values = np.array([_number(cell, mark) for cell in cells])
        filled, known = sum(map(bool, cells)), int(np.isfinite(values).sum())
        key = heading.lower()
        is_label = key in _LABEL_HEADINGS and len(set(cells)) <= MOST_LABELS
        if not filled:
            continue
        if not at and key in _COUNTING and (np.diff(values) > 0).all():
            notes.append(f"Left out: the first column, “{heading}”, which numbers the rows.")
        elif 2 * known >= len(rows) and not is_label:
            numbers[heading] = values
        elif 2 * filled >= len(rows):
            words[heading] = cells
        else:
            notes.append(f"Left out: the column “{heading}”, which is mostly empty.")
    return numbers, words
