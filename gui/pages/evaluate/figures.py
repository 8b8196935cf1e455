"""The tiles: the figures that come first, each with its interval and what it was counted on."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QFrame, QWidget

from eigenfaces.evaluation.curves import Curves
from eigenfaces.evaluation.metrics import FigureKind
from eigenfaces.evaluation.records import Evaluation
from eigenfaces.evaluation.result_words import (
    interval_words,
    missing_words,
    mistakes_made,
)
from eigenfaces.text import percent
from gui.style import theme
from gui.widgets.boxes import STRETCH, in_column
from gui.widgets.flow import Columns
from gui.widgets.words import label

_TILES = 4
_EER = "equal error rate (EER)"


@dataclass(frozen=True)
class Words:
    """What one tile says; ``value`` is empty where there is no figure, only a reason."""

    name: str
    value: str
    interval: str
    note: str


class FigureTile(QFrame):
    """One figure: its value, its interval, its name and what it was counted on."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "card")
        pad = theme.CARD_PADDING
        self.value = label("", "figure")
        self.interval = label("", "caption", wrap=True)
        self.name = label("", "strong", wrap=True)
        self.note = label("", "caption", wrap=True)
        parts = (self.value, self.name, self.interval, self.note, STRETCH)
        in_column(*parts, inside=self, spacing=1, margins=(pad, pad - 5, pad, pad - 4))

    def show_words(self, words: Words) -> None:
        """Show another figure, or why there is none."""
        self.value.setText(words.value)
        self.value.setVisible(bool(words.value))
        self.name.setText(words.name)
        self.interval.setText(words.interval)
        self.interval.setVisible(bool(words.interval))
        self.note.setText(words.note)
        self.note.setVisible(bool(words.note))


class Tiles(QWidget):
    """Four tiles side by side, fewer where there is no room."""

    def __init__(self) -> None:
        super().__init__()
        self.tiles = [FigureTile() for _ in range(_TILES)]
        Columns((4, 2, 1), 150, self).add(*self.tiles)

    def show_run(self, evaluation: Evaluation, other: Evaluation | None = None) -> None:
        """Show the figures of a run; beside another one, with both values and the difference."""
        ours = tile_words(evaluation)
        if other is not None:
            ours = [_beside(kind, evaluation, other) for kind in tile_kinds(evaluation)]
            ours.append(_mistakes_beside(evaluation, other))
        for tile, words in zip(self.tiles, ours, strict=True):
            tile.show_words(words)

    def show_growing(self, curves: Curves, progress: tuple[int, int]) -> None:
        """Show what there is of a run under way, without intervals."""
        for tile, words in zip(self.tiles, growing_words(curves, progress), strict=True):
            tile.show_words(words)


def tile_kinds(evaluation: Evaluation) -> tuple[FigureKind, FigureKind, FigureKind]:
    """Return the figures that come first for this kind of protocol."""
    if evaluation.pairs is not None:
        return "pair accuracy", "EER", "TAR at FAR 1 %"
    if evaluation.figure("FPIR reached") is not None:
        return "rank-1", "DIR reached", "FPIR reached"
    searches = evaluation.searches
    strangers = searches is not None and not searches.mated.all()
    return "rank-1", "DIR at FPIR 1 %" if strangers else "rank-5", "EER"


def tile_words(evaluation: Evaluation) -> list[Words]:
    """Return what the four tiles say of a finished run."""
    return [
        *(_figure_words(kind, evaluation) for kind in tile_kinds(evaluation)),
        _mistake_words(evaluation),
    ]


def _figure_words(kind: FigureKind, evaluation: Evaluation) -> Words:
    figure = evaluation.figure(kind)
    if figure is None:
        return Words(_called(kind), "", missing_words(kind, evaluation), "")
    return Words(_called(kind), percent(figure.value), interval_words(figure), figure.note)


def _called(kind: FigureKind) -> str:
    return _EER if kind == "EER" else kind


def _mistake_words(evaluation: Evaluation) -> Words:
    made = mistakes_made(evaluation)
    if made is None:
        return Words("mistakes", "", missing_words("pair accuracy", evaluation), "")
    wrong, of = made
    what = "searches" if evaluation.pairs is None else "pairs"
    figure = evaluation.headline
    limits = ""
    if figure is not None:
        low, high = ((1 - each) * of for each in (figure.high, figure.low))
        limits = f"{low:.0f} to {high:.0f}, {figure.by}"
    return Words("mistakes", f"{wrong:,}", limits, f"of {of:,} {what}")


def _beside(kind: FigureKind, ours: Evaluation, theirs: Evaluation) -> Words:
    first, second = ours.figure(kind), theirs.figure(kind)
    if first is None or second is None:
        which = "this run" if first is None else "the other"
        reason = missing_words(kind, ours if first is None else theirs)
        known = first or second
        value = "" if known is None else percent(known.value)
        return Words(_called(kind), value, f"Not in {which}: {reason}", "")
    # Without the last bits, which would round 1.25 elsewhere than the sentence on the difference.
    points = round(100 * (first.value - second.value), 9)
    return Words(
        f"{kind}: {_signed(points)} points",
        percent(first.value),
        f"this: {interval_words(first)}",
        f"other: {percent(second.value)} ({100 * second.low:.1f} to {100 * second.high:.1f})",
    )


def _mistakes_beside(ours: Evaluation, theirs: Evaluation) -> Words:
    first, second = mistakes_made(ours), mistakes_made(theirs)
    if first is None or second is None:
        return _mistake_words(ours)
    name = f"mistakes: {first[0] - second[0]:+d}".replace("-", "−")
    return Words(
        name,
        f"{first[0]:,}",
        f"this: of {first[1]:,}",
        f"other: {second[0]:,} of {second[1]:,}",
    )


def _signed(points: float) -> str:
    return f"{points:+.1f}".replace("-", "−").replace("+0.0", "±0.0").replace("−0.0", "±0.0")


def growing_words(curves: Curves, progress: tuple[int, int]) -> list[Words]:
    """Return what the tiles say while a run is under way."""
    done, total = progress
    so_far = f"so far, {done:,} of {total:,} folds"
    wait = Words("", "", "The first fold is being searched.", "")
    if curves.match is None or curves.confusion is None:
        names = ("rank-1", "rank-5", _EER, "mistakes")
        return [Words(name, "", wait.interval, "") for name in names]
    share, of = curves.match.y, int(curves.confusion.sum())
    wrong = of - int(curves.confusion.trace())
    rank5 = percent(float(share[min(4, len(share) - 1)]))
    middle = Words("rank-5", rank5, so_far, "")
    if curves.detection is not None:
        near = curves.detection.x <= 0.01
        named = 1 - float(curves.detection.y[near].min(initial=1.0))
        middle = Words("DIR at FPIR 1 %", percent(named), so_far, "")
    rate = Words(_EER, "", "Both kinds of comparisons are needed first.", "")
    if curves.rates is not None:
        both = abs(curves.rates.x - curves.rates.y).argmin()
        equal = (curves.rates.x[both] + curves.rates.y[both]) / 2
        rate = Words(_EER, percent(float(equal)), so_far, "")
    return [
        Words("rank-1", percent(float(share[0])), so_far, ""),
        middle,
        rate,
        Words("mistakes", f"{wrong:,}", so_far, f"of {of:,} searches"),
    ]
