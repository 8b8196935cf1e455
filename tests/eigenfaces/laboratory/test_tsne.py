"""t-SNE in a process of its own: the same as scikit-learn's, the same again, and stoppable."""

import multiprocessing
import time

import numpy as np
import pytest
from sklearn.manifold import TSNE

from eigenfaces import EigenfacesError
from eigenfaces.errors import Cancelled
from eigenfaces.laboratory.tsne import ITERATIONS, TsneSettings, most_perplexity, tsne


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(3)
    return (
        rng.standard_normal((60, 12)) + 6 * np.repeat(rng.standard_normal((6, 12)), 10, 0)
    ).astype(np.float32)


def test_it_is_scikit_learns_and_says_how_far_it_is(points):
    steps = []
    settings = TsneSettings(12, 10, 4, 3)
    ours = tsne(points, settings, lambda done, total: steps.append((done, total)))
    theirs = TSNE(3, perplexity=10, init="pca", random_state=4).fit_transform(points.astype(float))
    assert np.array_equal(ours, theirs)
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)
    assert {total for _, total in steps} == {ITERATIONS}
    assert len({done for done, _ in steps}) > 3


def test_cancelled_it_ends_at_once(points):
    def stop(done, total):
        raise Cancelled

    started = time.monotonic()
    with pytest.raises(Cancelled):
        tsne(points, TsneSettings(12, 10), stop)
    assert time.monotonic() - started < 30
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(
    ("n", "perplexity", "value", "words"),
    [
        (3, 1, 0, "at least four"),
        (20, 20, 0, "too much for 20"),
        (20, 5, np.nan, "t-SNE failed"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(points, n, perplexity, value, words):
    points = points[:n] + np.float32(value)
    with pytest.raises(EigenfacesError, match=words):
        tsne(points, TsneSettings(12, perplexity))


def test_usual_settings_fit_the_gallery():
    assert TsneSettings.usual(400, 399, 3) == TsneSettings(50, 30, 0, 3)
    assert [most_perplexity(n) for n in (4, 10, 100, 1000)] == [1, 3, 33, 50]
