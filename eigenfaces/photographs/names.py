"""Names of people and files: clean, compare and sort them, or read them from file names."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path

from eigenfaces.errors import EigenfacesError
from eigenfaces.text import count, first_few, name_key


def as_name(text: str) -> str | None:
    r"""Convert text to a name: in Unicode NFC, on one line, without surrounding spaces.

    The result is None if no character is visible.

    >>> as_name(" Zoe\u0308 "), as_name("Ann\r\nLee")
    ('Zoë', 'Ann Lee')
    """
    readable = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    line = re.sub(r"[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+", " ", readable)
    name = unicodedata.normalize("NFC", line).strip()
    return name if any(map(_is_seen, name)) else None


_IGNORED = {"ignored", "ignoriert", "ignoré", "ignorado", "ignorato", "genegeerd"}
_UNKNOWN = {
    *("unknown", "unbekannt", "inconnu", "desconocido", "desconhecido", "sconosciuto", "onbekend"),
    *("unconfirmed", "unbestätigt", "non confirmé", "sin confirmar", "no confirmado"),
    *("não confirmado", "por confirmar", "non confermato", "niet bevestigd", "onbevestigd"),
}
"""digiKam's terms for unnamed faces, in the languages in which digiKam is mostly used."""


def _without_noun(name: str) -> str:
    name = re.sub(r"^people[/|]", "", name_key(name))
    return re.sub(r"[\s_-]+(person|people|persons|face|faces|name)$", "", name).strip(" .…<>()[]?")


def is_ignored(name: str) -> bool:
    """Return whether a name means that the face should be ignored.

    >>> is_ignored("Ignored"), is_ignored("People/ignored"), is_ignored("Iggy")
    (True, True, False)
    """
    return _without_noun(name) in _IGNORED


def is_nobody(name: str) -> bool:
    """Return whether a name is one that other programs give to unnamed faces.

    >>> is_nobody("Unconfirmed"), is_nobody(" UNKNOWN person"), is_nobody("Ignored"), is_nobody("")
    (True, True, True, False)
    """
    bare = _without_noun(name)
    return is_ignored(name) or bare in _UNKNOWN or (not bare and "?" in name)


def visible_name(name: str) -> str:
    r"""Return the visible part of a name for comparison, without spaces or invisible characters.

    >>> visible_name("Ann\u00a0Lee") == visible_name("ann l\u200bee"), visible_name("Weiß")
    (True, 'weiß')
    """
    return "".join(filter(_is_seen, name_key(unicodedata.normalize("NFKC", name))))


def _is_seen(letter: str) -> bool:
    category = unicodedata.category(letter)
    return not (category in ("Cc", "Cf") or category[0] == "Z" or letter in _BLANK)


_BLANK = "\u034f\u115f\u1160\u2800\u3164\ufe0e\ufe0f\uffa0"
"""Characters that are invisible, although Unicode does not class them as spaces."""


def lookalikes_words(people: Iterable[str]) -> str:
    r"""Return a sentence about people whose names look exactly the same; "" if there are none.

    >>> lookalikes_words(["Ann Lee", "Bob", "Ann\u00a0Lee"])
    '2 people are called “Ann Lee”. Their names differ only in spaces or invisible characters.'
    """
    known: dict[str, dict[str, None]] = {}
    for person in people:
        known.setdefault(visible_name(person), {})[person] = None
    twice = [names for names in known.values() if len(names) > 1]
    called = first_few([f"“{next(iter(names))}”" for names in twice])
    number = count(sum(map(len, twice)), "person")
    differ = "Their names differ only in spaces or invisible characters."
    return f"{number} are called {called}. {differ}" if twice else ""


