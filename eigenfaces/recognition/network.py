"""Network: faces are compared by what the network says of them, in a gallery or without one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from eigenfaces.errors import PhotoError, Tick, no_tick, part_of
from eigenfaces.faces import network
from eigenfaces.faces.detect import find_faces, main_face
from eigenfaces.faces.face_set import FaceSet, crop_hash
from eigenfaces.faces.identity import FacePhoto
from eigenfaces.faces.network import DESCRIPTORS, chip
from eigenfaces.faces.prepare import standard_eyes
from eigenfaces.faces.read import Picture, map_photos, middle_face
from eigenfaces.photographs.decode import content_hash, read_bytes
from eigenfaces.recognition.features import Features, Shape
from eigenfaces.recognition.limits import general_limit
from eigenfaces.space.arrays import Bytes, Doubles, Flags, Floats
from eigenfaces.space.pca import as_levels


@dataclass(frozen=True)
class NetworkFeatures(Features):
    """128 numbers of a face: see `eigenfaces.faces.network`. Nothing is learnt from a gallery.

    Their principal coordinates have all 128 axes, however few faces there are.
    """

    NAME: ClassVar[str] = "Network"
    AT_ONCE: ClassVar[int] = 512  # described together, by several processes
    PRETRAINED: ClassVar[bool] = True
    PERSON_SCATTER: ClassVar[float] = 0.08

    def of(self, pixels: Floats, shape: Shape, tick: Tick = no_tick) -> Floats:
        """Return the numbers (n, 128) of faces, by their photographs or else crops (n, d)."""
        return self._described(pixels, shape, {}, tick)

    def _described(
        self, pixels: Floats, shape: Shape, chips: Mapping[str, Bytes], tick: Tick
    ) -> Floats:
        """Return the numbers (n, 128) of faces; ``chips``: of some of them, by `crop_hash`."""
        hashes = [crop_hash(crop) for crop in pixels]

        def chip_of(place: int) -> Bytes:
            chip = chips.get(hashes[place])
            return _chip_of(pixels[place].reshape(shape)) if chip is None else chip

        return DESCRIPTORS.of(hashes, chip_of, tick)

    def read_photographs(self, faces: FaceSet, tick: Tick = no_tick) -> None:
        """Describe faces by their photographs, as far as these still are where they were."""
        photos = faces.index.photos
        described = DESCRIPTORS.known(photo.crop for photo in photos)
        rows = [row for row, photo in enumerate(photos) if photo.crop not in described]
        rows.sort(key=lambda row: not DESCRIPTORS.has(photos[row].crop))  # set aside: first
        starts = range(0, len(rows), self.AT_ONCE)
        for number, start in enumerate(starts):
            some = rows[start : start + self.AT_ONCE]
            step = part_of(tick, number, len(starts))
            new = [photos[row] for row in some if not DESCRIPTORS.has(photos[row].crop)]
            looked_at = map_photos(_chip_on, new, part_of(step, 0, 2)) if new else ()
            chips = {
                photo.crop: chip
                for photo, chip in zip(new, looked_at, strict=True)
                if chip is not None and not isinstance(chip, PhotoError)
            }
            self._described(faces.pixels[some], faces.shape, chips, part_of(step, 1, 2))

    def no_faces(self, crops: Floats) -> Flags:
        """Return which of crops (m, h, w) are no faces: see `network.is_no_face`."""
        numbers = self.of(crops.reshape(len(crops), -1), (crops.shape[1], crops.shape[2]))
        return np.array([network.is_no_face(face) for face in numbers], bool)

    def contribution_map(self, parts: Doubles, shape: Shape) -> None:
        """Return nothing: these numbers lie nowhere on a face."""


def _chip_on(photo: FacePhoto) -> Bytes | None:
    """Return what the network looks at of a face on its photograph, if the file is as it was."""
    if (eyes := photo.placement.eyes) is None:
        return None
    content = read_bytes(photo.path)
    if content_hash(content) != photo.id.sha:
        return None
    picture = Picture(content, photo.photograph.turned)
    return picture.chip(eyes, exact=photo.placement.source == "by hand")


def _chip_of(crop: Floats) -> Bytes:
    """Return what the network looks at of a crop (h, w): of the face that is found in it."""
    face = main_face(find_faces(crop))
    eyes = standard_eyes(crop.shape) if face is None else face.eyes
    colours = np.repeat(as_levels(crop)[..., None], 3, axis=-1)
    return chip(colours, eyes, exact=face is None)


@dataclass(frozen=True)
class SamePerson:
    """How far the faces on two photographs are from each other, as `same_person` returns it.

    Attributes
    ----------
    distance
        Between the 128 numbers that the network gives for each face, by L2: 0 or more.
    limit
        The distance up to which they count as one person, so that 1 in 100 pairs of strangers does.
    by_middle
        The photographs on which the face nearest the middle is meant, as it is unclear which.

    Examples
    --------
    >>> SamePerson(0.35, limit=0.5).same, SamePerson(0.62, limit=0.5).same
    (True, False)
    """

    distance: float
    limit: float = general_limit(0.01)
    by_middle: tuple[Path, ...] = ()

    @property
    def same(self) -> bool:
        """Whether they are of the same person."""
        return self.distance <= self.limit


def same_person(first: Path | str, second: Path | str) -> SamePerson:
    """Return how far the faces on two photographs are from each other, and whether they are one.

    Of several faces the most prominent one is meant. Where none is, the one nearest the middle is,
    and ``by_middle`` of the result says so. No gallery is needed.

    Parameters
    ----------
    first
        A photograph.
    second
        Another photograph.

    Returns
    -------
    SamePerson
        Their distance, and the limit within which they count as one person.

    Raises
    ------
    PhotoError
        A photograph cannot be read or shows no face: its path, and the reason.
    EigenfacesError
        The files of the network are not installed.

    Examples
    --------
    >>> from eigenfaces import same_person
    >>> same_person("Ada 1.jpg", "Ada 2.jpg").same  # doctest: +SKIP
    True
    >>> same_person("not there.jpg", "Ada 2.jpg")
    Traceback (most recent call last):
    eigenfaces.errors.PhotoError: “not there.jpg”: ...
    """
    chips = []
    by_middle = list[Path]()
    for path in map(Path, (first, second)):
        try:
            picture = Picture(read_bytes(path))
            faces = picture.upright_faces()
            if not faces:
                raise PhotoError("No face was found in it.", "no face")
            face = main_face(faces)
            if face is None:
                face = faces[middle_face(faces, picture.size)]
                by_middle.append(path)
        except PhotoError as error:
            raise PhotoError(f"“{path}”: {error}", error.kind) from None
        chips.append(picture.chip(face.eyes))
    one, other = network.describe(chips)
    distance = float(np.linalg.norm(one.astype(np.float64) - other))
    return SamePerson(distance, by_middle=tuple(by_middle))
