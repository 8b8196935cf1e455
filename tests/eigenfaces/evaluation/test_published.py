"""The AT&T faces: their variance, figures beside the published ones, independent decompositions.

What others published is in test_published_figures.py.
"""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from synthetic import principal_angles

from eigenfaces import FaceSet, FaceSpace, Gallery, Preparation, Recipe
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.space.distances import DISTANCES


def rows(wanted: Callable[[int], bool]) -> list[int]:
    """Rows of the sample whose number (1…10) within the person is wanted."""
    return [row for row in range(400) if wanted(row % 10 + 1)]


EIGHT, TWO = rows(lambda i: i <= 8), rows(lambda i: i > 8)
FIRST, LAST = rows(lambda i: i <= 5), rows(lambda i: i > 5)


def percent_right(
    train: NDArray[np.floating], test: NDArray[np.floating], distance: str, each: tuple[int, int]
) -> float:
    """Nearest neighbour without any face space, ``each`` photographs a person."""
    nearest = DISTANCES[distance](test, train, np.ones(train.shape[1])).argmin(axis=1)
    return 100 * float((nearest // each[0] == np.arange(len(test)) // each[1]).mean())


def percent_recognised(faces: FaceSet, train: list[int], test: list[int], recipe: Recipe) -> float:
    """The whole chain: a gallery of some, and every other one as a probe."""
    gallery = Gallery(
        faces.select(train), Preparation(*faces.shape, already_cropped=True), recipe
    ).train()
    verdicts = identify_all(gallery, faces.pixels[test])
    right = [
        verdict.closest.person == faces.index.photos[row].person
        for row, verdict in zip(test, verdicts, strict=True)
    ]
    return 100 * float(np.mean(right))


@pytest.fixture(scope="module")
def space(att: FaceSet) -> FaceSpace:
    return FaceSpace.fit(att.pixels[:], att.shape)


@pytest.fixture(scope="module")
def exact(att: FaceSet) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Singular values and components from NumPy's SVD, all in double precision."""
    centred = att.pixels[:].astype(np.float64)
    centred -= centred.mean(axis=0)
    _, values, components = np.linalg.svd(centred, full_matrices=False)
    return values[:399], components[:399]


def test_100_components_8_and_2(att: FaceSet) -> None:
    recipe = Recipe.of(components=100, distance="cosine")
    assert percent_recognised(att, EIGHT, TWO, recipe) == 96.25


def test_all_components_8_and_2(att: FaceSet) -> None:
    """With everything kept, L2 in face space is L2 between pixels."""
    assert percent_recognised(att, EIGHT, TWO, Recipe.of(components=1.0)) == 95.0


def test_class_means_equal_plain_means(att: FaceSet) -> None:
    """Trap 8: the mean of coordinates is taken, the coordinates are not centred by class."""
    train = att.levels[FIRST].reshape(40, 5, -1).mean(axis=1)
    by_pixels = percent_right(train, att.levels[LAST], "L2", (1, 5))
    recipe = Recipe.of(components=1.0, rule="class mean")
    assert percent_recognised(att, FIRST, LAST, recipe) == pytest.approx(by_pixels)


def test_against_a_double_precision_svd(
    space: FaceSpace, exact: tuple[NDArray[np.float64], NDArray[np.float64]]
) -> None:
    values, components = exact
    assert len(space) == 399
    np.testing.assert_allclose(space.singular_values, values, rtol=1e-5)
    assert principal_angles(components[:100], space.components[:100]).max() < 1e-3


def test_against_scikit_learn(att: FaceSet, space: FaceSpace) -> None:
    from sklearn.decomposition import PCA

    pca = PCA(svd_solver="full").fit(att.pixels[:].astype(np.float64))
    np.testing.assert_allclose(space.mean, pca.mean_, atol=1e-6)
    np.testing.assert_allclose(space.variances, pca.explained_variance_[:399], rtol=1e-6)
    np.testing.assert_allclose(space.variance_ratio, pca.explained_variance_ratio_[:399], rtol=1e-6)
    same = (space.components[:100] * pca.components_[:100]).sum(axis=1)
    np.testing.assert_allclose(np.abs(same), 1, atol=1e-5)
    ours = space.first(100).project(att.pixels[:])
    theirs = pca.transform(att.pixels[:].astype(np.float64))[:, :100]
    np.testing.assert_allclose(ours, theirs * np.sign(same), atol=1e-3)


def test_the_other_route_agrees(att: FaceSet, space: FaceSpace) -> None:
    """The Krylov route on real faces, forced: far too few of them to need it."""
    krylov = FaceSpace.fit(att.pixels[:], att.shape, largest_exact=100)
    np.testing.assert_allclose(krylov.singular_values, space.singular_values, rtol=1e-4)
    assert principal_angles(space.components[:100], krylov.components[:100]).max() < 1e-3
