"""The manual's figures of the sample, replaced by those of an open gallery."""

from __future__ import annotations

import re
from dataclasses import dataclass

from eigenfaces.recognition.gallery import Gallery

SAMPLE, HERE = "In the sample:", "In this gallery:"
"""How such a sentence begins in the manual, and what it begins with instead."""


@dataclass(frozen=True)
class GalleryFigures:
    """Sizes of a trained gallery: n faces of w × h pixels, K components of which k are compared."""

    n: int
    width: int
    height: int
    components: int
    k: int
    kept: float

    @classmethod
    def of(cls, gallery: Gallery) -> GalleryFigures | None:
        """Return the figures of a gallery; None if it is not trained."""
        if gallery.training is None:
            return None
        space, k = gallery.training.space, gallery.shown_k
        height, width = space.shape
        kept = float(space.variance_ratio[:k].sum())
        return cls(space.count, width, height, len(space), k, kept)

    def words(self) -> list[str]:
        """Return all figures in the manual, long numbers in groups of three digits."""
        d = self.width * self.height
        counts = (self.n, self.width, self.height, d, self.components, self.k)
        matrices = sorted((self.n**2, d**2))
        return [*map(_grouped, (*counts, *matrices)), f"{100 * self.kept:.1f}\u00a0%"]


OF_SAMPLE = GalleryFigures(400, 92, 112, 399, 190, 0.9502)


def with_gallery_figures(text: str, figures: GalleryFigures | None) -> str:
    """Return a text of the manual with the figures of a gallery; if None, those of the sample.

    >>> few = GalleryFigures(24, 20, 24, 23, 10, 0.9)
    >>> with_gallery_figures("In the sample: *n* = 400 faces of 92 × 112 pixels.", few)
    'In this gallery: *n* = 24 faces of 20 × 24 pixels.'
    """
    if figures is None:
        return text
    ours = dict(zip(OF_SAMPLE.words(), figures.words(), strict=True))
    number = re.compile("|".join(sorted(map(re.escape, ours), key=len, reverse=True)))
    paragraphs = [
        number.sub(lambda found: ours[found[0]], each).replace(SAMPLE, HERE)
        if each.startswith(SAMPLE)
        else each
        for each in text.split("\n\n")
    ]
    return "\n\n".join(paragraphs)


def _grouped(count: int) -> str:
    """Return a count in groups of three digits, with no-break spaces."""
    return f"{count:,}".replace(",", "\u00a0")
