"""What makes an evaluation fast, each beside the plain way of doing the same, in one run.

``uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_evaluation.py``

Smooth random faces of 92 × 112 pixels, ten of each person, seed 0 (``EVALUATION_FACES`` says how
many), in ten folds. Both ways run in turn; the figures are medians of processor time. What comes
out must be the same to the last bit.

Whole evaluations are timed on pictures made of the sample, as many (``EVALUATION_LFW=1``: pairs as
LFW has them, of 7701), once: random faces need most components for 95 % of their variance, which
real ones do not.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from time import perf_counter, process_time
from unittest.mock import patch

import numpy as np
import pytest
from made_up import many_people, pairs_of
from numpy.typing import NDArray
from scipy.fft import idctn

from eigenfaces import FaceSet, Preparation, Recipe, Setting
from eigenfaces.cli.repeat import repetition
from eigenfaces.evaluation.evaluate import evaluate, make_split
from eigenfaces.evaluation.measuring import Split
from eigenfaces.evaluation.protocols import Fold, KFold
from eigenfaces.evaluation.records import Record, Source
from eigenfaces.evaluation.searches import Spaces
from eigenfaces.space.folds import RefittedFolds
from eigenfaces.space.one_thread import one_thread

FACES = int(os.environ.get("EVALUATION_FACES", "1000"))
EACH, SHAPE, RUNS = 10, (112, 92), 3


def smooth(rng: np.random.Generator, strength: float) -> NDArray[np.float64]:
    """Return a picture of few waves, the long ones strongest."""
    waves = np.zeros(SHAPE)
    down, right = np.meshgrid(np.arange(16), np.arange(16), indexing="ij")
    waves[:16, :16] = rng.standard_normal((16, 16)) / (1 + down + right) ** 1.2
    return idctn(waves, norm="ortho") * strength


@pytest.fixture(scope="module")
def split() -> Split:
    rng = np.random.default_rng(0)
    mean, images = smooth(rng, 900), []
    for _ in range(FACES // EACH):
        person = mean + smooth(rng, 700)
        for _ in range(EACH):
            image = 128 + person + smooth(rng, 550) + rng.normal(0, 18, SHAPE)
            images.append(np.clip(image, 0, 255) / 255)
    names = [f"Person {row // EACH:04}" for row in range(len(images))]
    faces = FaceSet.from_arrays(np.array(images), names)
    return make_split(faces, Setting(Recipe(), KFold(10), allow_leaks=True))


def beside(what: str, plain: Callable[[], object], ours: Callable[[], object]) -> float:
    """Run both in turn, print their median processor times and return the ratio."""
    times: list[list[float]] = [[], []]
    for _ in range(RUNS):
        for way, spent in zip((plain, ours), times, strict=True):
            start = process_time()
            way()
            spent.append(process_time() - start)
    old, new = (float(np.median(each)) for each in times)
    print(f"\n  {what}, {FACES} faces: {old:.2f} s plainly, {new:.2f} s; {old / new:.1f} times")
    return old / new


def test_all_folds_from_one_gram_matrix(split: Split) -> None:
    """Beside a fit of each fold to its own pixels."""
    recipe, features = Recipe(), split.faces.pixels

    def fitted(folds: Spaces) -> None:
        for fold in split.folds:
            folds.fit(fold.train, every_k=False)

    def refitted() -> None:
        again = RefittedFolds(
            features, lambda rows: recipe.features.fit(features[rows], (), split.faces.shape)
        )
        fitted(replace(Spaces.of(split.faces, recipe), folds=again))

    ratio = beside("ten spaces", refitted, lambda: fitted(Spaces.of(split.faces, recipe)))
    assert ratio > 1.5


@pytest.mark.parametrize("wanted", [300, 0.95])
def test_the_leading_components_of_a_fold(wanted: int | float) -> None:
    """Beside all of them."""
    faces = many_people(FACES, min(400, FACES // EACH), SHAPE)
    recipe, rows = Recipe.of(components=wanted), np.arange(0, FACES - FACES // 10)
    spaces, found = Spaces.of(faces, recipe), {}
    spaces.prepare([Fold(rows, rows, rows)])

    def fitted(every_k: bool) -> None:
        found[every_k] = spaces.fit(rows, every_k=every_k)

    beside(f"components for {wanted}", lambda: fitted(True), lambda: fitted(False))
    k = found[False].coordinates.shape[1]
    print(f"  {k} components of {len(found[True])}")
    few = min(k, 10)  # of which no two are nearly alike
    ours, plain = (np.abs(found[every].coordinates[:, :few]) for every in (False, True))
    np.testing.assert_allclose(ours, plain, atol=1e-6 * plain.max())
    np.testing.assert_allclose(found[False].variances[:k], found[True].variances[:k], rtol=1e-6)


@pytest.mark.parametrize("curves", [False, True])
def test_ten_folds_of_pictures_made_of_the_sample(curves: bool) -> None:
    faces = many_people(FACES, min(400, FACES // EACH), SHAPE)
    setting = Setting(Recipe(), KFold(10), allow_leaks=True, curves=curves)
    start = process_time()
    with one_thread():
        evaluate(faces, setting)
    print(f"\n  ten folds, {FACES} faces, curves {curves}: {process_time() - start:.1f} s")


@pytest.mark.skipif("EVALUATION_LFW" not in os.environ, reason="takes about two minutes")
@pytest.mark.parametrize("shape", [(50, 50), SHAPE])
def test_pairs_like_those_of_lfw(shape: tuple[int, int]) -> None:
    faces = many_people(7701, 400, shape)
    setting = Setting(Recipe(), pairs_of(faces), allow_leaks=True, curves=False)
    start = process_time()
    with one_thread():
        evaluate(faces, setting)
    print(f"\n  ten sets of 600 pairs of 7701 faces of {shape}: {process_time() - start:.1f} s")


@pytest.mark.parametrize("curves", [False, True])
def test_all_of_it_on_one_core_and_on_two(curves: bool) -> None:
    faces = many_people(FACES, min(400, FACES // EACH), SHAPE)
    setting = Setting(Recipe(), KFold(10), allow_leaks=True, curves=curves)
    records, told = [], []
    for count in (1, 2):
        start, spent = perf_counter(), sum(os.times()[:4])
        with patch("eigenfaces.evaluation.processes._PAYS", np.inf if count == 1 else 0):
            done = evaluate(faces, setting)
        wall, spent = perf_counter() - start, sum(os.times()[:4]) - spent
        told.append(f"{wall:.1f} s in {count}, {spent:.1f} s of processor time")
        records.append(Record(done, Preparation(*SHAPE), Source("folder")))
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg())
    print(f"\n  ten folds, {FACES} faces, curves {curves}: {'; '.join(told)}; load {load}")
    assert repetition(*records)["same"]
