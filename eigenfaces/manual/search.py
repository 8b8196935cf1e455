"""Search of the manual for words in any order, or for their synonyms."""

from __future__ import annotations

import re
import sqlite3
from functools import cache

from eigenfaces.manual.sections import Section, sections

SYNONYMS = {
    "appearance": "looks",
    "average": "mean",
    "blurry": "blurred",
    "child": "children",
    "cloud": "online",
    "confidence": "certain",
    "crash": "interrupted killed",
    "cross": "fold",
    "delete": "remove",
    "duplicate": "again same",
    "erase": "remove forget",
    "excel": "csv table",
    "hotkey": "keyboard keys",
    "image": "photograph picture",
    "import": "adding read",
    "iphone": "heic",
    "kid": "children",
    "label": "names",
    "license": "licences",
    "machine": "json",
    "mode": "light looks",
    "pca": "principal components",
    "person": "people",
    "photo": "photograph",
    "picture": "photograph",
    "plan": "minutes",
    "private": "privacy",
    "projector": "f11",
    "readable": "json",
    "screen": "f11 large",
    "shortcut": "keyboard keys",
    "sklearn": "scikit",
    "spreadsheet": "csv table",
    "sure": "certain",
    "tag": "names marked",
    "twin": "alike",
    "undo": "undone",
    "upload": "online",
    "validation": "fold",
}
"""Words that people search for, and the manual's words for the same thing."""

_EMPTY = (
    "a about am an and are as at by can did do does for from go have how i in is it its me my not "
    "of on or our that the their them these this to was what when where which who whom why with "
    "you your"
)
"""Words that occur in nearly every section, and so do not help to find one."""

_USING = "Using the program"
"""The part that answers most questions. Its sections are ranked higher than others."""

_BETTER = 2.0  # the weight of that part in the ranking
_ENOUGH = 3


def find(words: str) -> tuple[Section, ...]:
    """Return the sections that contain these words or their synonyms, best match first.

    The last word may be incomplete. Sections with the words side by side come first. If there are
    few, sections with all words in the title, with all words, or with some words follow.
    """
    typed = re.findall(r"\w+", words.lower())
    empty = _EMPTY.split()
    wanted = [word for word in typed if word not in empty]
    terms = [_term(word, typed=word is typed[-1]) for word in wanted]
    queries = [f'"{" ".join(typed)}"'] if len(typed) > 1 else []
    if terms:
        every_one = " AND ".join(terms)
        queries += [f"title : ({every_one})", every_one, " OR ".join(terms)]
    found = dict[int, None]()
    for query in queries:
        if len(found) < _ENOUGH:
            found |= dict.fromkeys(_matching(query))
    every = sections()
    return tuple(every[number] for number in found)


def _term(word: str, *, typed: bool) -> str:
    """Return an FTS5 query for a word or its synonyms."""
    others = SYNONYMS.get(word, SYNONYMS.get(word.removesuffix("s"), "")).split()
    first = f'"{word}"*' if typed else f'"{word}"'
    return f"({' OR '.join([first, *(f'{chr(34)}{other}{chr(34)}' for other in others)])})"


def _matching(query: str) -> list[int]:
    rows = _index().execute(
        "SELECT number FROM manual WHERE manual MATCH ? "
        "ORDER BY bm25(manual, 0, 10, 2, 1) * IIF(part = ?, ?, 1)",  # lower is better
        [query, _USING, _BETTER],
    )
    return [number for (number,) in rows]


@cache
def _index() -> sqlite3.Connection:
    """Return an in-memory index of all sections, with each word reduced to its stem."""
    index = sqlite3.connect(":memory:", check_same_thread=False)
    index.execute(
        "CREATE VIRTUAL TABLE manual USING fts5(number UNINDEXED, title, part, text, "
        "tokenize = 'porter unicode61')"
    )
    links = re.compile(r"\]\([^)]*\)")  # the target of a link is not a word of the text
    index.executemany(
        "INSERT INTO manual VALUES (?, ?, ?, ?)",
        [
            (number, section.title, section.part, links.sub("", section.text))
            for number, section in enumerate(sections())
        ],
    )
    return index
