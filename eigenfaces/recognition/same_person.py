"""Whether two photographs are of the same person, without a gallery."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from eigenfaces.errors import PhotoError
from eigenfaces.faces import network
from eigenfaces.faces.detect import main_face
from eigenfaces.faces.read import LYING, SEVERAL_FACES, Picture
from eigenfaces.photographs.decode import read_bytes
from eigenfaces.recognition.calibration import USUAL_SHARE
from eigenfaces.space.arrays import Bytes


@dataclass(frozen=True)
class SamePerson:
    """How far the faces on two photographs are from each other, by `faces.network`."""

    distance: float
    limit: float = network.limit(USUAL_SHARE)

    @property
    def same(self) -> bool:
        """Whether they are of the same person."""
        return self.distance <= self.limit


def same_person(first: Path | str, second: Path | str) -> SamePerson:
    """Compare the faces on two photographs.

    Parameters
    ----------
    first, second
        Photographs with a face each; of several faces the most prominent one is meant.

    Raises
    ------
    PhotoError
        A photograph cannot be read, there is no face on it, or several may be meant.
    EigenfacesError
        The files of the network are not installed.
    """
    one, other = network.describe([_chip_on(Path(photo)) for photo in (first, second)])
    return SamePerson(float(np.linalg.norm(one.astype(np.float64) - other)))


def _chip_on(photo: Path) -> Bytes:
    try:
        picture = Picture(read_bytes(photo))
        faces = picture.faces()
        meant = main_face(faces)
        if meant is None:
            if not faces:
                none = "No face was found in it."
                raise PhotoError(LYING.get(picture.lying(), none), "no face")
            raise PhotoError(SEVERAL_FACES.format(len(faces)), "several faces")
    except PhotoError as error:
        raise PhotoError(f"“{photo}”: {error}", error.kind) from None
    return picture.chip(meant.eyes)
