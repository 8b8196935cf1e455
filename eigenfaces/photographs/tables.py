"""Tables written by the user: lists of photographs, lists of pairs, and tables of eye positions.

All tables are UTF-8 text and are read by `read_table`. They are either CSV, separated by tabs,
semicolons or commas (whichever occurs in the most lines), or lists with one name per line.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from eigenfaces.errors import EigenfacesError
from eigenfaces.files import is_there
from eigenfaces.photographs.decode import read_text

PHOTO_HEADINGS = frozenset(
    {"path", "file", "filename", "file name", "photo", "photograph", "picture", "image"}
)
"""The possible headings, in lower case, of the photograph column."""

PERSON_HEADINGS = frozenset({"label", "person", "name", "who", "subject", "identity", "class"})
"""The possible headings, in lower case, of the person column."""


@dataclass(frozen=True)
class Line:
    """Line of a table that is neither empty nor a comment."""

    number: int  # line number in the file, from 1; the last one if a cell contains line breaks
    text: str  # the line as written, without spaces around it
    cells: tuple[str, ...]  # the cells without quotation marks and spaces around them

    def cell(self, at: int) -> str:
        """Return the text of the cell at an index, or "" if the line is too short."""
        return self.cells[at] if at < len(self.cells) else ""

    def columns(self, *names: Collection[str]) -> tuple[int, ...] | None:
        """Return the index of each column in this heading, given its possible names in lower case.

        The result is None if a column is missing, in which case the line is not a heading.

        >>> Line(1, "Who;File", ("Who", "File")).columns(PHOTO_HEADINGS, PERSON_HEADINGS)
        (1, 0)
        """
        cells = [cell.lower() for cell in self.cells]
        places = [[at for at, cell in enumerate(cells) if cell in known] for known in names]
        return tuple(place[0] for place in places) if all(places) else None


def read_table(file: Path) -> list[Line]:
    """Return the lines of a table.

    A line that begins with # is a comment, unless one of its cells is the path of a file.

    Raises `EigenfacesError` for a file that cannot be read, is not UTF-8 text, or has an unclosed
    quotation mark.
    """
    try:
        written = list(io.StringIO(read_text(file), newline=""))  # a cell may contain line breaks
        reader = csv.reader(written, delimiter=separator_of(written), strict=True)
        rows = [(reader.line_num, row) for row in reader]
    except UnicodeDecodeError:
        raise EigenfacesError(
            f"“{file}” is not a list or a table: it is not text in UTF-8."
        ) from None
    except csv.Error as error:
        raise EigenfacesError(
            f"“{file}” is not a list or a table: {error}. Check its quotation marks."
        ) from None
    lines = list[Line]()
    start = 0
    for number, row in rows:
        text = "".join(written[start:number]).strip()
        start = number
        cells = tuple(cell.strip() for cell in row)
        comment = text.startswith("#") and not any(
            is_there(table_path(file, cell)) for cell in cells if cell
        )
        if any(cells) and not comment:
            lines.append(Line(number, text, cells))
    return lines


def table_path(table: Path, name: str) -> Path:
    """Return the path that a table gives relative to its folder, even one in Windows notation."""
    path = table.parent / name
    if "\\" in name and not is_there(path):
        path = table.parent / name.replace("\\", "/")
    return path


def separator_of(lines: Sequence[str]) -> str:
    """Return the separator between the cells of a table: a tab, a semicolon or a comma."""
    plain = [re.sub(r'"[^"]*"', "", line) for line in lines]
    return max("\t;,", key=lambda mark: sum(mark in line for line in plain))
