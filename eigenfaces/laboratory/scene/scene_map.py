"""The face map of a scene: how far each place, in several sizes, is from a gallery's face space.

M. Turk and A. Pentland, *Eigenfaces for recognition* (1991), call ε(x, y) the face map, and have it
computed by correlations. Theirs is small on a flat wall, too. Here a window is brought to mean 0
and length 1 first, x → (x − x̄) / c with c = ‖x − x̄‖: so ε is relative to the window's contrast,

    ε² = 1 − 2 μᵀx / c + ‖μ‖² − Σᵢ (uᵢᵀx / c − uᵢᵀμ)²

with the mean face μ and the components uᵢ, all of mean 0. Sums and energies of all windows, μᵀx and
each uᵢᵀx are correlations with the whole scene: one spectrum of it, and a product for each. All is
in double precision, and kept in single: brute force, window by window, gives the same to 1e-6.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from eigenfaces.arrays import Doubles, Floats, Numbers
from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.laboratory.scene.window_space import WindowSpace, lit, reduced
from eigenfaces.photographs.placement import Eyes

LONGEST = 800
"""Pixels of the longer side of a scene; a larger photograph is reduced."""

SIZES = 4
"""So many sizes are tried until a face is twice as large."""

NOISE = 3
"""A window shows something if its contrast is so many times the noise of the scene."""

_LEVELS = 2 / 255  # contrast that rounding to whole grey levels alone may have, and some more
_QUARTILE = 0.3186  # of |N(0, 1)|, the lower one
_SEPARATE = 0.5  # widths of the larger window that two places are apart, at least
_REACH = 8  # pixels beside a window that its edges depend on: four σ
_SAME_PLACE, _SAME_SIZE = 0.6, 1.5  # eye distances apart, and times as large, at most


@dataclass(frozen=True, eq=False)
class SizeMap:
    """The windows of one size, at every place of the scene reduced to (r, c).

    Parameters
    ----------
    grey
        (r, c) the reduced scene.
    distances
        (r − h + 1, c − w + 1) the distance *from* face space of the window that begins there, in
        shares of its contrast; NaN where there is none.
    contrasts
        Of the same shape: standard deviation of grey, 0…1.
    """

    grey: Floats
    distances: Floats
    contrasts: Floats


@dataclass(frozen=True)
class Window:
    """One window: the number of its size, its first row and column, and its distance.

    ``eyes`` are where the eyes of a face would lie, ``middle`` is its own, in the photograph, and
    ``width`` its width there; the ``distance`` is NaN where there is no contrast.
    """

    size: int
    row: int
    column: int
    distance: float
    contrast: float
    middle: complex
    width: float
    eyes: Eyes


@dataclass(frozen=True, eq=False)
class SceneMap:
    """Distances *from* a face space all over a photograph of (h, w), smallest faces first.

    ``flat``: the standard deviation of grey below which a window has no contrast.
    """

    space: WindowSpace
    extent: tuple[int, int]
    sizes: tuple[SizeMap, ...]
    flat: float

    def width(self, size: int) -> float:
        """Return how wide the faces of a size are, crop and all, in pixels of the photograph."""
        return self.space.shape[1] * self.extent[1] / self.sizes[size].grey.shape[1]

    def window(self, size: int, row: int, column: int) -> Window:
        """Return what is known of one window."""
        one = self.sizes[size]
        down, across = (a / b for a, b in zip(self.extent, one.grey.shape, strict=True))
        height, width = self.space.shape
        middle = complex((column + width / 2) * across, (row + height / 2) * down)
        off = self.space.eyes.middle - complex(width / 2, height / 2)
        return Window(
            size,
            row,
            column,
            float(one.distances[row, column]),
            float(one.contrasts[row, column]),
            middle,
            width * across,
            Eyes.at(middle + across * off, across * self.space.eyes.across),
        )

    def at(self, point: complex, size: int | None = None) -> Window | None:
        """Return the window around a point of the photograph: of a size, or the nearest to faces.

        None where no window around it lies inside the photograph.
        """
        found = [
            self.window(number, *place)
            for number in ([size] if size is not None else range(len(self.sizes)))
            if (place := self._place(number, point)) is not None
        ]
        return min(found, key=lambda each: _last(each.distance), default=None)

    def over(self, shape: tuple[int, int], size: int | None = None) -> Doubles:
        """Return the distances of the windows around a grid of (rows, columns) over the photograph.

        Of a size, or the smallest of all sizes; NaN where there is none, or no contrast.
        """
        found = np.full(shape, np.nan)
        for number in [size] if size is not None else range(len(self.sizes)):
            rows, columns = (
                self._indices(number, axis, (np.arange(shape[axis]) + 0.5) / shape[axis])
                for axis in (0, 1)
            )
            inside = np.ix_(rows >= 0, columns >= 0)
            values = self.sizes[number].distances[np.ix_(rows[rows >= 0], columns[columns >= 0])]
            found[inside] = np.fmin(found[inside], values)
        return found

    def seen(self, window: Window) -> tuple[Doubles, Doubles]:
        """Return what a window shows, mean 0 and length 1, and the nearest face, both (h, w)."""
        one, (height, width) = self.sizes[window.size], self.space.shape
        row, column = window.row, window.column
        top, left = max(row - _REACH, 0), max(column - _REACH, 0)
        around = one.grey[top : row + height + _REACH, left : column + width + _REACH]
        even = lit(around[None], self.space.light)[0]
        row, column = row - top, column - left
        vector = self.space.vector(even[row : row + height, column : column + width])
        return self.space.expand(vector), self.space.expand(self.space.reconstruct(vector))

    def nearest(self) -> tuple[Window, ...]:
        """Return the places where the face space sees a face: the minima up to the limit.

        Over places and sizes, the nearest first; no two overlap by much.
        """
        found = sorted(self._minima(), key=lambda window: window.distance)
        kept: list[Window] = []
        middles, widths = np.empty(len(found), complex), np.empty(len(found))
        for window in found:
            some = len(kept)
            apart = _SEPARATE * np.maximum(widths[:some], window.width)
            if (np.abs(middles[:some] - window.middle) > apart).all():
                middles[some], widths[some] = window.middle, window.width
                kept.append(window)
        return tuple(kept)

    def _minima(self) -> Iterator[Window]:
        from scipy.ndimage import minimum_filter

        around = tuple(side // 2 | 1 for side in self.space.shape)
        for number, one in enumerate(self.sizes):
            filled = np.nan_to_num(one.distances, nan=np.inf)
            lowest = filled == minimum_filter(filled, around, mode="nearest")
            for row, column in np.argwhere(lowest & (filled <= self.space.limit)).tolist():
                yield self.window(number, row, column)

    def _place(self, size: int, point: complex) -> tuple[int, int] | None:
        """Return row and column of the window of a size around a point, if there is one."""
        at = np.array([point.imag / self.extent[0], point.real / self.extent[1]])
        row, column = (int(self._indices(size, axis, at[axis : axis + 1])[0]) for axis in (0, 1))
        return (row, column) if row >= 0 and column >= 0 else None

    def _indices(self, size: int, axis: int, shares: Doubles) -> Numbers:
        """Return where the windows around some shares of an axis begin; −1 where there is none."""
        one = self.sizes[size]
        first = np.rint(shares * one.grey.shape[axis] - self.space.shape[axis] / 2).astype(np.intp)
        return np.where((first >= 0) & (first < one.distances.shape[axis]), first, -1)


def scene_map(
    grey: Floats,
    space: WindowSpace,
    tick: Tick = no_tick,
    extent: tuple[int, int] | None = None,
) -> SceneMap:
    """Return the face map of a grey photograph (H, W), searched as it is given and smaller.

    ``extent``: (h, w) of the whole photograph, where it was reduced before.

    Raises
    ------
    EigenfacesError
        It is smaller than a window.
    """
    shapes = list(_shapes(grey.shape, space.shape))
    if not shapes:
        height, width = space.shape
        raise EigenfacesError(
            f"This photograph is smaller than the {width} × {height} pixels of a window: use a "
            "larger one."
        )
    flat = max(NOISE * noise(grey), _LEVELS)
    total, done, sizes = sum(map(math.prod, shapes)) * (len(space) + 1), 0, []
    for shape in shapes:
        small = reduced(grey, shape)

        def each(number: int, begun: int = done, area: int = math.prod(shape)) -> None:
            tick(begun + number * area, total)

        sizes.append(_size_map(small, space, flat, each))
        done += math.prod(shape) * (len(space) + 1)
    tick(total, total)
    height, width = extent or grey.shape
    return SceneMap(space, (height, width), tuple(sizes), flat)


def agreement(windows: Sequence[Window], faces: Sequence[Eyes]) -> tuple[int | None, ...]:
    """Return the number of the first window at each face, from 0; None where there is none.

    At a face is a window whose eyes lie at most 0.6 eye distances from its own, and are at most one
    and a half times as far apart, or as near.
    """
    return tuple(
        next((number for number, each in enumerate(windows) if _same(each.eyes, eyes)), None)
        for eyes in faces
    )


def _same(one: Eyes, other: Eyes) -> bool:
    larger, smaller = sorted((one.distance, other.distance), reverse=True)
    near = abs(one.middle - other.middle) <= _SAME_PLACE * other.distance
    return near and larger <= _SAME_SIZE * smaller


def noise(grey: Floats) -> float:
    """Return the standard deviation of the noise of a photograph (H, W), at least roughly.

    From its smoothest quarter, after the operator of J. Immerkær, *Fast noise variance estimation*
    (1996), which leaves nothing of a plane.
    """
    if min(grey.shape) < 3:
        return 0.0
    across = grey[:, :-2] - 2 * grey[:, 1:-1] + grey[:, 2:]
    both = across[:-2] - 2 * across[1:-1] + across[2:]
    return float(np.quantile(np.abs(both), 0.25)) / (6 * _QUARTILE)


def reduced_scene(grey: Floats) -> Floats:
    """Return a photograph, its longer side at most `LONGEST` pixels."""
    share = LONGEST / max(grey.shape)
    if share >= 1:
        return grey
    height, width = (max(1, round(side * share)) for side in grey.shape)
    return reduced(grey, (height, width))


def _shapes(scene: tuple[int, ...], window: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the sizes of the scene, until a window fills it."""
    number = 0
    while True:
        share = 2 ** (-number / SIZES)
        rows, columns = (round(side * share) for side in scene)
        if rows < window[0] or columns < window[1]:
            return
        yield rows, columns
        number += 1


