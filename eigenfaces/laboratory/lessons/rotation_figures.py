"""The figures of the lesson of rotation: points or pictures, turned, cut and put back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from eigenfaces.laboratory.drawing import (
    CurvesPanel,
    Dots,
    DrawnCurve,
    MatrixPanel,
    Panel,
    PicturesPanel,
    PlanePanel,
    Share,
    SharesPanel,
    SpacePanel,
    Strokes,
)
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.lessons.subjects import Cloud, Subject
from eigenfaces.laboratory.lessons.turning import Components
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.text import count, percent

_SHOWN = 3
_MOST_POINTS = 2000
_MOST_CELLS = 120
"""As many coordinates of a picture are drawn; those that follow are smaller still."""
_MARGIN = 1.08
_ROUNDING = 1e-12
_TITLES = ("1 · The points", "2 · Turned", "3 · Cut", "4 · Put back")


@dataclass(frozen=True, eq=False, kw_only=True)
class FourStages:
    """Components, the first k of which stay; ``axes`` (d, r) of the second figure.

    ``share``: how far these are turned. Of the points, (m, d) are ``shown``, about the mean, with
    their ``coordinates`` (m, r).
    """

    found: Components
    shown: Doubles
    coordinates: Doubles
    k: int
    axes: Doubles
    share: float

    @property
    def seen(self) -> Doubles:
        """(m, r) what is shown, in the axes as far as they are turned."""
        return self.coordinates if self.axes is self.found.u else self.shown @ self.axes

    @property
    def cut(self) -> Doubles:
        """(m, r) the first k coordinates, and 0 for the others."""
        return np.where(np.arange(self.coordinates.shape[1]) < self.k, self.coordinates, 0.0)

    @property
    def put_back(self) -> Doubles:
        """(m, d) what the first k coordinates say, about the mean."""
        made: Doubles = self.coordinates[:, : self.k] @ self.found.u[:, : self.k].T
        return made


def rows_shown(subject: Subject, x: Doubles) -> Doubles:
    """Return the points that are shown, or a few pictures, the first of all among them."""
    if isinstance(subject, Cloud):
        return x[:_MOST_POINTS]
    return x[:: max(1, len(x) // _SHOWN)][:_SHOWN]


def of_points(subject: Cloud, stages: FourStages) -> tuple[tuple[Panel, ...], ...]:
    """Return the four figures of points in two or three dimensions."""
    found, d = stages.found, stages.found.x.shape[1]
    shown, turned, seen = stages.shown, stages.coordinates, stages.seen
    back = stages.put_back
    sides: Numbers = (turned[:, 0] < 0).astype(np.intp)
    spread = 2 * np.sqrt(found.variances)
    arrows = (found.u * spread).T
    new = tuple(f"u{'₁₂₃'[number]}" for number in range(d))
    span = _span(shown, seen, turned)
    rests = Strokes(start=shown, end=back, ink="grey", thin=True)
    layers: tuple[tuple[Dots | Strokes, ...], ...] = (
        (
            Dots(at=shown, labels=sides, small=True, movable=True, origin=found.mean),
            _arrows(arrows),
        ),
        (Dots(at=seen, labels=sides, small=True), _arrows(arrows @ stages.axes)),
        (Dots(at=turned, ink="faint", small=True), Dots(at=stages.cut, labels=sides, small=True)),
        (Dots(at=shown, ink="faint", small=True), rests, Dots(at=back, labels=sides, small=True)),
    )
    names = (subject.columns, new, new, subject.columns)
    captions = ("x, minus the mean", _turn(stages, d), _first(stages.k, d), _back(stages.k))
    panels = [
        _figure(title, caption, layer, (name, span))
        for title, caption, layer, name in zip(_TITLES, captions, layers, names, strict=True)
    ]
    return (tuple(panels),)


def _arrows(ends: Doubles) -> Strokes:
    return Strokes(start=np.zeros_like(ends), end=ends, ink="good", arrow=True)


def _figure(
    title: str,
    caption: str,
    layers: tuple[Dots | Strokes, ...],
    frame: tuple[tuple[str, ...], tuple[tuple[float, float], tuple[float, float]]],
) -> Panel:
    names, span = frame
    if len(names) == 2:
        return PlanePanel(title=title, caption=caption, layers=layers, span=span)
    axes = (names[0], names[1], names[2])
    return SpacePanel(title=title, caption=caption, layers=layers, axes=axes)


def _span(*points: Doubles) -> tuple[tuple[float, float], tuple[float, float]]:
    reach = _MARGIN * max(float(np.abs(each[:, :2]).max()) for each in points)
    return (-reach, reach), (-reach, reach)


def _turn(stages: FourStages, d: int) -> str:
    if d == 2:
        u = stages.found.u
        angle = stages.share * np.degrees(np.arctan2(u[1, 0], u[0, 0]))
        return f"Uᵀx, by {angle:.0f}°".replace("-", "−")
    return "Uᵀx" if stages.share == 1 else f"Uᵀx, {percent(stages.share, 0)} of it"


def _first(k: int, d: int) -> str:
    if k == 0:
        return "no axis kept"
    return f"{k} of {count(d, 'axis', 'axes')} kept"


def _back(k: int) -> str:
    return "0: the mean" if k == 0 else "UUᵀx"


def of_pictures(subject: ImageSet, stages: FourStages) -> tuple[tuple[Panel, ...], ...]:
    """Return the four figures of a few pictures: as pictures, and as their coordinates."""
    d = stages.shown.shape[1]
    captions = (
        "x, minus the mean",
        _turn(stages, d),
        f"{count(stages.k, 'number')} kept",
        _back(stages.k),
    )
    height, width = subject.shape[:2]
    grids = [_grid(each[:, :_MOST_CELLS], height / width) for each in (stages.seen, stages.cut)]
    as_pictures = [each.reshape(-1, *subject.shape) for each in (stages.shown, stages.put_back)]
    pictures = (as_pictures[0], *grids, as_pictures[1])
    limit = float(np.abs(as_pictures[0]).max())
    return (
        tuple(
            _pictures(title, caption, each, most)
            for title, caption, each, most in zip(
                ("1 · The pictures", *_TITLES[1:]),
                captions,
                pictures,
                (limit, 0.0, 0.0, limit),
                strict=True,
            )
        ),
    )


def _pictures(title: str, caption: str, pictures: Doubles, limit: float) -> PicturesPanel:
    """Return coordinates in colour; pictures in grey about zero, all of them to one limit."""
    if limit:
        pictures = np.clip(0.5 + pictures / (2 * limit), 0, 1)
    return PicturesPanel(
        title=title, caption=caption, pictures=pictures, across=1, signed=not limit
    )


def _grid(coordinates: Doubles, steep: float) -> Doubles:
    """Return coordinates (n, r) row by row in grids (n, h, w) of about the shape of a picture."""
    count = coordinates.shape[1]
    across = max(1, round(float(np.sqrt(count / steep))))
    rows = -(-count // across)
    return np.pad(coordinates, ((0, 0), (0, rows * across - count))).reshape(-1, rows, across)


def shares(kept: float, error: float) -> SharesPanel:
    """Return the bar of what is kept and what is lost."""
    both = kept + error
    return SharesPanel(
        parts=(
            Share(words=f"Kept {kept:.2f} · {percent(kept / both, 0)}", value=kept, ink="main"),
            Share(
                words=f"Lost {error:.2f} · {percent(error / both, 0)}", value=error, ink="contrast"
            ),
        ),
        whole=f"together {both:.2f}: the total variance",
    )


def spreads(stages: FourStages) -> tuple[Panel, ...]:
    """Return the covariances of the points, and of the turned ones."""
    x = stages.found.x
    turned = x @ stages.axes
    both = np.stack([each.T @ each / len(x) for each in (x, turned)])
    most = float(np.abs(both).max())
    before, after = np.where(np.abs(both) < _ROUNDING * most, 0.0, both)
    return tuple(
        MatrixPanel(title=title, values=values, numbers=True, most=most)
        for title, values in (
            ("of the points", before),
            ("of the turned points", after),
        )
    )


def over_k(found: Components, k: int) -> tuple[Panel, ...]:
    """Return the share that is kept, over k."""
    kept = np.concatenate([[0], np.cumsum(found.variances)[: found.rank]]) / found.variances.sum()
    curve = DrawnCurve(name="variance kept", x=np.arange(len(kept), dtype=float), y=kept)
    return (
        CurvesPanel(
            curves=(curve,),
            x="components kept, k",
            y="variance kept",
            percent=True,
            mark=(float(k), f"k = {k}: {percent(float(kept[k]))}"),
        ),
    )
