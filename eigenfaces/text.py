"""Helpers that format numbers, match typed names, shorten paths, and write tables.

Each setting is a `Field`, which the command line, the forms and the reports all use.
"""

from __future__ import annotations

import contextlib
import csv
import io
import math
import numbers
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any

from eigenfaces.errors import EigenfacesError

_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")  # a spreadsheet runs a cell that begins like this
_QUOTED = 60  # the most letters of a value that a message quotes
_WHOLE = 1e-6  # a share this close to 1 is complete, up to rounding errors


def local_time(made: str) -> str:
    """Return a timestamp in local time, such as “21 Nov 2026, 12:55”, and other text unchanged."""
    try:
        time = datetime.fromisoformat(made).astimezone()
    except (ValueError, OverflowError):  # year 1, a day east
        return made
    return f"{time.day} {time:%b %Y, %H:%M}"


def count(number: int, one: str = "photo", several: str = "") -> str:
    """Return a number with its noun. Unless given, the plural is “people” or ends in s.

    >>> count(1, "person"), count(2, "person"), count(4000), count(2, "search", "searches")
    ('1 person', '2 people', '4,000 photos', '2 searches')
    """
    several = several or ("people" if one == "person" else f"{one}s")
    return f"{number:,} {one if number == 1 else several}"


def was_or_were(number: int) -> str:
    """Return “was” for 1, “were” for any other number."""
    return "was" if number == 1 else "were"


def name_key(text: str) -> str:
    r"""Return the form in which names are compared: NFC, lower case, no surrounding spaces.

    Letters are lowercased one by one and never expanded, so ß does not become ss.

    >>> name_key(" ZOE\u0308") == name_key("Zoë"), name_key("Weiß") == name_key("Weiss")
    (True, False)
    """
    composed = unicodedata.normalize("NFC", text.strip())
    small = (letter.lower() if len(letter.lower()) == 1 else letter for letter in composed)
    return unicodedata.normalize("NFC", "".join(small))


def short_repr(value: Any) -> str:
    """Return a one-line ``repr`` of a dataclass that shows only the size of large values."""

    def short(part: Any) -> str:
        if hasattr(part, "dtype"):
            return f"{part.dtype} {part.shape}"
        text = repr(part)
        if len(text) <= _QUOTED and "\n" not in text:
            return text
        sized = hasattr(part, "__len__") and not isinstance(part, str)
        return f"<{type(part).__name__}{f' of {len(part):,}' if sized else ''}>"

    parts = (
        f"{part.name}={short(getattr(value, part.name))}" for part in fields(value) if part.repr
    )
    return f"{type(value).__name__}({', '.join(parts)})"


def percent(share: float, digits: int = 1) -> str:
    """Return a share as a percentage, “97.5 %”, or a dash for NaN. Only a complete share is 100 %.

    >>> percent(0.975), percent(0.9999), percent(1.0)
    ('97.5 %', '99.9 %', '100.0 %')
    """
    if not math.isfinite(share):
        return "–"
    below = 1 - 10 ** -(digits + 2)  # the largest number that can be written below 100 %
    if below < share < 1 - _WHOLE:
        share = below
    return f"{100 * share:.{digits}f} %"


def with_no_break_spaces(text: str) -> str:
    r"""Return text in which no line can begin with “%”. It is for the screen only, not for files.

    >>> with_no_break_spaces("84.9 % of all") == "84.9\N{NO-BREAK SPACE}% of all"
    True
    """
    return re.sub(r"(?<=\d) (?=%)", "\N{NO-BREAK SPACE}", text)


def four_digits(value: float) -> str:
    """Return a distance with four digits, such as “10.10”, and no decimals from 1,000 upwards.

    >>> four_digits(8.83342), four_digits(10.1), four_digits(1339.6), four_digits(1e-7)
    ('8.833', '10.10', '1,340', '0')
    >>> four_digits(-12.5)
    '−12.50'
    """
    if abs(value) < 5e-5:
        return "0"
    text = f"{value:,.0f}" if abs(value) >= 999.95 else f"{value:#.4g}"
    return with_minus(text)


def with_minus(text: str) -> str:
    """Return the text of a number with true minus signs in place of hyphens.

    >>> with_minus("-12.5"), with_minus(f"{0.3:+.1f}")
    ('−12.5', '+0.3')
    """
    return text.replace("-", "−")


def interval_text(low: float | None, high: float | None) -> str:
    """Return an interval in per cent, such as “94.57 to 98.87”, or a dash if a limit is missing."""
    if low is None or high is None or not math.isfinite(low + high):
        return "–"
    return f"{100 * low:.2f} to {100 * high:.2f}"


def with_interval(value: float, low: float | None, high: float | None) -> str:
    """Return a share and its interval, such as “97.50 % (94.57 to 98.87)”."""
    known = interval_text(low, high)
    return percent(value, 2) if known == "–" else f"{percent(value, 2)} ({known})"


def capital(text: str) -> str:
    """Return the text with its first letter capitalised."""
    return text[:1].upper() + text[1:]


def first_few(names: Sequence[str], shown: int = 4) -> str:
    """Return the first few names, and the number of those left out."""
    more = len(names) - shown
    return ", ".join(names[:shown]) + (f" and {more:,} more" if more > 0 else "")


def cli_name(name: str) -> str:
    """Return a name as people type it on the command line."""
    return name.strip().lower().replace("∞", "inf").replace(" ", "-").replace("–", "-")


