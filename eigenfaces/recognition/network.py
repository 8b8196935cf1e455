"""Network: faces are compared by what the network says of them, in a gallery or without one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from eigenfaces.errors import PhotoError, Tick, no_tick
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
    PRETRAINED: ClassVar[bool] = True
    PERSON_SCATTER: ClassVar[float] = 0.08

    def of(self, pixels: Floats, shape: Shape) -> Floats:
        """Return the numbers (n, 128) of faces, by their photographs or else crops (n, d)."""
        hashes = [crop_hash(crop) for crop in pixels]
        return DESCRIPTORS.of(hashes, lambda at: _chip_of(pixels[at].reshape(shape)))

    def read_photographs(self, faces: FaceSet, tick: Tick = no_tick) -> None:
        """Describe faces by their photographs, as far as these still are where they were.

        Those that were cut while the program runs are described already.
        """
        photos = faces.index.photos
        described = DESCRIPTORS.known(photo.crop for photo in photos)
        new = [photo for photo in photos if photo.crop not in described]
        for _ in map_photos(_describe_on_photograph, new, tick):
            pass  # one that cannot be read is described by its crop

    def no_faces(self, crops: Floats) -> Flags:
        """Return which of crops (m, h, w) are no faces: see `network.is_no_face`."""
        numbers = self.of(crops.reshape(len(crops), -1), (crops.shape[1], crops.shape[2]))
        return np.array([network.is_no_face(face) for face in numbers], bool)

    def contribution_map(self, parts: Doubles, shape: Shape) -> None:
        """Return nothing: these numbers lie nowhere on a face."""


def _describe_on_photograph(photo: FacePhoto) -> None:
    """Describe a face on its photograph, if the file is as it was."""
    eyes = photo.placement.eyes
    if eyes is None:
        return
    content = read_bytes(photo.path)
    if content_hash(content) == photo.id.sha:
        picture = Picture(content, photo.photograph.turned)
        exact = photo.placement.source == "by hand"
        DESCRIPTORS.of([photo.crop], lambda _: picture.chip(eyes, exact=exact))


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
    described = []
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
        described.append(network.describe([picture.chip(face.eyes)])[0])
    one, other = described
    distance = float(np.linalg.norm(one.astype(np.float64) - other))
    return SamePerson(distance, by_middle=tuple(by_middle))
