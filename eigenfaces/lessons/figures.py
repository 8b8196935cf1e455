"""What the figures of several lessons have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from eigenfaces.lessons.drawing import Ink, Limits, PicturesPanel, Share, SharesPanel, Strokes
from eigenfaces.space.arrays import Doubles
from eigenfaces.text import percent


def around_zero(*points: Doubles, room: float = 1.1) -> tuple[Limits, Limits]:
    """Return the range of both axes that holds all these numbers, with zero in the middle."""
    reach = room * max(float(np.abs(each).max()) for each in points)
    return (-reach, reach), (-reach, reach)


def arrows(ends: Doubles, ink: Ink = "main", words: str = "") -> Strokes:
    """Return arrows from zero to their ends (n, 2 or 3)."""
    return Strokes(start=np.zeros_like(ends), end=ends, ink=ink, arrow=True, words=words)


def pictures(
    rows: Doubles,
    shape: tuple[int, ...],
    title: str = "",
    caption: str = "",
    across: int = 1,
    **more: Any,
) -> PicturesPanel:
    """Return rows (n, d) as pictures of a shape."""
    made = rows.reshape(-1, *shape)
    return PicturesPanel(title=title, caption=caption, pictures=made, across=across, **more)


def shares(
    parts: Mapping[str, float], whole: str, mark: tuple[float, str] | None = None
) -> SharesPanel:
    """Return a bar of what is kept and what is lost, by their words."""
    inks: tuple[Ink, Ink] = ("main", "contrast")
    both = sum(parts.values())
    words = (f"{each} {value:.2f} · {percent(value / both, 0)}" for each, value in parts.items())
    made = zip(words, parts.values(), inks, strict=True)
    return SharesPanel(
        parts=tuple(Share(words=said, value=value, ink=ink) for said, value, ink in made),
        whole=whole,
        mark=mark,
    )
