"""What the benchmarks share: photographs, random splits, times, and figures with their spread."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from scipy.stats import binomtest

from eigenfaces import find_photos, load_sample
from eigenfaces.photographs.decode import content_hash, decode, read_bytes
from eigenfaces.photographs.find import Photo
from eigenfaces.space.arrays import Floats

Result = TypeVar("Result")
Rows = NDArray[np.intp]
Method = Callable[[Floats, Rows, Floats], Rows]
"""From enrolled crops (n, d), their people (n,) and probes (m, d) to the people answered (m,)."""

ENROLLED = 5
"""Photographs of each person that are enrolled, where nothing else is said."""


def draws(usual: int) -> range:
    """Return the seeds of the draws: ``EIGENFACES_DRAWS`` of them, where fewer are wanted."""
    return range(min(usual, int(os.environ.get("EIGENFACES_DRAWS", usual))))


def folder(name: str) -> Path:
    """Return the folder of a set of photographs, or skip the test where it is not said."""
    variable = f"EIGENFACES_{name.upper()}"
    if variable not in os.environ:
        pytest.skip(f"Set {variable} to the folder of the {name} photographs to get this figure.")
    return Path(os.environ[variable])


def yale() -> list[Photo]:
    """Return the Yale photographs, of those with the same pixels the first."""
    first: dict[str, Photo] = {}
    for photo in find_photos(folder("yale")).photos:
        first.setdefault(content_hash(decode(read_bytes(photo.path)).grey.tobytes()), photo)
    return list(first.values())


def many_faces(count: int, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Return faces made of the sample, (count, h · w) in grey levels: turned, shifted, noisy.

    Each has its own light, so that no two are alike; the first ones do not depend on the count.
    """
    height, width = shape
    sample = [
        Image.fromarray(face).resize((width, height), Image.Resampling.BICUBIC)
        for face in load_sample().levels.astype(np.uint8).reshape(-1, 112, 92)
    ]
    rng, scale = np.random.default_rng(1), height / 112
    made = np.empty((count, height * width), np.uint8)
    for row in range(count):
        face = sample[row % len(sample)]
        if rng.random() < 0.5:
            face = face.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        shift = tuple(rng.normal(0, 2 * scale, 2))
        face = face.rotate(rng.normal(0, 4), Image.Resampling.BILINEAR, translate=shift)
        grey = np.asarray(face, np.float32) * np.float32(np.exp(rng.normal(0, 0.2)))
        noise = rng.standard_normal(grey.shape, np.float32)
        made[row] = np.clip(grey + rng.normal(0, 8) + 3 * noise, 0, 255).ravel()
    return made


def members_and_strangers(
    people: Sequence[str], members: int, seed: int, photos: int = ENROLLED
) -> tuple[Rows, Rows, Rows]:
    """Draw some people; return the rows of them to enrol, their others, and those of strangers."""
    rng, names = np.random.default_rng(seed), np.array(people)
    drawn = rng.permutation(list(dict.fromkeys(people)))[:members]
    own = [rng.permutation(np.flatnonzero(names == name)) for name in drawn]
    enrolled, others = (
        np.concatenate([rows[part] for rows in own])
        for part in (slice(photos), slice(photos, None))
    )
    return enrolled, others, np.flatnonzero(~np.isin(names, drawn))


def splits(people: Sequence[str], count: int = ENROLLED) -> Iterator[tuple[Rows, Rows]]:
    """Yield for each seed the rows to enrol, ``count`` of everybody at random, and the others."""
    names = np.array(people)
    for seed in draws(10):
        rng = np.random.default_rng(seed)
        enrolled = np.concatenate(
            [rng.permutation(np.flatnonzero(names == name))[:count] for name in np.unique(names)]
        )
        yield enrolled, np.setdiff1d(np.arange(len(names)), enrolled)


def shares_right(pixels: Floats, people: Sequence[str], method: Method) -> NDArray[np.float64]:
    """Return the percentage of probes that get their right name, for each split.

    A row that is not a number has no face: it cannot be enrolled, and counts as a wrong probe.
    """
    numbers = np.unique(people, return_inverse=True)[1]
    cropped = ~np.isnan(pixels[:, 0])
    shares = []
    for enrolled, probes in splits(people):
        gallery, queries = enrolled[cropped[enrolled]], probes[cropped[probes]]
        answers = method(pixels[gallery], numbers[gallery], pixels[queries])
        shares.append(100 * float((answers == numbers[queries]).sum()) / len(probes))
    return np.array(shares)


def timed(step: Callable[[], Result]) -> tuple[float, Result]:
    """Return the seconds that a step takes, and what it returns."""
    start = perf_counter()
    result = step()
    return perf_counter() - start, result


def median_ms(step: Callable[[], object], rounds: int) -> float:
    """Return the median milliseconds of a step, over some rounds after one that does not count."""
    return 1000 * float(np.median([timed(step)[0] for _ in range(rounds + 1)][1:]))


def spread(values: object) -> str:
    """Return mean ± standard deviation, and the range."""
    array = np.asarray(values, float)
    deviation = array.std(ddof=1) if array.size > 1 else 0.0
    return f"{array.mean():.2f} ± {deviation:.2f} ({array.min():.2f} to {array.max():.2f})"


def counted(right: int, n: int) -> str:
    """Return a count in words, with Wilson's 95 % interval of its share."""
    interval = binomtest(right, n).proportion_ci(method="wilson")
    low, high = 100 * interval.low, 100 * interval.high
    return f"{right} of {n} = {100 * right / n:.1f} % (Wilson {low:.1f} to {high:.1f})"