def _size_map(
    grey: Floats, space: WindowSpace, flat: float, tick: Callable[[int], None]
) -> SizeMap:
    """Return the distances of all windows of one size."""
    count, ones = int(space.inside.sum()), space.inside.astype(np.float64)
    plain = grey - grey.mean(dtype=np.float64)
    windows = _Correlation(plain, space.shape)
    squares = _Correlation(plain**2, space.shape).of(ones) - windows.of(ones) ** 2 / count
    contrasts = np.sqrt(np.maximum(squares, 0) / count)
    shown = contrasts > flat
    if space.light != "grey":
        even = lit(grey[None], space.light)[0]
        even -= even.mean()
        windows = _Correlation(even, space.shape)
        squares = _Correlation(even**2, space.shape).of(ones) - windows.of(ones) ** 2 / count
    inverse = np.zeros_like(squares)
    np.divide(1, np.sqrt(np.maximum(squares, 0)), out=inverse, where=shown & (squares > 1e-12))
    tick(0)
    left = 1 - 2 * inverse * windows.of(space.expand(space.mean)) + (space.mean**2).sum()
    for number, component in enumerate(space.components, start=1):
        tick(number)
        along = inverse * windows.of(space.expand(component)) - component @ space.mean
        left -= along**2
    distances = np.where(inverse > 0, np.sqrt(np.maximum(left, 0)), np.nan)
    return SizeMap(grey, distances.astype(np.float32), contrasts.astype(np.float32))


class _Correlation:
    """Products of a picture's windows with others: one spectrum of the picture, kept."""

    def __init__(self, picture: Doubles, shape: tuple[int, int]) -> None:
        from scipy.fft import next_fast_len

        self._shape = tuple(int(next_fast_len(side, real=True)) for side in picture.shape)
        self._valid = tuple(
            slice(side - window + 1) for side, window in zip(picture.shape, shape, strict=True)
        )
        self._spectrum = np.fft.rfft2(picture, self._shape)

    def of(self, window: Doubles) -> Doubles:
        """Return Σ window · picture wherever the window lies inside the picture."""
        spectrum = np.conj(np.fft.rfft2(window, self._shape))
        found: Doubles = np.fft.irfft2(self._spectrum * spectrum, self._shape)
        return found[self._valid]


def _last(distance: float) -> float:
    return math.inf if math.isnan(distance) else distance
