"""The curves of an evaluation: under way as when done, and thinned without a change of shape."""

import numpy as np
import pytest

from eigenfaces import FaceSet, Recipe
from eigenfaces.evaluation.curves import (
    MOST_POINTS,
    curves_of,
    thinned_rates,
)
from eigenfaces.evaluation.metrics import error_rates
from eigenfaces.evaluation.protocols import LeaveOneOut, OpenSet
from eigenfaces.evaluation.records import Setting
from eigenfaces.evaluation.run import evaluate
from tests.synthetic import people


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    return people(np.random.default_rng(2), 6, 4, spread=0.28)


@pytest.mark.parametrize("protocol", [LeaveOneOut(), OpenSet(2, repetitions=3)])
def test_what_grows_ends_as_what_is_done(faces, protocol):
    partials = []
    setting = Setting(Recipe.of(components=0.9), protocol)
    whole = curves_of(evaluate(faces, setting, watch=partials.append))
    total = partials[0].total
    assert [(each.done, each.total) for each in partials] == [(i + 1, total) for i in range(total)]
    early, *_, growing = map(curves_of, partials)
    assert early.accuracy.keys() == growing.accuracy.keys() == whole.accuracy.keys()
    for name in whole.accuracy:
        np.testing.assert_array_equal(growing.accuracy[name].y, whole.accuracy[name].y)
    np.testing.assert_array_equal(growing.match.y, whole.match.y)
    np.testing.assert_array_equal(growing.rates.y, whole.rates.y)
    np.testing.assert_array_equal(growing.confusion, whole.confusion)
    assert (growing.detection is None) == (whole.detection is None)


def test_thinned_rates_keep_the_ends_and_lie_on_the_curve(faces):
    rng = np.random.default_rng(0)
    mated = rng.random(20_000) < 0.1
    distances = rng.normal(np.where(mated, 0, 1.5), 1)
    rates = error_rates(distances, mated)
    curve = thinned_rates(rates)
    assert len(curve.x) <= MOST_POINTS
    assert (curve.x[0], curve.y[0], curve.x[-1], curve.y[-1]) == (0, 1, 1, 0)
    assert set(zip(curve.x, curve.y, strict=True)) <= set(zip(rates.fmr, rates.fnmr, strict=True))
    middle = np.interp(np.linspace(0, 1, 200), curve.x, curve.y)
    assert np.abs(middle - np.interp(np.linspace(0, 1, 200), rates.fmr, rates.fnmr)).max() < 0.01
