"""Whole frames of the Yale faces: is the face found, and what is alignment worth?"""

import numpy as np
from measuring import ENROLLED, Method, Rows, counted, shares_right, spread, yale

from eigenfaces import DISTANCES, Preparation
from eigenfaces.faces.detect import expected_eyes, main_face
from eigenfaces.faces.read import FaceReading, map_photos, read_face
from eigenfaces.photographs.decode import decode, read_bytes
from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Floats

NEAR, SIZE, TILT = 0.5, 0.15, 10.0
"""A face is right if its eyes lie within 0.5 eye distances of the person's median place, within
15 % (as a logarithm) of the median size, and within 10° of level; also looked at by eye."""


def right(eyes: list[Eyes | None], people: list[str]) -> list[bool]:
    """Say of each photograph whether its most certain face is where the person's faces are."""
    nowhere = (np.nan,) * 4
    places = np.array(
        [(e.middle.real, e.middle.imag, e.distance, e.angle) if e else nowhere for e in eyes]
    )
    verdicts, names = [], np.array(people)
    for (x, y, size, angle), person in zip(places.tolist(), people, strict=True):
        left, top, usual, _ = np.nanmedian(places[names == person], axis=0)
        near = np.hypot(x - left, y - top) <= NEAR * usual
        verdicts.append(bool(near and abs(np.log(size / usual)) <= SIZE and abs(angle) <= TILT))
    return verdicts


def nearest(distance: str) -> Method:
    """Return the nearest neighbour among the pixels themselves."""

    def answer(gallery: Floats, people: Rows, probes: Floats) -> Rows:
        return people[DISTANCES[distance](probes, gallery, np.ones(1)).argmin(axis=1)]

    return answer


def test_faces_are_found_and_named() -> None:
    """Without alignment: cut by the detector's box, the eyes where they lie in it on average."""
    photos = yale()
    looks = map_photos(lambda photo: read_face(photo, Preparation()), photos)
    readings = [look for look in looks if isinstance(look, FaceReading)]
    faces = [max(r.faces, key=lambda face: face.score, default=None) for r in readings]
    people, n = [str(photo.person) for photo in photos], len(photos)
    aligned = [face and face.eyes for face in faces]
    verdicts = right(aligned, people)
    taken = [main_face(reading.faces) is not None for reading in readings]
    by_itself = [t and r for t, r in zip(taken, verdicts, strict=True)]
    print(f"\nYale, whole frames, {n} different pictures of {len(set(people))} people")
    print(f"  a face is found:                  {counted(sum(map(bool, aligned)), n)}")
    print(f"  and the most certain one right:   {counted(sum(verdicts), n)}")
    print(f"  taken without asking, and right:  {counted(sum(by_itself), n)}")
    assert n == 155
    assert sum(verdicts) >= 0.98 * n
    preparation = Preparation()
    print(
        f"{ENROLLED} a person enrolled, {n - ENROLLED * 15} probes, seeds 0 to 9, per cent right:"
    )
    by_box = [face and expected_eyes(face.box, face.detector) for face in faces]
    for kind, places in (("aligned", aligned), ("by box", by_box)):
        pixels = np.full((n, preparation.height * preparation.width), np.nan, np.float32)
        for row, (photo, eyes) in enumerate(zip(photos, places, strict=True)):
            if eyes is not None:
                pixels[row] = preparation.crop(decode(read_bytes(photo.path)).grey, eyes).ravel()
        for distance in ("L2", "cosine"):
            shares = shares_right(pixels, people, nearest(distance))
            print(f"  {kind}, {distance}: {spread(shares)}")
