"""A view of a map: places, names and colours of all faces, and of what else has a place there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eigenfaces.arrays import Doubles, Numbers
from eigenfaces.laboratory.maps.face_map import FaceMap, Located
from eigenfaces.laboratory.synthesis import SyntheticFace
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import Probe


@dataclass(frozen=True, eq=False)
class MapView:
    """n faces, then m probes, then s synthetic faces, along two or three axes.

    ``places`` (n + m + s, v); ``names`` and ``keys`` of all; ``groups`` (n,): the number of the
    person, −1 nobody; ``titles`` of the axes; ``measured``: whether lengths along the axes mean
    something; ``synthetic``: s.
    """

    places: Doubles
    names: tuple[str, ...]
    keys: tuple[str, ...]
    groups: Numbers
    titles: tuple[str, ...]
    measured: bool
    synthetic: int = 0

    @property
    def first_synthetic(self) -> int:
        """The number of the first synthetic face, n + m."""
        return len(self.places) - self.synthetic

    @property
    def faces(self) -> int:
        """How many faces there are, n."""
        return len(self.groups)

    def number_of(self, key: str) -> int | None:
        """Return the number of a face or a probe; None where it has no place here."""
        return self._numbers.get(key)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        # A probe that is in the gallery too is that face.
        return {key: number for number, key in reversed(list(enumerate(self.keys)))}


def view_of(
    found: FaceMap,
    axes: Sequence[int],
    gallery: Gallery,
    probes: Sequence[Probe],
    synthetic: Mapping[str, SyntheticFace] | None = None,
) -> MapView:
    """Return the view of a map: all faces, then the probes, where they have a place.

    At last the ``synthetic`` faces by name, which is also their key: along components.
    """
    photos = gallery.index.photos
    numbers = {name: number for number, name in enumerate(gallery.people)}
    groups = [numbers.get(photo.person or "", -1) for photo in photos]
    places, keys = found.view(axes), [photo.key for photo in photos]
    if found.locate is not None and probes:
        pixels = np.stack([probe.image.ravel() for probe in probes])
        at = found.view(axes, found.locate(pixels).coordinates)
        places = np.concatenate([places, at])
        keys += [probe.photo.key for probe in probes]
    names = [*names_of(gallery), *(probe_name(probe) for probe in probes)][: len(places)]
    made = synthetic if synthetic and found.place is not None else {}
    for name, face in made.items():
        there = place_of(found, face)
        assert there is not None
        places = np.concatenate([places, found.view(axes, there.coordinates)])
        names.append(name)
        keys.append(name)
    measured = found.shares is not None
    titles = [found.axis(axis) + (", in σ" if measured else "") for axis in axes]
    return MapView(
        places,
        tuple(names),
        tuple(keys),
        np.array(groups, np.intp),
        tuple(titles),
        measured,
        len(made),
    )


def place_of(found: FaceMap, face: SyntheticFace) -> Located | None:
    """Return where a synthetic face lies: at 0 along the components that it does not have.

    None on a map whose axes are not components.
    """
    if found.place is None:
        return None
    coordinates = np.zeros((1, found.coordinates.shape[1]))
    coordinates[0, : len(face.coordinates)] = face.coordinates
    return found.place(coordinates)


def names_of(gallery: Gallery) -> list[str]:
    """Return what each face is called: “Person 16, photo 1”."""
    counted: Counter[str] = Counter()
    names = []
    for photo in gallery.index.photos:
        person = photo.person or "Nobody named"
        counted[person] += 1
        names.append(f"{person}, photo {counted[person]}")
    return names


def probe_name(probe: Probe) -> str:
    """Return what a probe is called: its file, and the number of its face where it has several."""
    path = probe.photo.path
    stem = f"{path.parent.name}/{path.stem}" if path.stem.isdecimal() else path.stem
    return stem if probe.faces < 2 else f"{stem}, face {probe.number}"
