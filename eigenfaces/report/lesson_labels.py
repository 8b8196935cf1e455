"""Words in a picture: each beside its place, inside the frame, and over no other words."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from eigenfaces.report.figure import BORDER, TEXT
from eigenfaces.report.lesson_sheet import SMALL, Box, Sheet, width_of
from eigenfaces.space.arrays import Doubles

_HIGH, _PAD = 11.0, 4.0


@dataclass(frozen=True, eq=False, kw_only=False)
class PlacedLabel:
    """Words for a place ``at`` (2,) on the sheet, in a colour.

    ``begins`` (2,): the place is the end of a line from there, of which the last part that can be
    seen is meant. ``filled``: white words on the colour. ``ringed``: the words of a group, in the
    middle of it. ``away``: points between the place and the middle of the words.
    """

    words: str
    at: Doubles
    colour: str
    begins: Doubles | None = None
    filled: bool = False
    ringed: bool = False
    away: float = 0.0


@dataclass
class PlacedLabels:
    """The labels of one picture, drawn in their order; later ones make way for earlier ones."""

    sheet: Sheet
    frame: Box
    _labels: list[PlacedLabel] = field(default_factory=list)
    _taken: list[Box] = field(default_factory=list)

    def add(self, labels: list[PlacedLabel]) -> None:
        """Have labels drawn."""
        self._labels += labels

    def keep_clear(self, box: Box) -> None:
        """Have no words in a box."""
        self._taken.append(box)

    def draw(self) -> None:
        """Draw all labels; those of the hand first, as they belong to one place exactly."""
        for label in sorted(self._labels, key=lambda each: not each.filled):
            box = self._place(label)
            self._taken.append(box)
            self._paint(label, box)

    def _place(self, label: PlacedLabel) -> Box:
        """Return the nearest free box inside the frame."""
        width = max(width_of(label.words, SMALL, bold=_bold(label)) + 2 * _PAD, _HIGH)
        at = label.at if label.begins is None else self._seen_end(label.begins, label.at)
        if label.begins is not None:
            at = at + _beyond(at - label.begins, width)
        first = self._inside(Box(at[0] - width / 2, at[1] - _HIGH / 2, width, _HIGH))
        for far in np.arange(label.away, label.away + 90, 4.0):
            for angle in np.radians([270, 90, 0, 180, 315, 225, 45, 135]):
                x, y = at + far * np.array(
                    [np.cos(angle) * (width / 2 / _HIGH + 0.5), np.sin(angle)]
                )
                box = self._inside(Box(x - width / 2, y - _HIGH / 2, width, _HIGH))
                if not any(box.meets(other) for other in self._taken):
                    return box
        return first

    def _inside(self, box: Box) -> Box:
        frame = self.frame
        left = min(max(box.left, frame.left + 1), max(frame.right - box.width - 1, frame.left))
        top = min(max(box.top, frame.top + 1), frame.bottom - box.height - 1)
        return Box(left, top, box.width, box.height)

    def _seen_end(self, begins: Doubles, ends: Doubles) -> Doubles:
        """Return the last place on a line that lies in the frame."""
        steps = begins + np.linspace(1, 0, 200)[:, None] * (ends - begins)
        low = np.array([self.frame.left, self.frame.top]) + 10
        high = np.array([self.frame.right, self.frame.bottom]) - 10
        seen = ((steps >= low) & (steps <= high)).all(axis=1)
        found: Doubles = steps[int(seen.argmax())]
        return found

    def _paint(self, label: PlacedLabel, box: Box) -> None:
        from matplotlib.patches import FancyBboxPatch

        edge = label.colour if label.filled or label.ringed else BORDER
        self.sheet.paper.add_patch(
            FancyBboxPatch(
                (box.left + 2, box.top + 2),
                box.width - 4,
                box.height - 4,
                boxstyle="round,pad=2,rounding_size=4",
                facecolor=label.colour if label.filled else "white",
                edgecolor=edge,
                linewidth=1.1 if label.ringed else 0.7,
                alpha=None if label.filled else 0.92,
            )
        )
        self.sheet.write(
            box.middle,
            box.top + box.height / 2,
            label.words,
            fontsize=SMALL,
            ha="center",
            va="center_baseline",
            color="white" if label.filled else TEXT,
            fontweight="bold" if _bold(label) else "normal",
        )


def _beyond(along: Doubles, width: float) -> Doubles:
    """Return the step from the end of a line to the middle of words that begin there."""
    reach = np.array([width / 2 + 3, _HIGH / 2 + 3])
    size = float(np.max(np.abs(along) / reach))
    step: Doubles = along / (size or 1.0)
    return step


def _bold(label: PlacedLabel) -> bool:
    return label.filled or label.ringed
