"""How certain a name is: a logistic regression, calibrated, and what it does at the edges."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces.recognition.calibration import Certainty, is_rough


class TestCertainty:
    def test_as_scikit_learn_with_equal_weight_of_strangers(self, rng: np.random.Generator) -> None:
        from sklearn.linear_model import LogisticRegression

        seen, strangers = rng.normal(1, 1, (200, 2)), rng.normal(-1, 1, (50, 2))
        right = seen.sum(axis=1) + rng.normal(0, 1, 200) > 0.5
        made = Certainty.fit(seen, right, strangers, rough=False)
        both = (np.concatenate([seen, strangers]) - made.mean) / made.deviation
        weights = np.concatenate([np.full(200, 1 / 200), np.full(50, 1 / 50)]) * 125
        peer = LogisticRegression(C=10, tol=1e-10, max_iter=1000)
        peer.fit(both, np.concatenate([right, np.zeros(50, bool)]), sample_weight=weights)
        expected = peer.predict_proba(both[:200])[:, 1]
        np.testing.assert_allclose(made.probability(*seen.T), expected, atol=1e-5)

    def test_it_is_calibrated_where_the_model_is_true(self, rng: np.random.Generator) -> None:
        def drawn(n: int) -> tuple[np.ndarray, np.ndarray]:
            points = rng.normal(0, 1, (n, 2))
            return points, rng.random(n) < 1 / (1 + np.exp(-2 * points[:, 0] - points[:, 1]))

        seen, right = drawn(20_000)
        # The strangers: wrong ones of the same kind would shift it, so there are hardly any.
        made = Certainty.fit(seen, right, np.empty((0, 2)), rough=False)
        new, truth = drawn(20_000)
        said = made.probability(*new.T)
        for low in np.arange(0, 1, 0.1):
            inside = (said >= low) & (said < low + 0.1)
            assert abs(said[inside].mean() - truth[inside].mean()) < 0.03

    def test_separable_and_constant_scores(self) -> None:
        seen, strangers = np.array([[1.0, 0.5]] * 9), np.array([[0.0, 0.5]] * 9)
        made = Certainty.fit(seen, np.ones(9, bool), strangers, rough=True)
        assert made.probability(np.array([1.0]), np.array([0.5]))[0] > 0.95
        assert made.probability(np.array([0.0]), np.array([0.5]))[0] < 0.05

    @given(st.integers(0, 2**32 - 1))
    def test_nearer_is_more_certain(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        seen, strangers = rng.normal(1, 1, (40, 2)), rng.normal(-1, 1, (40, 2))
        made = Certainty.fit(seen, seen[:, 0] > 0, strangers, rough=True)
        said = made.probability(np.linspace(-5, 5, 50), np.zeros(50))
        assert (np.diff(said) >= 0).all()


def test_rough() -> None:
    assert is_rough(19, 200)
    assert is_rough(20, 99)
    assert not is_rough(20, 100)
