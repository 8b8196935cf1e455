"""Directions: variance and error, rotation, the noisy line, the table of rank 2, by definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_subjects import noise
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from eigenfaces.errors import no_tick
from eigenfaces.lessons import most_variance, noisy_line, redundant_features, rotation
from eigenfaces.lessons.drawing import Dots
from eigenfaces.lessons.subjects import SUBJECTS
from eigenfaces.space.arrays import Doubles

CLOUD = SUBJECTS["cloud"].make(0)
TABLE = SUBJECTS["table"].make(0)
DIRECTIONS = {
    (False, False): np.array([1, 2]) / np.sqrt(5),
    (False, True): np.array([1, 1]) / np.sqrt(2),
    (True, False): np.array([1, 2, 0]) / np.sqrt(5),
    (True, True): np.array([1, 1, 0]) / np.sqrt(2),
}


def test_what_is_kept_is_most_where_the_error_is_least_and_at_the_first_component() -> None:
    numbers = [most_variance.LESSON.draw(CLOUD, angle=float(at)).numbers for at in range(180)]
    kept, error = (np.array([row[name] for row in numbers]) for name in ("kept", "error"))
    np.testing.assert_allclose(kept + error, np.cov(CLOUD.values.T, bias=True).trace(), rtol=1e-12)
    first = PCA(1).fit(CLOUD.values).components_[0]
    angle = round(np.degrees(np.arctan2(first[1], first[0])) % 180)
    assert (
        np.argmax(kept)
        == np.argmin(error)
        == angle
        == most_variance.best_angle(CLOUD.values, 0, True)
    )


def test_a_longer_direction_breaks_the_sum_and_a_mean_draws_the_line_to_itself() -> None:
    longer = most_variance.LESSON.draw(CLOUD, unit_length=False).numbers
    assert abs(longer["kept"] + longer["error"] - longer["total"]) > 0.1
    mean = (CLOUD.values + 4 * np.array([1, -0.5])).mean(axis=0)
    towards = np.degrees(np.arctan2(mean[1], mean[0])) % 180
    assert abs(most_variance.best_angle(CLOUD.values, 4.0, False) - towards) < 5
    assert most_variance.best_angle(CLOUD.values, 4.0, True) == most_variance.best_angle(
        CLOUD.values, 0, True
    )


def test_in_the_figures_the_points_are_turned_cut_and_put_back() -> None:
    (figures,) = rotation.LESSON.show(SUBJECTS["cloud"].make(0), k=1).upper.rows
    one, two, three, four = (
        [layer.at for layer in figure.layers if isinstance(layer, Dots)][-1] for figure in figures
    )
    x = CLOUD.values - CLOUD.values.mean(axis=0)
    np.testing.assert_allclose(one, x)
    np.testing.assert_allclose(np.linalg.norm(two, axis=1), np.linalg.norm(x, axis=1))
    assert abs((two[:, 0] * two[:, 1]).mean()) < 1e-12
    np.testing.assert_allclose(three, two * [1, 0])
    np.testing.assert_allclose(np.linalg.norm(four, axis=1), np.abs(three[:, 0]))
    assert np.linalg.matrix_rank(four) == 1


@pytest.mark.parametrize("shape", [(20, 15), (10, 10, 3)])
def test_pictures_are_turned_as_a_whole(shape: tuple[int, ...]) -> None:
    ready = rotation.prepare(noise(6, *shape), no_tick)
    (control,) = rotation.LESSON.controls_for(ready)
    assert (control.name, control.most) == ("k", 5)
    picture = rotation.LESSON.draw(ready, k=99, turned=0.3)
    assert picture.numbers["error"] == pytest.approx(0, abs=1e-9)
    first, turned, _, last = picture.upper.rows[0]
    assert turned.caption == "Uᵀx"
    assert first.pictures.shape[1:] == shape
    np.testing.assert_allclose(last.pictures, first.pictures, atol=1e-9)


@pytest.mark.parametrize(("third", "scaled"), DIRECTIONS)
@pytest.mark.parametrize(
    ("n", "noise"), [(5, 0.4), (50, 0.4), (1000, 0.0), (1000, 0.4), (1000, 0.9)]
)
def test_v_is_that_of_scikit_learn_and_with_a_thousand_points_the_line(
    third: bool, scaled: bool, n: int, noise: float
) -> None:
    for seed in range(5):
        line = SUBJECTS["line"].make(seed).values
        t, *noises = line[:n].T
        points = np.column_stack([t + noise * noises[0], 2 * t + noise * noises[1], noises[2]])
        points = points if third else points[:, :2]
        pca = PCA().fit(StandardScaler().fit_transform(points) if scaled else points)
        numbers = noisy_line.LESSON.draw(line, n=n, noise=noise, third=third, scaled=scaled).numbers
        cosines = np.abs((numbers["v"] * pca.components_.T).sum(axis=0))
        np.testing.assert_allclose(cosines, 1, atol=1e-9)
        variances = pca.explained_variance_ * (n - 1) / n
        np.testing.assert_allclose(numbers["variances"], variances, atol=1e-12)
        if n == 1000:
            np.testing.assert_allclose(numbers["v"][:, 0], DIRECTIONS[third, scaled], atol=1e-2)
            assert numbers["away"] < 0.5


@pytest.mark.parametrize(("off", "rank"), [(0.0, 2), (0.1, 3), (2.0, 3)])
def test_as_many_components_as_the_rank_hold_the_whole_table(off: float, rank: int) -> None:
    x = TABLE.values.copy()
    x[0, 2] += off
    singular = np.linalg.svd(x - x.mean(axis=0), compute_uv=False)
    for k in (0, 1, 2, 3):
        numbers = redundant_features.LESSON.show(TABLE, off=off, k=k).numbers
        assert numbers["rank"] == np.linalg.matrix_rank(x - x.mean(axis=0)) == rank
        lost = np.linalg.norm(numbers["back"] - x)
        assert lost == pytest.approx(np.sqrt((singular[k:] ** 2).sum()), abs=1e-9)


def test_each_feature_is_named_by_those_that_make_it() -> None:
    formulas = ("= hours", "= 2 × pages", "= hours + pages", "always 5")
    names = redundant_features.column_formulas(TABLE.values, [0, 1], TABLE.columns)
    assert names == ("needed", "needed", *formulas)
    x = TABLE.values[:, :2]
    x = np.column_stack([x, 3 - x[:, 0], x[:, 0] - 0.5 * x[:, 1] + 1])
    names = redundant_features.column_formulas(x, [0, 1], ("a", "b", "c", "d"))
    assert names[2:] == ("= − a + 3", "= a − 0.5 × b + 1")


@given(st.integers(0, 10_000), st.integers(2, 9), st.integers(1, 4), st.integers(1, 4))
def test_any_table_is_made_of_the_needed_features(seed: int, n: int, own: int, sums: int) -> None:
    """Of whole numbers, with sums of others and constants, the columns in any order."""
    rng = np.random.default_rng(seed)
    first = rng.integers(-5, 6, (n, own)).astype(float)
    made: Doubles = first @ rng.integers(-2, 3, (own, sums)) + rng.integers(-3, 4, sums)
    x = rng.permutation(np.column_stack([first, made, np.full(n, 4.0)]), 1)
    needed = redundant_features.decompose(x, 0, 0)[4]
    centred = x - x.mean(axis=0)
    assert len(needed) == np.linalg.matrix_rank(centred)
    assert not needed or np.linalg.matrix_rank(centred[:, needed]) == len(needed)


def test_curves_over_the_angle_are_those_of_every_angle() -> None:
    for view in ({}, {"unit_length": False}, {"offset": 2.0, "centred": False}):
        (curves,) = most_variance.LESSON.draw(CLOUD, **view).lower.rows[0]
        kept, error = (line.y for line in curves.curves)
        for angle in (0, 57, 180):
            numbers = most_variance.LESSON.draw(CLOUD, angle=angle, **view).numbers
            assert (kept[angle], error[angle]) == pytest.approx((numbers["kept"], numbers["error"]))


def test_the_curve_of_the_line_passes_through_the_angle_that_its_mark_says() -> None:
    line = SUBJECTS["line"].make(0).values
    for n in (100, 333):
        drawn = noisy_line.LESSON.draw(line, n=n)
        (panel,) = drawn.lower.rows[0]
        at = panel.curves[0].x.tolist().index(n)
        assert panel.curves[0].y[at] == drawn.numbers["away"]


def test_the_table_says_above_each_column_what_it_is() -> None:
    (table,), _ = redundant_features.LESSON.show(TABLE).upper.rows
    formulas = ("= hours", "= 2 × pages", "= hours + pages", "always 5")
    assert table.rows[0] == ("", "needed", "needed", *formulas)
    assert table.strong == (0,)