def safe_name(name: str) -> str:
    """Return a file or folder name that every file system accepts, of at most 81 characters.

    >>> safe_name("AC/DC: live. "), safe_name("con"), safe_name("..")
    ('AC_DC_ live', 'con_', '_')
    """
    safe = re.sub(r'[<>:"/\\|?*\x00-\x1f]', "_", as_name(name) or "")[:80].strip(" .") or "_"
    reserved = re.match(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", safe, re.IGNORECASE)
    return f"{safe}_" if reserved else safe


def natural_key(text: str) -> tuple[tuple[int, str], ...]:
    """Return a sort key that puts ``s2`` before ``s10``."""
    parts = re.split(r"0*([0-9]+)", text.casefold())
    # A number with more digits is larger; words come before numbers.
    return tuple((len(part) * (place % 2), part) for place, part in enumerate(parts))


_MOST_STARS = 3  # with more, a regular expression takes too long on a name that does not match


def check_pattern(pattern: str) -> None:
    """Check whether a pattern can identify people; if not, raise `EigenfacesError`."""
    if pattern.count("{person}") != 1 or len(re.findall(r"\*+", pattern)) > _MOST_STARS:
        raise EigenfacesError(
            f"The pattern “{pattern}” must contain {{person}} once, as in “{{person}}.*”, and * at "
            f"most {_MOST_STARS} times."
        )


def person_from_name(name: str, pattern: str) -> str | None:
    """Return the name that a pattern such as “{person}.*” extracts from a file name, or None.

    ``*`` matches as much as possible, ``{number}`` matches digits, and ``{person}`` matches as
    little as possible, but at least one character. Earlier parts take precedence.
    """
    check_pattern(pattern)
    name, pattern = (unicodedata.normalize("NFC", text) for text in (name, pattern))
    parts = re.split(r"(\{person\}|\{number\}|\*+)", pattern)
    meanings = {"{person}": "(.+?)", "{number}": "[0-9]+"}
    regex = "".join(
        ".*" if part.startswith("*") else meanings.get(part, re.escape(part)) for part in parts
    )
    match = re.fullmatch(regex, name, re.DOTALL)
    return (match[1].strip() or None) if match else None


def suggest_pattern(names: list[str]) -> str | None:
    """Return the common pattern that fits all file names and yields the most people, or None.

    The pattern must yield at least two people, at least half of whom must have several files unless
    all names consist of words. File names generated by cameras do not count as people. The result
    is also None if every pattern would merge two people.
    """
    counts: dict[str, int] = {}
    names = [unicodedata.normalize("NFC", name) for name in names]
    for pattern in _PATTERNS:
        files = Counter(takewhile(bool, (person_from_name(name, pattern) for name in names)))
        people = [person for person in files if person and not _CAMERA.fullmatch(person)]
        if pattern.startswith("{number}"):  # among several numbers, none is a person
            people = [person for person in people if re.search(r"[^\W\d_]", person)]
        if files.total() < len(names) or not 1 < len(people) == len(files):
            continue
        once = sum(times == 1 for times in files.values())
        if all(map(_NAME.fullmatch, people)) or 2 * once <= len(people):
            counts[pattern] = len(people)
    stems = {re.sub(r"[\W\d_]+$", "", Path(name).stem) for name in names}
    if not counts or (all(map(_NAME.fullmatch, stems)) and len(stems) > max(counts.values())):
        return None
    return max(counts, key=lambda pattern: counts[pattern])


_PATTERNS = (
    "{person}.*.*",
    "{person}_*",
    "{person}-*",
    "{person} *",
    "{person}_{number}.*",
    "{person}-{number}.*",
    "{person} {number}.*",
    "{person} ({number}).*",
    "{person}{number}.*",
    "{person}.*",
    "{number}_{person}_{number}.*",
    "{number}-{person}-{number}.*",
)
_NAME = re.compile(r"[^\W\d_]{2,}([ .,'’_-]+[^\W\d_]+)*\.?")
"""Words made of letters, as in a file named after a person."""

_CAMERA = re.compile(
    r"(img|dsc[nf]?|pxl|mvimg|vid|image|photo|foto|picture|pic|scan|screenshot|whatsapp( image)?"
    r"|signal)[\W\d_]*|(19|20)\d{6}[\W\d_]*",
    re.IGNORECASE,
)
"""The prefixes of file names generated by cameras and phones, and dates."""
