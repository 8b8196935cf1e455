"""The glossary: the one place where a word of the program is explained."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from eigenfaces.manual.sections import read


@cache
def glossary() -> Mapping[str, str]:
    """Return what each word means, without mark-up.

    >>> glossary()["runner-up"]
    'the second closest person'
    """
    text = re.sub(r"[*`]", "", read("glossary"))
    rows = re.findall(r"^\| (.+?) \| (.+) \|$", text, re.MULTILINE)
    return MappingProxyType({term: meaning for term, meaning in rows if term != "word"})
