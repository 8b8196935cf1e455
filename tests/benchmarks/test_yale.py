"""Whole frames of the Yale faces: is the face found, and what is alignment worth?

``EIGENFACES_YALE=… uv run --group dev pytest tests/benchmarks/test_yale.py -o addopts="" -s``
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from folders import different_photos, folder
from splits import counted, in_pixels, shares_right, spread

from eigenfaces import Preparation
from eigenfaces.faces.detect import FoundFace, main_face, start
from eigenfaces.faces.read import FaceReading, map_photos, read_face
from eigenfaces.photographs.decode import decode, read_bytes
from eigenfaces.photographs.photos import Eyes, Photo
from eigenfaces.space.arrays import Floats

EACH = 5
"""Photographs of everybody that are enrolled."""

NEAR, SIZE, TILT = 0.5, 0.15, 10.0
"""A face is right if its eyes lie within 0.5 eye distances of the person's median place, within
15 % (as a logarithm) of the median size, and within 10° of level; also looked at by eye."""


@dataclass(frozen=True, eq=False)
class Looks:
    """Photographs, what the program saw in each, and the eyes of the most certain face."""

    photos: list[Photo]
    readings: list[FaceReading]

    def eyes(self, of: Callable[[FoundFace], Eyes] = lambda face: face.eyes) -> list[Eyes | None]:
        """Return the eyes, or what else each face says of where they are."""
        faces = [max(r.faces, key=lambda face: face.score, default=None) for r in self.readings]
        return [face and of(face) for face in faces]

    @property
    def people(self) -> list[str]:
        return [str(photo.person) for photo in self.photos]


@pytest.fixture(scope="module")
def yale() -> Looks:
    photos = different_photos(folder("yale"))
    looks = map_photos(lambda photo: read_face(photo, Preparation()), photos)
    return Looks(photos, [look for look in looks if isinstance(look, FaceReading)])


def right(of: Looks) -> list[bool]:
    """Say of each photograph whether its most certain face is where the person's faces are."""
    people, verdicts = np.array(of.people), []
    places = np.array(
        [
            (e.middle.real, e.middle.imag, e.distance, e.angle) if e else (np.nan,) * 4
            for e in of.eyes()
        ]
    )
    for (x, y, size, angle), person in zip(places.tolist(), of.people, strict=True):
        left, top, usual, _ = np.nanmedian(places[people == person], axis=0)
        near = np.hypot(x - left, y - top) <= NEAR * usual
        verdicts.append(bool(near and abs(np.log(size / usual)) <= SIZE and abs(angle) <= TILT))
    return verdicts


def crops(of: Looks, eyes: list[Eyes | None]) -> Floats:
    """Cut the faces, (n, d); not a number where there are no eyes."""
    preparation = Preparation()
    rows = np.full((len(eyes), preparation.height * preparation.width), np.nan, np.float32)
    for row, (photo, where) in enumerate(zip(of.photos, eyes, strict=True)):
        if where is not None:
            rows[row] = preparation.crop(decode(read_bytes(photo.path)).grey, where).ravel()
    return rows


def test_a_face_is_found_and_the_first_choice_right(yale: Looks) -> None:
    verdicts, n = right(yale), len(yale.photos)
    taken = [main_face(each.faces) is not None for each in yale.readings]
    by_itself = [t and r for t, r in zip(taken, verdicts, strict=True)]
    print(f"\nYale, whole frames, {n} different pictures of {len(set(yale.people))} people")
    print(f"  a face is found:                  {counted(sum(map(bool, yale.eyes())), n)}")
    print(f"  and the most certain one right:   {counted(sum(verdicts), n)}")
    print(f"  taken without asking, and right:  {counted(sum(by_itself), n)}")
    print(f"  offered as doubtful:              {sum(each.doubtful for each in yale.readings)}")
    assert n == 155
    assert sum(verdicts) >= 0.98 * n


def test_names(yale: Looks) -> None:
    """Without alignment: cut by the detector's box, the eyes where they lie in it on average."""
    aligned = crops(yale, yale.eyes())
    kinds = {
        "aligned": aligned,
        "by box": crops(yale, yale.eyes(lambda face: start(face.box, face.detector))),
    }
    missing = int(np.isnan(aligned[:, 0]).sum())
    print(f"\nYale, {EACH} a person enrolled, {len(aligned) - EACH * 15} probes, seeds 0 to 9;")
    print(f"{missing} without a face, a wrong answer each. Per cent right, mean ± sd (range):")
    for name, method in {d: in_pixels(d) for d in ("L2", "cosine")}.items():
        lines = (
            f"{kind} {spread(shares_right(pixels, yale.people, EACH, method))}"
            for kind, pixels in kinds.items()
        )
        print(f"  {name:18}", "   ".join(lines))
