"""How many: what is held out, and likelihoods, against SciPy and scikit-learn."""

import numpy as np
import pytest
from made_subjects import images, noise
from scipy.fft import idctn
from sklearn.decomposition import PCA

from eigenfaces.errors import no_tick
from eigenfaces.lessons.how_many import LESSON, prepare
from eigenfaces.lessons.subjects import SUBJECTS

DIGITS = SUBJECTS["digits"].make(0).values
READY = prepare(SUBJECTS["digits"].make(0), no_tick)
KEPT, LEARNED = np.split(np.random.default_rng(0).permutation(DIGITS), [len(DIGITS) // 5])


def latent(k: int, n: int, d: int = 16) -> np.ndarray:
    """Return points (n, d) of k strong directions and the same noise in all."""
    generator = np.random.default_rng(k)
    directions = 3 * np.linalg.qr(generator.normal(size=(d, k)))[0].T
    return generator.normal(size=(n, k)) @ directions + 0.5 * generator.normal(size=(n, d))


def test_nothing_of_rank_k_leaves_less_of_the_held_out_pictures_than_is_possible() -> None:
    for method in READY.methods:
        assert (method.left >= READY.least - 1e-9).all()
        assert (np.diff(method.left) <= 1e-9).all()
        assert method.left[0] == 1
    y = KEPT - LEARNED.mean(axis=0)
    values = np.linalg.svd(y, compute_uv=False) ** 2
    np.testing.assert_allclose(
        READY.least[:20], [values[k:].sum() / values.sum() for k in range(20)]
    )


def test_components_are_ahead_of_cosines_random_directions_and_pixels_on_digits() -> None:
    """By far where it counts, and never behind by more than a thousandth."""
    components, *others = (each.left for each in READY.methods)
    assert all((components <= other + 0.001).all() for other in others)
    assert all(components[10] < 0.5 * other[10] for other in others)
    assert LESSON.picture(READY).words["ahead"] == "for every k"


def test_of_few_smooth_pictures_cosines_are_ahead_in_the_end() -> None:
    """Components know only the span of the pictures that they were learned from."""
    generator = np.random.default_rng(0)
    coarse = generator.normal(size=(30, 16, 16)) / (1 + np.add.outer(np.arange(16), np.arange(16)))
    smooth = idctn(coarse, axes=(1, 2), norm="ortho").reshape(30, 256)
    words = LESSON.show(images(smooth, 16, 16)).words
    assert "cosines are ahead" in words["ahead"]


@pytest.mark.parametrize("k", [1, 3, 6])
def test_the_likeliest_k_is_that_of_the_directions_that_there_are(k: int) -> None:
    ready = prepare(images(latent(k, 3000), 4, 4), no_tick)
    assert ready.likeliest == k


def test_the_fewest_for_a_share_is_that_of_scikit_learn_and_exact_at_the_edge() -> None:
    for share in (0.5, 0.9, 0.99):
        assert READY.fewest(100 * share) == PCA(share, svd_solver="full").fit(LEARNED).n_components_
    kept = np.cumsum(READY.components.variances) / READY.components.variances.sum()
    assert READY.fewest(100 * float(kept[6])) == 7


def test_fewer_pictures_than_pixels_and_colour() -> None:
    colour = noise(40, 10, 8, 3)
    numbers = LESSON.show(colour, k=400).numbers
    assert numbers["fewest"] <= 31
    assert np.isfinite(numbers["likelihoods"]).all()
    cosines = LESSON.prepare(colour, no_tick).methods[1]
    assert cosines.rows.shape == (31, 240)
