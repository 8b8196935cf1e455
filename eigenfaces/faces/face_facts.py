"""Facts about a face in words: how it was placed, its tilt, how sharp it is."""

from __future__ import annotations

from pathlib import Path

from eigenfaces.faces.quality import BLURRED
from eigenfaces.photographs.placement import Placement

_SOURCES = {
    "found": "found automatically",
    "guess": "a guess among several",
    "by hand": "set by hand",
    "from a file": "read from a file",
}
SOFT = 2 * BLURRED
"""Between blurred and this, a face is soft: it shows some detail."""


def placement_facts(where: Placement) -> list[tuple[str, str | Path]]:
    """Return how the face was placed, how large it is in its photograph, and its tilt."""
    eyes = where.eyes
    if eyes is None:
        marked = ", marked by hand" if where.source == "by hand" else ""
        facts: list[tuple[str, str | Path]] = [("Face", f"the whole photo{marked}")]
    else:
        facts = [
            ("Face", _SOURCES[where.source]),
            ("Eyes apart", f"{eyes.distance:.0f} px"),
            ("Tilt", tilt_words(eyes.angle)),
        ]
    if where.turned % 4:
        facts.append(("Photo turned", f"{90 * (where.turned % 4)}° clockwise"))
    return facts


def tilt_words(degrees: float) -> str:
    """Return the tilt of a face in words."""
    whole = round(degrees)
    if whole == 0:
        return "level"
    return f"{abs(whole)}° {'clockwise' if whole > 0 else 'anticlockwise'}"


def sharpness_words(value: float) -> str:
    """Return the sharpness of a face, and what it means."""
    word = "blurred" if value < BLURRED else "soft" if value < SOFT else "sharp"
    return f"{value:.2f} ({word})"
