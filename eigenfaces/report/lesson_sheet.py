"""The sheet that a lesson is drawn on: places in points, counted from its top left corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from eigenfaces.laboratory.drawing import Ink
from eigenfaces.report.figure import ACCENT, BORDER, TEXT
from eigenfaces.space.arrays import Doubles

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

BODY, SMALL, TITLE = 8.5, 7.5, 10.5
"""Sizes of text in points."""

LINE = 11.5
"""Points from one line of text to the next."""

INKS: dict[Ink, str] = {
    "main": ACCENT,
    "contrast": "#EE6677",
    "good": "#228833",
    "grey": "#7D8590",
    "faint": "#C6CCD4",
}

GROUPS = (
    *("#4477AA", "#EE6677", "#228833", "#CCBB44", "#66CCEE"),
    *("#AA3377", "#BBBBBB", "#EE7733", "#009988", "#332288"),
)
"""Colours of groups: Tol's “bright”, and three of his “vibrant” and “muted”."""

_SIGNED = "154F94 3A83BF 8FC3E0 D5E8F3 FFFFFF FCDCCB F3A583 D75A4B A81529"


class Box(NamedTuple):
    """A place on the sheet, in points from its top left corner."""

    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.top + self.height

    @property
    def middle(self) -> float:
        """What is as far from the left as from the right."""
        return self.left + self.width / 2

    def below(self, height: float) -> Box:
        """Return the box without its upper part."""
        return Box(self.left, self.top + height, self.width, self.height - height)

    def meets(self, other: Box) -> bool:
        """Return whether two boxes overlap."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


@dataclass(frozen=True, eq=False)
class Sheet:
    """A figure with one axes over all of it, whose units are points from the top left."""

    figure: Figure
    paper: Axes
    width: float
    height: float

    @classmethod
    def of(cls, width: float, height: float) -> Sheet:
        """Return an empty sheet."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        figure = Figure(figsize=(width / 72, height / 72), dpi=72)
        FigureCanvasAgg(figure)
        paper = figure.add_axes((0, 0, 1, 1), zorder=3, frameon=False)
        paper.set(xlim=(0, width), ylim=(height, 0), autoscale_on=False)
        paper.set_axis_off()
        return cls(figure, paper, width, height)

    def write(self, x: float, y: float, words: str, **look: Any) -> Text:
        """Write words whose top left is at a place, unless the look says otherwise."""
        chosen: dict[str, Any] = {"fontsize": BODY, "color": TEXT, "va": "top", "ha": "left"} | look
        return self.paper.text(x, y, words, **chosen)

    def rectangle(self, box: Box, colour: str, **look: Any) -> None:
        """Fill a box."""
        from matplotlib.patches import Rectangle

        chosen: dict[str, Any] = {"facecolor": colour, "edgecolor": "none", "linewidth": 0} | look
        place = (box.left, box.top)
        self.paper.add_patch(Rectangle(place, box.width, box.height, **chosen))

    def line(self, x: tuple[float, ...], y: tuple[float, ...], **look: Any) -> None:
        """Draw a line through points."""
        chosen: dict[str, Any] = {"color": BORDER, "linewidth": 0.7} | look
        self.paper.plot(x, y, **chosen)

    def image(self, box: Box, colours: Doubles, *, smooth: bool = False) -> None:
        """Show colours (h, w, 3) in a box, each pixel as it is unless they are many."""
        self.paper.imshow(
            np.clip(colours, 0, 1),
            extent=(box.left, box.right, box.bottom, box.top),
            aspect="auto",
            interpolation="antialiased" if smooth else "none",
        )
        self.paper.set(xlim=(0, self.width), ylim=(self.height, 0))

    def axes(self, box: Box, **look: Any) -> Axes:
        """Return axes whose frame is a box."""
        return self.figure.add_axes(self.share_of(box), **look)

    def fit(self, axes: Axes, box: Box) -> Box:
        """Move the frame of axes so that they lie in a box with all their labels; return it."""
        for _ in range(3):
            frame, whole = self.frame(axes), self.reach(axes)
            left = max(frame.left - whole.left, 0)
            top = max(frame.top - whole.top, 0)
            right, bottom = max(whole.right - frame.right, 0), max(whole.bottom - frame.bottom, 0)
            width, height = box.width - left - right, box.height - top - bottom
            frame = Box(box.left + left, box.top + top, max(width, 10), max(height, 10))
            axes.set_position(self.share_of(frame))
        return frame

    def frame(self, axes: Axes) -> Box:
        """Return where the frame of axes lies."""
        left, bottom, width, height = axes.get_position(original=True).bounds
        return Box(
            left * self.width,
            (1 - bottom - height) * self.height,
            width * self.width,
            height * self.height,
        )

    def reach(self, axes: Axes) -> Box:
        """Return where axes lie with all their labels."""
        found = axes.get_tightbbox(self.figure.canvas.get_renderer())  # type: ignore[attr-defined]
        assert found is not None
        return Box(found.x0, self.height - found.y1, found.width, found.height)

    def share_of(self, box: Box) -> tuple[float, float, float, float]:
        """Return a box as shares of the figure; the last digits of measured texts are cut off."""
        return (
            round(box.left / self.width, 4),
            round(1 - box.bottom / self.height, 4),
            round(box.width / self.width, 4),
            round(box.height / self.height, 4),
        )


def width_of(words: str, size: float = BODY, *, bold: bool = False) -> float:
    """Return how wide words are, in points."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    letters = FontProperties(size=size, weight="bold" if bold else "normal")
    return float(TextToPath().get_text_width_height_descent(words, letters, ismath=False)[0])


def wrapped(words: str, width: float, size: float = BODY) -> list[str]:
    """Return words as lines that are no wider than ``width``, unless a single word is."""
    lines: list[str] = []
    for word in words.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def signed_colours(values: Doubles, most: float) -> Doubles:
    """Return colours (…, 3): blue below zero, white at zero, red above; full at ± ``most``."""
    anchors = np.frombuffer(bytes.fromhex(_SIGNED), dtype=np.uint8).reshape(-1, 3) / 255
    share = np.clip(np.nan_to_num(values) / (most or 1), -1, 1)
    places = np.linspace(-1, 1, len(anchors))
    return np.stack([np.interp(share, places, part) for part in anchors.T], axis=-1)
