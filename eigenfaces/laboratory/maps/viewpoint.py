"""From where a map is looked at: middle and zoom, and in three dimensions how it is turned."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from eigenfaces.laboratory.maps.plane import turned
from eigenfaces.space.arrays import Doubles

_YAW, _PITCH = -0.5, 0.35  # radians, at first
_ROOM = 0.06  # of the range, around the outermost faces
_ZOOM = (0.5, 400.0)


@dataclass
class Viewpoint:
    """The middle and half of what is seen, both (2,); the zoom, and the turn in radians."""

    middle: Doubles = field(default_factory=lambda: np.zeros(2))
    half: Doubles = field(default_factory=lambda: np.ones(2))
    zoom: float = 1.0
    yaw: float = _YAW
    pitch: float = _PITCH
    centre: Doubles = field(default_factory=lambda: np.zeros(3))

    def fit(self, places: Doubles) -> None:
        """Look at all places (n, v) that are numbers."""
        low, high = np.nanmin(places, axis=0), np.nanmax(places, axis=0)
        self.zoom = 1.0
        if places.shape[1] == 3:
            self.centre = (low + high) / 2
            radius = np.sqrt(np.nanmax(((places - self.centre) ** 2).sum(axis=1))) or 1.0
            self.middle, self.half = np.zeros(2), np.full(2, (1 + 2 * _ROOM) * radius)
        else:
            self.middle = (low + high) / 2
            self.half = np.maximum((high - low) / 2, 1e-9) * (1 + 2 * _ROOM)

    def flat(self, places: Doubles) -> tuple[Doubles, Doubles]:
        """Return places (n, v) as seen: (n, 2), and how near each is to the viewer, (n,)."""
        if places.shape[1] == 2:
            return places, np.zeros(len(places))
        seen = turned(places - self.centre, self.yaw, self.pitch)
        return seen[:, :2], seen[:, 2]

    def ranges(self, width: float, height: float, equal: bool) -> tuple[Doubles, Doubles]:
        """Return from where to where the two axes of a plot of this size run."""
        half = self.half / self.zoom
        if equal:  # a step across is as long as a step up
            unit = max(half[0] / max(width, 1), half[1] / max(height, 1))
            half = unit * np.array([max(width, 1), max(height, 1)])
        return self.middle - half, self.middle + half

    def zoom_by(self, factor: float, towards: Doubles) -> None:
        """Zoom in or out; what lies at a place (2,) stays there."""
        before = self.zoom
        self.zoom = float(np.clip(before * factor, *_ZOOM))
        self.middle = towards + (self.middle - towards) * before / self.zoom

    def orbit(self, across: float, up: float) -> None:
        """Turn by radians; never over the top."""
        self.yaw += across
        self.pitch = float(np.clip(self.pitch + up, -np.pi / 2, np.pi / 2))
