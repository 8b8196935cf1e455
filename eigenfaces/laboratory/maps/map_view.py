"""A view of a map: places, names and colours of all faces, and of what else has a place there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from eigenfaces.faces.photo_index import PhotoIndex
from eigenfaces.laboratory.maps.face_map import FaceMap
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import Probe
from eigenfaces.space.arrays import Doubles, Numbers


@dataclass(frozen=True, eq=False)
class MapView:
    """n faces, then m probes, along two or three axes.

    ``places`` (n + m, v): not a number for faces that are not on the map; ``index`` of the n
    photographs; ``others``: key and name of the probes; ``groups`` (n,): the number of the person,
    −1 nobody; ``titles`` of the axes; ``measured``: whether lengths along the axes mean something.
    """

    places: Doubles
    index: PhotoIndex
    others: tuple[tuple[str, str], ...]
    groups: Numbers
    titles: tuple[str, ...]
    measured: bool

    @property
    def faces(self) -> int:
        """How many faces there are, n."""
        return len(self.groups)

    def key_of(self, number: int) -> str:
        """Return the key of a face or a probe."""
        if number < self.faces:
            return self.index.photos[number].key
        return self.others[number - self.faces][0]

    def name_of(self, number: int) -> str:
        """Return what a face is called: “Person 16, photo 1”."""
        if number >= self.faces:
            return self.others[number - self.faces][1]
        person = self.index.photos[number].person
        place = bisect_left(self.index.rows_by_person[person], number)
        return f"{person or 'Nobody named'}, photo {place + 1}"

    def number_of(self, key: str) -> int | None:
        """Return the number of a face or a probe; None where it has no place here."""
        # A probe that is in the gallery too is that face.
        row = self.index.row_of(key)
        if row is not None:
            return row if np.isfinite(self.places[row]).all() else None
        keys = (self.faces + at for at, (other, _) in enumerate(self.others) if other == key)
        return next(keys, None)


def view_of(
    found: FaceMap, axes: Sequence[int], gallery: Gallery, probes: Sequence[Probe]
) -> MapView:
    """Return the view of a map: all faces, then the probes, where they have a place."""
    groups = np.full(len(gallery.faces), -1)
    for number, name in enumerate(gallery.people):
        groups[gallery.index.rows_by_person[name]] = number
    places, others = found.view(axes), []
    if found.locate is not None and probes:
        pixels = np.stack([probe.image.ravel() for probe in probes])
        at = found.view(axes, found.locate(pixels).coordinates)
        places = np.concatenate([places, at])
        others = [(probe.photo.key, probe_name(probe)) for probe in probes]
    measured = found.shares is not None
    titles = [found.axis(axis) + (", in σ" if measured else "") for axis in axes]
    return MapView(places, gallery.index, tuple(others), groups, tuple(titles), measured)


def probe_name(probe: Probe) -> str:
    """Return what a probe is called: its file, and the number of its face where it has several."""
    path = probe.photo.path
    stem = f"{path.parent.name}/{path.stem}" if path.stem.isdecimal() else path.stem
    return stem if probe.faces < 2 else f"{stem}, face {probe.number}"
