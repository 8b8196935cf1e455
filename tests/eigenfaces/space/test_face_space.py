"""Face space: projection, reconstruction, how many components, what each of them keeps."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from eigenfaces import EigenfacesError, FaceSpace

SHAPE = (8, 9)
seeds = st.integers(0, 2**32 - 1)


def random_faces(seed: int, n: int = 12) -> NDArray[np.float32]:
    return np.random.default_rng(seed).random((n, 72), np.float32)


@pytest.fixture
def faces() -> NDArray[np.float32]:
    return random_faces(3)


@pytest.fixture
def space(faces: NDArray[np.float32]) -> FaceSpace:
    return FaceSpace.fit(faces, SHAPE)


@given(seeds, st.integers(2, 15))
def test_all_components_rebuild_the_faces_they_came_from(seed: int, n: int) -> None:
    faces = random_faces(seed, n)
    faces[:, :5] = 0.25  # constant pixels
    space = FaceSpace.fit(faces, SHAPE)
    assert len(space) <= n - 1
    np.testing.assert_allclose(space.reconstruct(space.project(faces)), faces, atol=1e-5)
    np.testing.assert_allclose(space.distance_from(faces), 0, atol=1e-4)


def test_first_is_a_slice(space: FaceSpace) -> None:
    few = space.first(4)
    assert np.shares_memory(few.components, space.components)
    assert len(few) == 4
    assert few.total_variance == space.total_variance
    probe = random_faces(5, 1)[0]
    np.testing.assert_allclose(few.project(probe), space.project(probe)[:4], rtol=1e-5)
    assert len(space.first(0)) == 0
    assert np.array_equal(space.first(0).reconstruct(np.zeros(0, np.float32)), space.mean)
    for k in (-1, len(space) + 1):
        with pytest.raises(EigenfacesError, match="components"):
            space.first(k)


@given(seeds, st.integers(2, 30))
def test_the_fewest_components_that_keep_a_share(seed: int, n: int) -> None:
    space = FaceSpace.fit(random_faces(seed, n), SHAPE)
    cumulative = np.cumsum(space.variance_ratio)
    assert cumulative[-1] == pytest.approx(1)
    for k in range(1, len(space) + 1):
        share = float(cumulative[k - 1])
        for missed in (-5e-10, 0, 5e-10) if k < len(space) else (0,):
            assert space.components_for(share + missed) == k
            assert space.fewest_for(share + missed) == k
    assert [space.components_for(k) for k in (1, 500, 1.0)] == [1, len(space), len(space)]
    assert space.components_for(np.float32(1e-9)) == 1


def test_energy_rises_from_nothing_to_all(space: FaceSpace, faces: NDArray[np.float32]) -> None:
    kept = space.energy_kept(faces)
    assert kept.shape == (len(faces), len(space) + 1)
    assert (kept[:, 0] == 0).all()
    assert (np.diff(kept, axis=1) >= 0).all()
    np.testing.assert_allclose(kept[:, -1], 1, atol=1e-6)
    assert (space.energy_kept(space.mean) == 1).all()


def test_what_does_not_fit_is_refused(space: FaceSpace) -> None:
    with pytest.raises(EigenfacesError, match="9 × 8"):
        space.project(np.zeros((2, 71), np.float32))
    with pytest.raises(ValueError, match="do not match"):
        FaceSpace(space.mean, space.components, space.singular_values, 1.0, 12, (9, 9))
