"""The Network recipe: compare faces by their descriptors, with or without a gallery."""

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
    """Descriptors of 128 numbers; see `eigenfaces.faces.network`. Nothing is fitted to a gallery.

    The principal coordinates keep all 128 axes, however few faces there are.
    """

    NAME: ClassVar[str] = "Network"
    PRETRAINED: ClassVar[bool] = True
    PERSON_SCATTER: ClassVar[float] = 0.08

    def of(self, pixels: Floats, shape: Shape) -> Floats:
        """Return descriptors (n, 128) of faces, computed from crops (n, d) unless already known."""
        hashes = [crop_hash(crop) for crop in pixels]
        return DESCRIPTORS.of(hashes, lambda at: _chip_of(pixels[at].reshape(shape)))

    def read_photographs(self, faces: FaceSet, tick: Tick = no_tick) -> None:
        """Compute the descriptors of faces from their photographs, if the files are still there.

        Faces cropped since the program was started already have descriptors.
        """
        photos = faces.index.photos
        described = DESCRIPTORS.known(photo.crop for photo in photos)
        new = [photo for photo in photos if photo.crop not in described]
        for _ in map_photos(_describe_on_photograph, new, tick):
            pass  # if a photograph cannot be read, the crop is described instead

    def no_faces(self, crops: Floats) -> Flags:
        """Return a mask (m,) of crops (m, h, w) that are not faces; see `network.is_no_face`."""
        numbers = self.of(crops.reshape(len(crops), -1), (crops.shape[1], crops.shape[2]))
        return np.array([network.is_no_face(face) for face in numbers], bool)

    def contribution_map(self, parts: Doubles, shape: Shape) -> None:
        """Return None, as the numbers of a descriptor have no position on the face."""


def _describe_on_photograph(photo: FacePhoto) -> None:
    """Compute the descriptor of a face from its photograph, if the file is unchanged."""
    eyes = photo.placement.eyes
    if eyes is None:
        return
    content = read_bytes(photo.path)
    if content_hash(content) == photo.id.sha:
        picture = Picture(content, photo.photograph.turned)
        exact = photo.placement.source == "by hand"
        DESCRIPTORS.of([photo.crop], lambda _: picture.chip(eyes, exact=exact))


def _chip_of(crop: Floats) -> Bytes:
    """Return the network's input for a crop (h, w), aligned with the face found in the crop."""
    face = main_face(find_faces(crop))
    eyes = standard_eyes(crop.shape) if face is None else face.eyes
    colours = np.repeat(as_levels(crop)[..., None], 3, axis=-1)
    return chip(colours, eyes, exact=face is None)


@dataclass(frozen=True)
class SamePerson:
    """The distance between the faces in two photographs, as returned by `same_person`.

    Attributes
    ----------
    distance
        The L2 distance between the 128 numbers that describe each face, 0 or more.
    limit
        The largest distance at which faces count as one person; 1 in 100 pairs of strangers do.
    by_middle
        The photographs in which the face nearest the centre was used, as no face stood out.

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
        """Whether the two faces count as those of one person."""
        return self.distance <= self.limit


def same_person(first: Path | str, second: Path | str) -> SamePerson:
    """Compare the faces in two photographs, and decide whether they show the same person.

    If a photograph shows several faces, the most prominent one is used. If none stands out, the one
    nearest the centre is used, and ``by_middle`` lists the photograph. No gallery is needed.

    Parameters
    ----------
    first
        A photograph.
    second
        Another photograph.

    Returns
    -------
    SamePerson
        The distance, and the limit within which the faces count as one person.

    Raises
    ------
    PhotoError
        A photograph cannot be read or shows no face; the message gives its path and the reason.
    EigenfacesError
        The network's model files are not installed.

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
