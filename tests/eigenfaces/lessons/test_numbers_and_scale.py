"""Numbers and scale: the same components three ways, how many, units, copies, whitening, waves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_subjects import cloud, images, noise
from scipy.fft import idctn
from scipy.linalg import fractional_matrix_power, subspace_angles
from sklearn.decomposition import PCA

from eigenfaces.errors import EigenfacesError, no_tick
from eigenfaces.lessons import (
    component_count,
    natural_images,
    pca_algorithms,
    repeated_feature,
    scale,
    whitening,
)
from eigenfaces.lessons.components import pca
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.space.arrays import Doubles

DIGITS = SUBJECTS["digits"].make(0)
RNG = np.random.default_rng(5)


@given(st.integers(2, 20), st.integers(1, 20), st.integers(0, 10**6))
def test_components_are_those_of_scikit_learn(n: int, d: int, seed: int) -> None:
    x = np.random.default_rng(seed).normal(size=(n, d)) + 5
    ours, theirs, r = pca(x), PCA().fit(x), min(n - 1, d)
    assert ours.components.shape == (r, d)
    variances = theirs.explained_variance_[:r] * (n - 1) / n
    np.testing.assert_allclose(ours.variances, variances, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(ours.components @ ours.components.T, np.eye(r), atol=1e-6)
    np.testing.assert_allclose(ours.project(x) @ ours.components + ours.mean, x, atol=1e-6)


@pytest.mark.parametrize(
    ("x", "weights"),
    [
        (np.full((3, 5), 1 / 3), None),
        (np.full((5, 3), 0.1), None),
        (np.eye(3), np.zeros(3)),
        (np.eye(3) / 3, np.array([1.0, 0, 0])),
    ],
)
def test_points_that_are_all_the_same_are_refused(x: Doubles, weights: Doubles | None) -> None:
    with pytest.raises(EigenfacesError, match="the same"):
        pca(x, weights=weights)


@given(
    counts=st.lists(st.integers(0, 5), min_size=8, max_size=8).filter(
        lambda counts: sum(count > 0 for count in counts) > 1
    ),
    d=st.sampled_from([3, 20]),
)
def test_a_weight_of_m_is_m_copies(counts: list[int], d: int) -> None:
    x = np.random.default_rng(3).normal(size=(8, d))
    weighted = pca(x, weights=np.array(counts, dtype=float))
    copied = pca(np.repeat(x, counts, axis=0))
    np.testing.assert_allclose(weighted.mean, copied.mean, atol=1e-12)
    np.testing.assert_allclose(weighted.variances, copied.variances, rtol=1e-9)
    np.testing.assert_allclose(weighted.components, copied.components, atol=1e-7)


@given(st.integers(2, 30), st.integers(2, 30), st.integers(0, 1000))
@settings(max_examples=40)
def test_three_ways_agree_for_any_size(n: int, d: int, seed: int) -> None:
    x = np.random.default_rng(seed).normal(size=(n, d)) * np.linspace(1, 3, d)
    x, rank = x - x.mean(axis=0), min(n - 1, d)
    singular = np.linalg.svd(x, compute_uv=False)
    spaces = []
    for way in pca_algorithms.WAYS.values():
        values, directions = way(x)
        np.testing.assert_allclose(values[:rank], singular[:rank], atol=1e-9 * singular[0])
        spaces.append(directions[:, :rank])
        np.testing.assert_allclose(spaces[-1].T @ spaces[-1], np.eye(rank), atol=1e-6)
    assert max(subspace_angles(space, spaces[0]).max() for space in spaces) < 1e-6


def test_a_sign_turns_picture_and_score_and_nothing_that_is_put_back() -> None:
    ready = pca_algorithms.prepare(DIGITS, no_tick)
    before, after = (pca_algorithms.LESSON.draw(ready, flip=flip) for flip in (0, 3))
    sign = np.where(np.arange(8) == 2, -1.0, 1.0)
    for parts, turned in zip(before.upper.rows[0], after.upper.rows[0], strict=True):
        np.testing.assert_allclose(turned.pictures, parts.pictures * sign[:4, None, None])
    (scores, back), (others, same) = before.lower.rows[0], after.lower.rows[0]
    np.testing.assert_allclose(others.values, scores.values * sign)
    np.testing.assert_allclose(same.pictures, back.pictures, atol=1e-12)


def test_every_way_shows_the_same_components_of_faces() -> None:
    ways = pca_algorithms.LESSON.show(SUBJECTS["small"].make(0)).upper.rows[0]
    assert [panel.title for panel in ways] == ["Covariance", "SVD", "Gram trick"]
    for panel in ways[1:]:
        np.testing.assert_allclose(panel.pictures, ways[0].pictures, atol=1e-6)


def test_a_covariance_that_is_too_large_is_left_out_with_the_reason() -> None:
    ready = pca_algorithms.prepare(noise(6, 50, 50), no_tick)
    assert set(ready.solutions) == {"SVD", "Gram trick"}
    ways, (table,) = pca_algorithms.LESSON.draw(ready).upper.rows
    assert [panel.title for panel in ways] == ["SVD", "Gram trick"]
    assert table.rows[0][3] == "left out"
    assert "left out: its 2,500 × 2,500 numbers take 50 MB" in table.caption
    large, small, _ = pca_algorithms.megabytes_needed(400, 10304)
    assert large > 1600 > 20 * small


@pytest.fixture(scope="module")
def held_out() -> component_count.HeldOutPictures:
    return component_count.prepare(DIGITS, no_tick)


def test_components_leave_less_than_other_methods(held_out) -> None:
    for method in held_out.methods:
        assert (np.diff(method.share_left) <= 1e-9).all()
        assert method.share_left[0] == 1
    learned = np.random.default_rng(0).permutation(DIGITS.values)[359:]
    components, *rest = (method.share_left for method in held_out.methods)
    assert all((components <= other + 0.001).all() for other in rest)
    assert all(components[10] < 0.5 * other[10] for other in rest)
    for share in (0.5, 0.9, 0.99):
        theirs = PCA(share, svd_solver="full").fit(learned).n_components_
        assert held_out.k_for(100 * share) == theirs
    kept = np.cumsum(held_out.components.variances) / held_out.components.variances.sum()
    assert held_out.k_for(100 * float(kept[6])) == 7  # exact at the edge


@pytest.mark.parametrize("k", [1, 3, 6])
def test_the_likeliest_k_is_that_of_the_directions_that_there_are(k: int) -> None:
    rng = np.random.default_rng(k)
    directions = 3 * np.linalg.qr(rng.normal(size=(16, k)))[0].T
    x = rng.normal(size=(3000, k)) @ directions + 0.5 * rng.normal(size=(3000, 16))
    assert component_count.prepare(images(x, 4, 4), no_tick).likeliest == k


def test_the_first_axis_follows_the_unit_and_the_unit_has_its_name() -> None:
    bodies = SUBJECTS["bodies"].make(0)
    for power, first, note in (
        (0.0, [0, 1], "height (m); k = 1"),
        (3.0, [1, 0], "height (mm); k = 1"),
        (0.5, [0, 1], "height × 3.16; k = 1"),
    ):
        picture = scale.LESSON.show(bodies, factor=10**power)
        np.testing.assert_allclose(picture.numbers["first"], first, atol=0.1)
        assert picture.upper.note == note


@pytest.mark.parametrize("key", ["pair", "cloud"])
@pytest.mark.parametrize("standardised", [True, False])
def test_variances_of_copies_are_those_of_the_closed_form(key: str, standardised: bool) -> None:
    """Y is there m times: of the 2 × 2 matrix ((a, √m c), (√m c, mb))."""
    subject = SUBJECTS[key].make(0)
    x = subject.values / subject.values.std(axis=0) if standardised else subject.values
    (a, c), (_, b) = np.cov(x.T, bias=True)
    of_x = []
    for m in range(1, 10):
        root = np.sqrt((a - m * b) ** 2 + 4 * m * c**2)
        picture = repeated_feature.LESSON.show(subject, copies=m - 1, standardised=standardised)
        lam = [(a + m * b + root) / 2, (a + m * b - root) / 2]
        np.testing.assert_allclose(picture.numbers["lam"], lam)
        of_x.append(picture.numbers["of_x"])
    if key == "pair" and not standardised:
        enough = next(m for m in range(9) if (1 + m) * b > a)
        assert str(enough) in picture.words["enough"]
        assert of_x[enough - 1] > 0.5 > of_x[enough]


@pytest.mark.parametrize("d", [2, 3, 5])
def test_whitened_the_covariance_is_the_identity(d: int) -> None:
    rng = np.random.default_rng(d)
    subject = cloud(rng.normal(size=(80, d)) @ rng.normal(size=(d, d)) + 3)
    x = subject.values - subject.values.mean(axis=0)
    picture = whitening.LESSON.show(subject, epsilon=0.0)
    raw, _, *white = (panel.values for panel in picture.upper.rows[1])
    np.testing.assert_allclose(raw, np.cov(subject.values.T, bias=True))
    np.testing.assert_allclose(white, [np.eye(d)] * 2, atol=1e-9)
    np.testing.assert_allclose(picture.numbers["first"], x[0] @ fractional_matrix_power(raw, -0.5))


def test_faces_before_and_after_are_as_wide_as_high_only_after() -> None:
    (row,) = whitening.LESSON.show(SUBJECTS["half"].make(0), epsilon=0.0).upper.rows
    before, after = row[2:]
    assert before.ranges == after.ranges
    (raw,), (white,) = before.layers, after.layers
    assert raw.at.std(axis=0)[0] > 3 * raw.at.std(axis=0)[1]
    np.testing.assert_allclose(white.at.std(axis=0), 1)


def test_pixels_without_variance_stay_at_0() -> None:
    picture = whitening.LESSON.show(DIGITS, epsilon=0.0)
    dead = DIGITS.values.std(axis=0) == 0
    assert np.abs(picture.numbers["first"][dead]).max() < 1e-9
    assert picture.lower.note == "3 of 64 directions have no variance and stay 0"


def test_more_pixels_than_pictures_are_whitened() -> None:
    """The n pictures span n − 1 directions: there they become white, as far as that is possible."""
    subject = noise(12, 30, 20)
    picture = whitening.LESSON.show(subject, epsilon=0.0)
    np.testing.assert_allclose(picture.numbers["whitened"], np.ones(11))
    x = subject.values - subject.values.mean(axis=0)
    u, _, vt = np.linalg.svd(x, full_matrices=False)
    zca = np.sqrt(len(x)) * u[:, :11] @ vt[:11]  # X (XᵀX/n)^−½ = √n UVᵀ
    np.testing.assert_allclose(picture.numbers["first"], zca[0], atol=1e-6)


def test_pictures_made_of_waves_are_decomposed_into_these() -> None:
    """Synthetic truth: every cosine has a variance of its own, so each component is one wave."""
    strengths = RNG.permutation(np.geomspace(1, 0.01, 64)).reshape(8, 8)
    waves = idctn(RNG.normal(size=(20_000, 8, 8)) * strengths, axes=(1, 2), norm="ortho")
    picture = natural_images.LESSON.show(images(waves.reshape(-1, 64), 8, 8), own_mean=False)
    assert np.min(picture.numbers["best"]) > 0.9
