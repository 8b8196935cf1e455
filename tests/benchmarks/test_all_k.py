"""Accuracy for every number of components at once, beside refitting for each: ten folds, AT&T.

``uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_all_k.py``

Naively, for every k and every fold a face space is fitted to the fold and cut to k components, the
faces are projected and the five distances taken. All of it would take ten minutes or more: every
tenth k is measured, and stands for ten.
"""

from time import perf_counter

import numpy as np
import pytest

from eigenfaces import DISTANCES, FaceSpace, Recipe, Setting, load_sample
from eigenfaces.evaluation.by_components import FIVE, ByComponents, of_fold, summed_up
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.run import Split, make_split
from eigenfaces.evaluation.searches import Spaces

WARM_RUNS = 5
EVERY = 10

RECIPE, PROTOCOL = Recipe.of(components=1.0), KFold(10, seed=0)


@pytest.fixture(scope="module")
def split() -> Split:
    return make_split(load_sample(), Setting(RECIPE, PROTOCOL))


def all_at_once(split: Split) -> ByComponents:
    """Do what an evaluation does for its curves, from the pixels on."""
    spaces = Spaces.of(split.faces, RECIPE)
    folds = [
        of_fold(spaces.fit(f.train), f, split.people, RECIPE.matcher, FIVE) for f in split.folds
    ]
    return summed_up(folds, split.count)


def refitted(split: Split, k: int) -> dict[str, float]:
    """Return the accuracy by each distance in k components, all folds fitted anew."""
    right = dict.fromkeys(FIVE, 0)
    pixels = split.faces.pixels[:]
    for fold in split.folds:
        space = FaceSpace.fit(pixels[fold.train], split.faces.shape).first(k)
        gallery, probes = space.project(pixels[fold.gallery]), space.project(pixels[fold.probes])
        for name in FIVE:
            nearest = DISTANCES[name](probes, gallery, space.variances).argmin(axis=1)
            answers = split.people[fold.gallery[nearest]]
            right[name] += int((answers == split.people[fold.probes]).sum())
    return {name: count / len(split.people) for name, count in right.items()}


def test_every_k_at_once(split: Split) -> None:
    times = []
    for _ in range(1 + WARM_RUNS):
        start = perf_counter()
        curves = all_at_once(split)
        times.append(perf_counter() - start)
    ours = float(np.median(times[1:]))
    some = range(EVERY, len(curves) + 1, EVERY)
    refitted(split, some[0])  # warm
    start = perf_counter()
    naive = {k: refitted(split, k) for k in some}
    anew = perf_counter() - start
    scaled = anew * len(curves) / len(some)
    print(
        f"\nAT&T, {PROTOCOL.words()}, seed {PROTOCOL.seed}, k = 1 … {len(curves)}, five distances"
    )
    print(f"  all at once: {ours:.2f} s, median of {WARM_RUNS} warm runs")
    print(f"  refitted: {anew:.1f} s for {len(some)} of them, {scaled:.0f} s for all:", end=" ")
    print(f"{scaled / ours:.0f} times as long")
    for k, accuracy in naive.items():
        for name, share in accuracy.items():
            assert curves.accuracy[name][k - 1] == pytest.approx(share, abs=1e-12), (name, k)
    assert scaled / ours >= 20
