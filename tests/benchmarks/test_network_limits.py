"""Names and strangers by Network, in galleries of N people with m photographs of each.

N people are drawn who have more than m photographs (or m, if those are too few), m of each are
enrolled, their others asked, and up to two of everybody else. Press: a folder a person in
``people``, and one photograph each of others in ``strangers``; London: a folder a person. The
sample, ready crops in grey, shows what a network of photographs is not made for.
"""

from collections.abc import Iterator

import numpy as np
import pytest
from measuring import Rows, draws, folder
from numpy.typing import NDArray

from eigenfaces import FaceSet, Gallery, Preparation, Recipe, identify_all, load_faces, load_sample
from eigenfaces.photographs.find import FoundPhotos, Photo
from eigenfaces.recognition.limits import USUAL_SHARE

SEEDS = draws(10)
SIZES = {
    "press": ((5, 4), (10, 2), (12, 8)),
    "press london": ((5, 4), (10, 2), (12, 8), (5, 1), (20, 1), (60, 1), (100, 1)),
    "sample": ((5, 4), (10, 2), (19, 5), (20, 5), (30, 5)),
}


def read(sets: str) -> FaceSet:
    if sets == "sample":
        return load_sample()
    found = list[Photo]()
    for path in (path for name in sets.split() for path in sorted(folder(name).rglob("*.jpg"))):
        alone = path.parent.name == "strangers"
        found.append(Photo(path, path.stem if alone else path.parent.name))
    return load_faces(FoundPhotos(tuple(found)), Preparation(), guess=True)


def draw(who: NDArray[np.str_], people: int, photos: int, seed: int) -> tuple[Rows, Rows, Rows]:
    """Return the rows to enrol, their others, and those of strangers."""
    rng = np.random.default_rng(seed)
    names, counts = np.unique(who, return_counts=True)
    least = photos + (np.count_nonzero(counts > photos) >= people)
    drawn = rng.choice(names[counts >= least], people, replace=False)
    rows = {name: rng.permutation(np.flatnonzero(who == name)) for name in names}
    enrolled = np.concatenate([rows[name][:photos] for name in drawn])
    others = np.concatenate([rows[name][photos:] for name in drawn])
    strangers = np.concatenate([rows[name][:2] for name in names if name not in drawn])
    return enrolled, others, strangers


def asked(gallery: Gallery, faces: FaceSet, who: NDArray[np.str_], rows: Rows) -> Iterator[object]:
    """Yield of each face: its kind, whether it is named, and rightly, and the probability."""
    for verdict, row in zip(identify_all(gallery, faces.pixels[rows]), rows, strict=True):
        decision = verdict.decision
        right = decision.nearest[0] == who[row]
        sure = np.nan if decision.probability is None else decision.probability
        yield decision.kind, decision.person is not None, right, sure, 0.5 / len(rows)


@pytest.mark.parametrize("sets", SIZES)
def test_names_and_strangers(sets: str) -> None:
    faces = read(sets)
    who = np.array([str(photo.person) for photo in faces.index.photos])
    cropped = Preparation(already_cropped=sets == "sample")
    print(f"\n{sets}: {len(faces)} faces of {len(set(who))} people, seeds {SEEDS}, 1 % asked; in %")
    for people, photos in SIZES[sets]:
        members, strangers = list[object](), list[object]()
        spoke = 0
        for seed in SEEDS:
            rows, own, new = draw(who, people, photos, seed)
            some = faces.select(np.sort(rows))
            gallery = Gallery(some, cropped, Recipe.of("Network")).train().calibrate()
            assert gallery.calibrated is not None
            spoke += gallery.calibrated.strangers.speak(USUAL_SHARE)
            members += asked(gallery, faces, who, own)
            strangers += asked(gallery, faces, who, new)
        kind, named, right, sure, weight = map(np.array, zip(*members, *strangers, strict=True))
        member = np.arange(len(kind)) < len(members)
        known = np.isfinite(sure)  # a probability is said of it; half of all are strangers
        bins = np.minimum((10 * sure[known]).astype(int), 9)
        error = (
            np.abs(np.bincount(bins, (weight * (sure - right))[known])).sum() / weight[known].sum()
        )
        words = [f"{people} × {photos}: right {100 * (named & right)[member].mean():.1f}"]
        words += [f"wrong {100 * (named & ~right)[member].mean():.2f}"]
        words += [f"strangers named {100 * named[~member].mean():.2f}"]
        for word in ("sure", "likely", "perhaps"):
            those = weight * (kind == word)
            rightly = f"{100 * those @ right / those.sum():.0f}" if those.any() else "–"
            words += [f"{word}: {np.count_nonzero(those)}, right {rightly}"]
        print(", ".join(words), f"; error {error:.3f}; own people decide in {spoke}")