def parse_name(known: Iterable[str], value: object, kind: str = "") -> str:
    """Return the known name that ``value`` matches, exactly or as typed on the command line.

    ``kind`` says what the names stand for. It is used in the `EigenfacesError` that is raised if no
    name matches.

    >>> parse_name(("L2", "Mahalanobis cosine"), "mahalanobis-cosine")
    'Mahalanobis cosine'
    >>> parse_name(("Ada", "ada"), "Ada")
    'Ada'
    """
    known = tuple(known)
    if isinstance(value, str) and value in known:
        return value
    names = {cli_name(name): name for name in known}
    if isinstance(value, str) and cli_name(value) in names:
        return names[cli_name(value)]
    what = f"{kind} “{shortened(value, _QUOTED)}”".lstrip()
    raise EigenfacesError(f"There is no {what}. Choose one of: {', '.join(names.values())}.")


def shortened(path: object, most: int) -> str:
    """Return a path shortened to ``most`` characters by leaving out folders in the middle.

    The file name stays complete if it fits, because it tells photographs apart. Otherwise, the
    middle of the file name is left out.

    >>> shortened("/home/ada/holidays/2024/summer/beach/IMG_1234.jpg", 30)
    '/home/ada/…/beach/IMG_1234.jpg'
    >>> shortened("IMG_1234_edited_for_printing.jpg", 16)
    'IMG_1234…ing.jpg'
    """
    text = str(path)
    if len(text) <= most:
        return text
    separator = "\\" if "\\" in text and "/" not in text else "/"
    parts = text.split(separator)
    short = ""
    for parts_left in range(1, len(parts)):  # first the name, then folders from both ends
        first = (parts_left + 1) // 2 if parts_left > 1 else 0
        longer = separator.join([*parts[:first], "…", *parts[first - parts_left :]])
        if len(longer) > most:
            break
        short = longer
    name = parts[-1]
    if short or len(name) <= most:
        return short or name
    return f"{name[: most // 2]}…{name[len(name) - (most - 1) // 2 :]}"


def csv_cell(text: str) -> str:
    """Return the cell, with an apostrophe in front if a spreadsheet would run it as a formula."""
    with contextlib.suppress(ValueError):
        float(text)
        return text
    return f"'{text}" if _FORMULA.match(text) else text


def csv_text(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""Return a table as CSV with a heading line. No name in it can become a formula.

    Bytes of a file name that are not valid text are escaped, as in ``\udc80``.
    """
    page = io.StringIO()
    table = csv.writer(page, lineterminator="\n")
    table.writerow(heading)
    for row in rows:
        table.writerow([csv_cell(str(cell)) for cell in row])
    return page.getvalue().encode("utf-8", "backslashreplace").decode("utf-8")


@dataclass(frozen=True, eq=False, kw_only=True)
class Field:
    """Setting with its name, and everything that the window and the command line say about it."""

    name: str  # the name of its attribute
    label: str  # the title in a form
    about: str  # a description, without a full stop
    how: str = ""  # the values that people can type
    why: str = ""  # further sentences for the form
    option: str = ""  # the name on the command line, if it differs from ``name``
    metavar: str = "N"  # the placeholder for the value on the command line

    def checked(self, value: object) -> object:
        """Return the standard form of the value, or raise `EigenfacesError` if there is none."""
        return value

    def read(self, text: str) -> object:
        """Return the value that was typed as text."""
        return self.checked(text)

    @property
    def change(self) -> str:
        """The setting as it is named in a list of changes, such as “the width of a face”."""
        return f"the {self.label[:1].lower()}{self.label[1:]}"


@dataclass(frozen=True, eq=False, kw_only=True)
class OneOf(Field):
    """Setting that takes one of several names."""

    choices: Mapping[str, str]  # each name and its meaning, which begins with the formula
    titles: Mapping[str, str] = field(default_factory=dict)  # titles in a form, if they differ
    metavar: str = "NAME"

    def checked(self, value: object) -> str:
        """Return the known name that the value matches, exactly or as typed on the command line."""
        return parse_name(self.choices, value, self.name)

    def __post_init__(self) -> None:
        object.__setattr__(self, "how", ", ".join(map(cli_name, self.choices)))

    def title(self, name: str) -> str:
        """Return the title of a choice, as shown in a form."""
        return self.titles.get(name, capital(name))


@dataclass(frozen=True, eq=False, kw_only=True)
class YesOrNo(Field):
    """Setting that is on or off. ``choices`` gives the titles and meanings of no and yes."""

    choices: Mapping[str, str]
    refusal: str

    def checked(self, value: object) -> bool:
        """Return the value, or raise `EigenfacesError` if it is not True or False."""
        if not isinstance(value, bool):
            raise EigenfacesError(self.refusal)
        return value

    def read(self, text: str) -> bool:
        """Return True for “yes” and False for “no”."""
        return self.checked({"yes": True, "no": False}.get(text.strip().lower(), text))


@dataclass(frozen=True, eq=False, kw_only=True)
class WholeNumber(Field):
    """Setting that is a whole number. ``refusal`` is the message for a number out of range."""

    least: int
    most: int
    refusal: str
    unit: str = ""

    def checked(self, value: object) -> int:
        """Return a Python or NumPy whole number as an ``int``, if it is in range."""
        number = as_number(value)
        if not isinstance(number, int) or not self.least <= number <= self.most:
            raise EigenfacesError(self.refusal)
        return number

    def read(self, text: str) -> int:
        """Return the number that was typed in digits."""
        return self.checked(int(text) if text.strip().isdecimal() else text)


def check_fields(value: object, fields: Iterable[Field]) -> None:
    """Convert the fields of a frozen value to their standard form, or raise `EigenfacesError`."""
    for setting in fields:
        object.__setattr__(value, setting.name, setting.checked(getattr(value, setting.name)))


def as_number(value: object) -> float:
    """Return a Python or NumPy number as a Python number, and NaN for anything else."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return math.nan
    try:
        return int(value) if isinstance(value, numbers.Integral) else float(value)
    except OverflowError:
        return math.nan
