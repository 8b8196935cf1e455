"""What components cannot see: maps measured as scikit-learn measures them, and independence."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.manifold import TSNE, trustworthiness

from eigenfaces.errors import no_tick
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.lessons.cannot_see import LESSON, KeptByMap, follows, same_label
from eigenfaces.lessons.subjects import SUBJECTS


def some_digits(n: int = 120) -> ImageSet:
    digits = SUBJECTS["digits"].make(0)
    return digits.select(range(n))


def test_a_map_that_is_the_truth_keeps_all() -> None:
    digits = some_digits()
    kept = KeptByMap.of(digits.values, 2 * digits.values + 1, digits.labels)
    assert kept.trust == 1
    assert kept.apart == pytest.approx(1)
    assert kept.same == same_label(digits.values, digits.labels)


def test_on_a_ring_no_direction_stands_out_and_squares_follow_at_every_turn() -> None:
    ring = SUBJECTS["ring"].make(0).values
    shares = np.linalg.eigvalsh(np.cov(ring.T)) / np.cov(ring.T).trace()
    np.testing.assert_allclose(shares, 0.5, atol=0.02)
    linear, squares = follows(ring - ring.mean(axis=0), np.arange(0, 91, 5.0))
    assert linear.max() < 0.001
    assert squares.min() > 0.9


@given(st.floats(0, 90), st.integers(0, 1000))
def test_following_is_a_squared_correlation(angle: float, seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(20, 2)) * [3, 1]
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    a, b = np.array([[cos, sin], [-sin, cos]]) @ scores.T
    linear, squares = follows(scores, np.array([angle]))
    assert linear[0] == pytest.approx(np.corrcoef(a, b)[0, 1] ** 2, abs=1e-12)
    assert squares[0] == pytest.approx(np.corrcoef(a**2, b**2)[0, 1] ** 2, abs=1e-12)


def test_digits_are_mapped_as_scikit_learn_maps_them_and_begun_at_random_otherwise() -> None:
    digits = some_digits()
    ready = LESSON.prepared(digits, LESSON.settings)
    asked = {"perplexity": 10, "start": 2}
    random = LESSON.renew(ready, asked, no_tick)
    for mapped, init, seed, perplexity in ((ready, "pca", 0, 30), (random, "random", 2, 10)):
        theirs = TSNE(2, perplexity=perplexity, init=init, random_state=seed)
        np.testing.assert_array_equal(
            mapped.cache[mapped.settings][0], theirs.fit_transform(digits.values)
        )
        # Pixels are sixteenths, so some distances are equal, and each breaks these ties its way.
        trust = trustworthiness(digits.values, mapped.cache[mapped.settings][0], n_neighbors=12)
        assert mapped.maps[-1].trust == pytest.approx(trust, abs=1e-3)
    again = LESSON.renew(random, LESSON.settings, None)  # known: nothing is computed
    np.testing.assert_array_equal(again.cache[again.settings][0], ready.cache[ready.settings][0])
    shown = LESSON.picture(random, **asked)
    panel = shown.upper.rows[0][1]
    assert panel.caption == "perplexity 10, begun at random, seed 2"
    table = shown.lower.rows[0][0]
    assert table.rows[-1] == ("A place for a new picture", "yes", "yes", "none")
    assert [row[0] for row in table.rows][2] == "Distances of groups, correlation"
