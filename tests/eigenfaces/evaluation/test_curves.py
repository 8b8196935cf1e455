"""The curves of an evaluation: under way as when done, and thinned without a change of shape."""

import numpy as np

from eigenfaces.evaluation.curves import (
    MOST_POINTS,
    thinned_rates,
)
from eigenfaces.evaluation.metrics import error_rates


def test_thinned_rates_keep_the_ends_and_lie_on_the_curve() -> None:
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
