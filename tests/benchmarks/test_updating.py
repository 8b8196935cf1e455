"""Updating a face space beside fitting it anew and beside scikit-learn's IncrementalPCA.

``OPENBLAS_NUM_THREADS=1 uv run --group dev pytest -o addopts="" -s
tests/benchmarks/test_updating.py`` prints the figures: faces of the sample, perturbed (seed 1), of
92 × 112; processor times of one thread, medians of interleaved runs.
"""

from collections.abc import Callable
from copy import deepcopy
from statistics import median
from time import process_time

import numpy as np
import pytest
from synthetic import principal_angles
from test_core import varied

from eigenfaces import FaceSet, FaceSpace, load_sample
from eigenfaces.arrays import Floats
from eigenfaces.space.updating import settled, update

ROUNDS = 3


@pytest.fixture(scope="module")
def att() -> FaceSet:
    return load_sample()


def interleaved(*runs: Callable[[], object]) -> list[float]:
    times: list[list[float]] = [[] for _ in runs]
    for _ in range(ROUNDS):
        for run, taken in zip(runs, times, strict=True):
            begun = process_time()
            run()
            taken.append(process_time() - begun)
    return [median(taken) for taken in times]


def settled_update(before: FaceSpace, faces: Floats, more: int) -> FaceSpace:
    """Update, project every face again, and turn the space: all that a gallery does."""
    space, _ = update(before, faces[-more:])
    coordinates = np.concatenate(
        [space.project(faces[start : start + 256]) for start in range(0, len(faces), 256)]
    )
    return settled(space, coordinates)[0]


@pytest.mark.parametrize(("count", "more"), [(400, 40), (2000, 200)])
@pytest.mark.parametrize("k", [100, None])
def test_update(att: FaceSet, count: int, more: int, k: int | None) -> None:
    from sklearn.decomposition import IncrementalPCA

    faces = varied(att, count + more)
    fitted = FaceSpace.fit(faces[:count], att.shape)
    before = fitted if k is None else fitted.first(k)
    first = IncrementalPCA(k).partial_fit(faces[:count]) if k else None
    full = FaceSpace.fit(faces, att.shape)

    def peer() -> IncrementalPCA:
        return deepcopy(first).partial_fit(faces[-more:])

    def ours() -> FaceSpace:
        return settled_update(before, faces, more) if k else update(before, faces[-more:])[0]

    runs = [ours, lambda: FaceSpace.fit(faces, att.shape)] + ([peer] if k else [])
    times = interleaved(*runs)
    space, (bare, updated) = ours(), update(before, faces[-more:])
    print(f"\n{count} + {more} faces, {k or 'all'} components")
    print(f"  time of a full fit ÷ of an update: {times[1] / times[0]:.1f}")
    spaces: dict[str, tuple[Floats, Floats]] = {
        "update": (space.components, space.variances),
        "update, faces not read again": (bare.components, bare.variances),
    }
    if k:
        print(f"  time of IncrementalPCA ÷ of an update: {times[2] / times[0]:.1f}")
        made = peer()
        spaces["IncrementalPCA"] = made.components_, made.explained_variance_
        print(f"  kept: {space.kept[-1]:.4%}, of a full fit {full.kept[k - 1]:.4%}")
        print(f"  said without it: at most {updated.most:.4%}")
        assert space.kept[-1] <= full.kept[k - 1] <= updated.most
    for name, (components, variances) in spaces.items():
        for first_ones in (50, 100):
            some = slice(first_ones)
            angle = np.degrees(principal_angles(full.components[some], components[some]).max())
            error = np.abs(variances[some] / full.variances[some] - 1).max()
            print(f"  {name}, first {first_ones}: {angle:.4f}°, variances to {error:.1e}")
