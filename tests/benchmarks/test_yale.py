"""Whole frames of the Yale faces: is the face found, and what is alignment worth?

``EIGENFACES_YALE=… uv run --group dev pytest tests/benchmarks/test_yale.py -o addopts="" -s``
"""

from dataclasses import dataclass
from operator import attrgetter

import numpy as np
import pytest
from folders import different_photos, folder
from PIL import Image
from splits import Method, by_opencv, counted, in_face_space, in_pixels, shares_right, spread

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
    """Photographs, and what the program saw in each."""

    photos: list[Photo]
    readings: list[FaceReading]

    @property
    def faces(self) -> list[FoundFace | None]:
        """The most certain face of each photograph."""
        by_score = attrgetter("score")
        return [max(each.faces, key=by_score, default=None) for each in self.readings]

    @property
    def first(self) -> list[Eyes | None]:
        """Their eyes."""
        return [face and face.eyes for face in self.faces]

    @property
    def boxes(self) -> list[Eyes | None]:
        """Where the alignment of each of these started."""
        return [face and start(face.box, face.detector) for face in self.faces]

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
    usual = {}
    for person in set(of.people):
        own = [e for e, p in zip(of.first, of.people, strict=True) if e is not None and p == person]
        seen = [(e.middle.real, e.middle.imag, e.distance) for e in own]
        usual[person] = np.median(seen, axis=0)
    verdicts = []
    for eyes, person in zip(of.first, of.people, strict=True):
        x, y, size = usual[person]
        verdicts.append(
            eyes is not None
            and abs(eyes.middle - complex(x, y)) <= NEAR * size
            and abs(np.log(eyes.distance / size)) <= SIZE
            and abs(eyes.angle) <= TILT
        )
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
    print(f"  a face is found:                  {counted(sum(map(bool, yale.first)), n)}")
    print(f"  and the most certain one right:   {counted(sum(verdicts), n)}")
    print(f"  taken without asking, and right:  {counted(sum(by_itself), n)}")
    print(f"  offered as doubtful:              {sum(each.doubtful for each in yale.readings)}")
    for each, fine, alone in zip(yale.readings, verdicts, taken, strict=True):
        if not (fine and alone):
            state = "right, but several to choose from" if fine else "wrong or not found"
            print(f"  {each.photo.path.name}: {state}")
    assert n == 155
    assert sum(verdicts) >= 0.98 * n


def test_contact_sheet(yale: Looks, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Save all crops, row by row, to be judged by eye."""
    height, width = Preparation().shape
    faces = np.nan_to_num(crops(yale, yale.first)).reshape(-1, height, width)
    blank = np.zeros((-len(faces) % 16, height, width), np.float32)
    rows = np.concatenate([faces, blank]).reshape(-1, 16, height, width)
    sheet = rows.transpose(0, 2, 1, 3).reshape(-1, 16 * width)
    path = tmp_path_factory.mktemp("yale") / "crops.png"
    Image.fromarray(np.rint(sheet * 255).astype(np.uint8)).save(path)
    print(f"\nAll crops: {path}")


METHODS: dict[str, Method] = {
    "pixels, L2": in_pixels("L2"),
    "pixels, cosine": in_pixels("cosine"),
    "PCA 95 %, L2": in_face_space("L2", 0.95),
    "PCA 95 %, cosine": in_face_space("cosine", 0.95),
    "PCA all, cosine": in_face_space("cosine"),
    **{f"OpenCV {kind}": by_opencv(kind, (112, 92)) for kind in ("EigenFace", "FisherFace")},
    "OpenCV LBPH": by_opencv("LBPHFace", (112, 92)),
}


def test_names(yale: Looks) -> None:
    """Without alignment: cut by the detector's box, the eyes where they lie in it on average."""
    aligned = crops(yale, yale.first)
    kinds = {"aligned": aligned, "by box": crops(yale, yale.boxes)}
    missing = int(np.isnan(aligned[:, 0]).sum())
    print(f"\nYale, {EACH} a person enrolled, {len(aligned) - EACH * 15} probes, seeds 0 to 9;")
    print(f"{missing} without a face, a wrong answer each. Per cent right, mean ± sd (range):")
    for name, method in METHODS.items():
        lines = (
            f"{kind} {spread(shares_right(pixels, yale.people, EACH, method))}"
            for kind, pixels in kinds.items()
        )
        print(f"  {name:18}", "   ".join(lines))
