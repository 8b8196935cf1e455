"""Random splits into a gallery and probes, what nearest neighbours make of them, and intervals."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binomtest

from eigenfaces import DISTANCES, FaceSpace
from eigenfaces.space.arrays import Floats

Rows = NDArray[np.intp]
Method = Callable[[Floats, Rows, Floats], Rows]
"""From enrolled crops (n, d), their people (n,) and probes (m, d) to the people answered (m,)."""

SEEDS = range(10)


def splits(people: Sequence[str], count: int) -> Iterator[tuple[Rows, Rows]]:
    """Yield for each seed the rows to enrol, ``count`` of everybody at random, and the others."""
    names = np.array(people)
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        enrolled = np.concatenate(
            [rng.permutation(np.flatnonzero(names == name))[:count] for name in np.unique(names)]
        )
        yield enrolled, np.setdiff1d(np.arange(len(names)), enrolled)


def shares_right(
    pixels: Floats, people: Sequence[str], count: int, method: Method
) -> NDArray[np.float64]:
    """Return the percentage of probes that get their right name, for each split.

    A row that is not a number has no face: it cannot be enrolled, and counts as a wrong probe.
    """
    numbers = np.unique(people, return_inverse=True)[1]
    cropped = ~np.isnan(pixels[:, 0])
    shares = []
    for enrolled, probes in splits(people, count):
        gallery, queries = enrolled[cropped[enrolled]], probes[cropped[probes]]
        answers = method(pixels[gallery], numbers[gallery], pixels[queries])
        shares.append(100 * float((answers == numbers[queries]).sum()) / len(probes))
    return np.array(shares)


def in_pixels(distance: str) -> Method:
    """Return the nearest neighbour among the pixels themselves."""

    def answer(gallery: Floats, people: Rows, probes: Floats) -> Rows:
        return people[DISTANCES[distance](probes, gallery, np.ones(1)).argmin(axis=1)]

    return answer


def in_face_space(distance: str) -> Method:
    """Return the nearest neighbour in the face space of the enrolled faces, all components."""

    def answer(gallery: Floats, people: Rows, probes: Floats) -> Rows:
        space = FaceSpace.fit(gallery, (1, gallery.shape[1]))
        coordinates = space.project(probes), space.project(gallery)
        return people[DISTANCES[distance](*coordinates, space.variances).argmin(axis=1)]

    return answer


def by_opencv(kind: str, shape: tuple[int, int]) -> Method:
    """Return a recogniser of OpenCV (``EigenFace``, ``FisherFace``, ``LBPHFace``), as it comes."""
    import cv2

    def levels(pixels: Floats) -> list[NDArray[np.uint8]]:
        return list(np.rint(pixels * 255).astype(np.uint8).reshape(-1, *shape))

    def answer(gallery: Floats, people: Rows, probes: Floats) -> Rows:
        recogniser = getattr(cv2.face, f"{kind}Recognizer_create")()
        recogniser.train(levels(gallery), people.astype(np.int32))
        return np.array([recogniser.predict(probe)[0] for probe in levels(probes)])

    return answer


def spread(shares: NDArray[np.float64]) -> str:
    """Return mean ± standard deviation over the splits, and their range, in per cent."""
    return (
        f"{shares.mean():.1f} ± {shares.std(ddof=1):.1f} ({shares.min():.1f} to {shares.max():.1f})"
    )


def counted(right: int, n: int) -> str:
    """Return a count in words, with Wilson's 95 % interval of its share."""
    interval = binomtest(right, n).proportion_ci(method="wilson")
    low, high = 100 * interval.low, 100 * interval.high
    return f"{right} of {n} = {100 * right / n:.1f} % (Wilson {low:.1f} to {high:.1f})"
