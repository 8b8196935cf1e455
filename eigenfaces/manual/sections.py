"""Sections of the manual, in the order in which Help shows them, and its glossary."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from eigenfaces.files import asset
from eigenfaces.manual.keys import keys_page

FILES = (
    "using_the_program",
    "face_space_pages",
    "from_photo_to_face",
    "the_verdict",
    "mathematics",
    "lessons",
    "evaluation",
    "command_line",
    "from_python",
    "measured_figures",
    "measured_speed",
    "glossary",
    "about",
)
"""Names of the manual's files, in order."""


@dataclass(frozen=True)
class Section:
    """Section of the manual: a heading, and the Markdown text below it."""

    part: str
    """The title of the file with this section."""

    title: str
    text: str

    @property
    def key(self) -> str:
        """The anchor for links to this section.

        >>> Section("The mathematics", "Projection, reconstruction", "").key
        'projection-reconstruction'
        """
        return re.sub(r"[^\w-]", "", self.title.lower().replace(" ", "-"))


_KEYS = "Help in the program (F1) has the table of all keys, page by page."
"""The line of the manual that the table of keys replaces."""


def read(name: str) -> str:
    """Return the text of a manual file, with the tables of keys filled in."""
    text = asset(f"manual/{name}.md").read_text("utf-8")
    return text.replace(_KEYS, keys_page())


def sections() -> tuple[Section, ...]:
    """Return all sections of the manual. Text above the first heading is in the first section."""
    return tuple(section for name in FILES for section in _sections_of(read(name)))


def _sections_of(text: str) -> list[Section]:
    begin, *rest = re.split(r"^## ", text, flags=re.MULTILINE)
    title, _, above = begin.removeprefix("# ").partition("\n")
    sections = []
    for section in rest:
        heading, _, below = section.partition("\n")
        sections.append(Section(title, heading, above + below))
        above = ""
    return sections


@cache
def glossary() -> Mapping[str, str]:
    """Return the meaning of each term in the glossary, without mark-up.

    >>> glossary()["residual"]
    'the face minus its reconstruction'
    """
    rows = re.findall(r"^- \*\*(.+?)\*\*: (.+)$", read("glossary"), re.MULTILINE)
    return MappingProxyType({term: re.sub(r"[*`]", "", meaning) for term, meaning in rows})
