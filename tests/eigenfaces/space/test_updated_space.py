"""An updated face space against a full fit of the same faces, and against scikit-learn's."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from synthetic import principal_angles, truth

from eigenfaces import EigenfacesError, FaceSpace, load_sample
from eigenfaces.space.updating import Updated, leaves_nothing_out, settled, update

SHAPE = (28, 23)
Faces = NDArray[np.float32]


@cache
def att() -> Faces:
    """The sample at a quarter of its size (400, 644), in an arbitrary order."""
    sample = load_sample()
    small = sample.pixels[:].reshape(400, 28, 4, 23, 4).mean(axis=(2, 4)).reshape(400, -1)
    return small[np.random.default_rng(5).permutation(400)]


@cache
def full() -> FaceSpace:
    return FaceSpace.fit(att(), SHAPE)


def angle(one: Faces, other: Faces) -> float:
    return float(principal_angles(one, other).max())


@pytest.mark.parametrize("block", [1, 10, 50, 256])
def test_with_all_components_it_is_the_full_fit(block: int) -> None:
    space, updated = update(FaceSpace.fit(att()[:200], SHAPE), att()[200:], rows_at_once=block)
    assert (len(space), space.count, updated.fitted) == (399, 400, 200)
    np.testing.assert_allclose(space.mean, full().mean, atol=2e-7)
    assert space.total_variance == pytest.approx(full().total_variance, rel=1e-7)
    np.testing.assert_allclose(space.singular_values, full().singular_values, rtol=1e-5)
    np.testing.assert_allclose(space.components[:300], full().components[:300], atol=1e-3)
    np.testing.assert_allclose(space.components[:50], full().components[:50], atol=2e-5)
    unity = space.components.astype(float) @ space.components.T
    np.testing.assert_allclose(unity, np.eye(399), atol=1e-5)
    assert updated.most == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("k", [20, 100])
@pytest.mark.parametrize("block", [1, 10, 50])
def test_what_it_says_of_a_full_fit_is_true(k: int, block: int) -> None:
    before = FaceSpace.fit(att()[:200], SHAPE).first(k)
    space, updated = update(before, att()[200:], rows_at_once=block)
    assert len(space) == k
    np.testing.assert_allclose(space.mean, full().mean, atol=2e-7)
    assert space.total_variance == pytest.approx(full().total_variance, rel=1e-7)
    best = full().kept[k - 1]
    assert (space.variances <= full().variances[:k] * (1 + 1e-6)).all()
    assert space.kept[-1] < best <= updated.most < best + 0.03
    turned, turn = settled(space, space_coordinates(space))
    assert (turned.variances <= full().variances[:k] * (1 + 1e-6)).all()
    assert space.kept[-1] < turned.kept[-1] < best
    np.testing.assert_allclose(turn.T @ turn, np.eye(k), atol=1e-10)


def space_coordinates(space: FaceSpace) -> Faces:
    return (att() - space.mean) @ space.components.T


def test_once_settled_its_variances_are_those_of_the_faces() -> None:
    updated, _ = update(FaceSpace.fit(att()[:200], SHAPE).first(40), att()[200:])
    space, turn = settled(updated, space_coordinates(updated))
    coordinates = space_coordinates(space)
    np.testing.assert_allclose(coordinates, space_coordinates(updated) @ turn, atol=1e-4)
    scatter = np.cov(coordinates.astype(float), rowvar=False)
    np.testing.assert_allclose(scatter, np.diag(space.variances), atol=1e-5 * space.variances[0])
    largest = np.abs(space.components).argmax(axis=1)
    assert (space.components[np.arange(40), largest] > 0).all()


@pytest.mark.parametrize("block", [40, 100])
def test_it_is_nearer_to_the_full_fit_than_incremental_pca(block: int) -> None:
    from sklearn.decomposition import IncrementalPCA

    k, start = 40, 200
    before = FaceSpace.fit(att()[:start], SHAPE).first(k)
    space, _ = update(before, att()[start:], rows_at_once=block)
    peer = IncrementalPCA(k).partial_fit(att()[:start])
    for first in range(start, 400, block):
        peer.partial_fit(att()[first : first + block])
    values = full().singular_values[:k]
    ours, theirs = (np.abs(v / values - 1) for v in (space.singular_values, peer.singular_values_))
    assert ours.max() <= theirs.max()
    assert ours.mean() <= theirs.mean()
    for first in (10, 20):
        best = full().components[:first]
        mine, other = space.components[:first], peer.components_[:first]
        assert angle(mine, best) <= angle(other.astype(np.float32), best)


@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.integers(1, 12), st.integers(1, 12))
def test_any_faces_in_any_order(seed: int, n: int, b: int, block: int) -> None:
    """Fewer faces than pixels, more, or as many; in part the same."""
    rng = np.random.default_rng(seed)
    faces = rng.random((n + b, 9), np.float32)
    faces[rng.integers(n + b, size=2)] = faces[0]
    if np.ptp(faces[:n], axis=0).max() == 0:
        return
    before, best = FaceSpace.fit(faces[:n], (3, 3)), FaceSpace.fit(faces, (3, 3))
    space, updated = update(before, faces[n:], rows_at_once=block)
    np.testing.assert_allclose(space.mean, best.mean, atol=1e-6)
    assert space.total_variance == pytest.approx(best.total_variance, rel=1e-5)
    np.testing.assert_allclose(space.singular_values, best.singular_values, rtol=1e-3)
    for k in range(1, len(before)):
        space, updated = update(before.first(k), faces[n:], rows_at_once=block)
        assert space.total_variance == pytest.approx(best.total_variance, rel=1e-5)
        assert space.kept[-1] - 1e-5 <= best.kept[k - 1] <= updated.most + 1e-5


def test_faces_in_the_space_are_learnt_to_the_full(rng: np.random.Generator) -> None:
    of = truth(rng, (16, 16), 5)
    faces = of.draw(rng, 80).astype(np.float32)
    before = FaceSpace.fit(faces[:40], of.shape).first(5)
    assert leaves_nothing_out(before)
    space, _ = update(before, faces[40:], rows_at_once=7)
    best = FaceSpace.fit(faces, of.shape)
    np.testing.assert_allclose(space.variances[:5], best.variances[:5], rtol=1e-5)
    assert angle(space.components[:5], best.components[:5]) < 1e-5


def test_updates_one_after_another_keep_their_word() -> None:
    k, parts = 30, (200, 240, 300, 310, 400)
    space, updated = FaceSpace.fit(att()[:200], SHAPE).first(k), None
    for start, stop in pairwise(parts):
        space, updated = update(space, att()[start:stop], updated)
        best = FaceSpace.fit(att()[:stop], SHAPE)
        assert updated.fitted == 200
        assert space.count == stop
        assert space.kept[-1] <= best.kept[k - 1] <= updated.most <= 1


def test_a_basis_that_is_cut_on_the_way_keeps_its_word() -> None:
    before = FaceSpace.fit(att()[:100], SHAPE).first(5)
    space, updated = update(before, att()[100:], rows_at_once=3)
    assert space.kept[-1] <= full().kept[4] <= updated.most <= 1
    assert space.total_variance == pytest.approx(full().total_variance, rel=1e-7)


def test_beyond_the_exact_routes_it_keeps_as_many_as_a_fit() -> None:
    before = FaceSpace.fit(att()[:30], SHAPE)
    space, updated = update(before, att()[30:80], largest_exact=40)
    best = FaceSpace.fit(att()[:80], SHAPE)
    assert len(space) == 40
    np.testing.assert_allclose(space.singular_values, best.singular_values[:40], rtol=1e-5)
    assert updated.most == pytest.approx(best.kept[39], abs=1e-6)


def test_a_scaled_space_is_refused() -> None:
    space = FaceSpace.fit(att()[:50], SHAPE, correlation=True)
    with pytest.raises(EigenfacesError, match="standard deviations"):
        update(space, att()[50:60])


def test_faces_that_are_not_numbers_are_refused() -> None:
    faces = att()[50:60].copy()
    faces[3, 5] = np.nan
    with pytest.raises(EigenfacesError, match="not numbers"):
        update(FaceSpace.fit(att()[:50], SHAPE), faces, Updated(50, 1.0))
