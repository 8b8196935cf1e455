"""A section of the help, and the figures of the open gallery that its text may use."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass

from eigenfaces.recognition.gallery import Gallery

Text = Callable[["Figures | None"], str]


@dataclass(frozen=True)
class Figures:
    """Sizes of a trained gallery: n faces of w × h pixels, K components of which k are compared."""

    n: int
    width: int
    height: int
    components: int
    k: int
    kept: float

    @classmethod
    def of(cls, gallery: Gallery) -> Figures | None:
        """Read them off; None where nothing is trained."""
        if gallery.training is None:
            return None
        space, k = gallery.training.space, gallery.k
        height, width = space.shape
        kept = float(space.variance_ratio[:k].sum())
        return cls(space.count, width, height, len(space), k, kept)

    @property
    def d(self) -> int:
        """Pixels of a face."""
        return self.width * self.height


@dataclass(frozen=True)
class Section:
    """One heading of the help: where to find it, and its text as rich text."""

    key: str
    group: str
    title: str
    text: Text

    def words(self, figures: Figures | None) -> str:
        """Give title and text without mark-up, to search in."""
        plain = re.sub(r"<[^>]+>", "", self.text(figures))
        return html.unescape(f"{self.title} {plain}")


def thousands(count: int) -> str:
    """Write a large count with thin spaces, as in 10 304."""
    return f"{count:,}".replace(",", "\u202f")


def here(figures: Figures | None, sentence: str) -> str:
    """Make a line about the open gallery; nothing where there are no figures."""
    if figures is None:
        return ""
    values = {
        "n": thousands(figures.n),
        "d": thousands(figures.d),
        "w": figures.width,
        "h": figures.height,
        "K": thousands(figures.components),
        "k": thousands(figures.k),
        "kept": f"{100 * figures.kept:.1f}\u202f%",
        "dd": thousands(figures.d**2),
        "nn": thousands(figures.n**2),
    }
    return f'<p class="here">In this gallery: {sentence.format(**values)}</p>'
