"""Whitened products: by eigenvectors, by scikit-learn, and by fitting anew without some faces."""

from typing import get_args

import numpy as np
import pytest
from by_definition import (
    SCATTERS,
    best_of_refits,
    by_axes,
    by_pca,
    drawn,
    each,
    gram_of,
    products_of,
    unit,
    with_rest,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from eigenfaces import FaceSet
from eigenfaces.errors import EigenfacesError
from eigenfaces.space import whitened_products as module
from eigenfaces.space.arrays import Doubles, Numbers
from eigenfaces.space.people_axes import (
    Group,
    Reach,
    Scatter,
    outside,
    people_axes,
    solve_in_place,
)
from eigenfaces.space.whitened_products import WhitenedProducts, Without


@pytest.fixture
def ridge_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let c stay as it is, where nothing but that is not exact."""
    monkeypatch.setattr(Without, "shares", np.ones(1))


@pytest.fixture(params=[False, True])
def as_of_many(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave faces out both ways: as of some, and as of very many."""
    if request.param:
        monkeypatch.setattr(module, "_REFINED", 0)


CASES = [  # people, photographs of each, features
    (6, 5, 50),
    (6, 5, 12),
    (5, 2, 4),
    (3, 4, 40),
    (2, 3, 30),
    (2, 2, 2),
    (1, 5, 30),
    (8, 1, 40),
    (8, 1, 3),
]


@pytest.mark.parametrize("scatter", SCATTERS)
@pytest.mark.parametrize(("count", "photos", "features"), CASES)
def test_both_routes_agree(count: int, photos: int, features: int, scatter: Scatter) -> None:
    people = np.repeat(np.arange(count), photos)
    faces, probes = drawn(people, features), drawn(np.arange(7), features, seed=1)
    ours = by_axes(faces, people, scatter)
    theirs = by_pca(faces, people, "total" if photos == 1 else scatter)[0]
    cosines = theirs(probes) @ theirs(faces).T
    np.testing.assert_allclose(ours(probes) @ ours(faces).T, cosines, atol=1e-9)


def test_within_people_is_the_discriminant_analysis_of_scikit_learn() -> None:
    """Which shrinks by a tenth of the mean over its features: n − 1 of them, as ours."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    people = np.repeat(np.arange(6), 4)
    faces, probes = drawn(people, len(people) - 1), drawn(np.arange(7), len(people) - 1, seed=1)
    theirs = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=0.1).fit(faces, people)
    mean = faces.mean(axis=0)
    wanted = (probes - mean) @ theirs.coef_.T  # (x − m)ᵀ S⁻¹ (mean of a person)
    wanted -= wanted.mean(axis=1, keepdims=True)

    axes, *_ = people_axes(gram_of(faces), people, "within people")
    points = [(x - mean) @ (faces - mean).T @ axes for x in (probes, theirs.means_)]
    ours = points[0] @ points[1].T
    assert np.corrcoef(ours.ravel(), wanted.ravel())[0, 1] == pytest.approx(1, abs=1e-12)
    assert np.array_equal(ours.argsort(axis=1), wanted.argsort(axis=1))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.sampled_from(SCATTERS))
def test_the_order_of_the_photographs_does_not_matter(seed: int, scatter: Scatter) -> None:
    people = np.repeat(np.arange(5), 3)
    faces, probes = drawn(people, 20, seed), drawn(np.arange(4), 20, seed + 1)
    order = np.random.default_rng(seed).permutation(len(people))
    before = by_axes(faces, people, scatter)
    after = by_axes(faces[order], people[order], scatter)
    cosines = before(probes) @ before(faces[order]).T
    np.testing.assert_allclose(after(probes) @ after(faces[order]).T, cosines, atol=1e-9)


@pytest.mark.parametrize("scatter", SCATTERS)
def test_turned_shifted_and_scaled_features_tell_the_same(scatter: Scatter) -> None:
    people = np.repeat(np.arange(5), 3)
    faces, probes = drawn(people, 20), drawn(np.arange(4), 20, seed=1)
    turn = np.linalg.qr(np.random.default_rng(2).standard_normal((20, 20)))[0]

    def changed(rows: Doubles) -> Doubles:
        return 7 * rows @ turn + 3

    before, after = by_axes(faces, people, scatter), by_axes(changed(faces), people, scatter)
    cosines = before(probes) @ before(faces).T
    np.testing.assert_allclose(after(changed(probes)) @ after(changed(faces)).T, cosines, atol=1e-9)


def test_what_photographs_of_a_person_differ_in_does_not_count() -> None:
    """Of two directions, people differ along one only, and photographs far more along the other."""
    rng = np.random.default_rng(3)
    people = np.repeat(np.arange(6), 20)
    apart = np.array([3.0, 0])[None] * (people - 2.5)[:, None]
    light = np.array([0, 20.0]) * rng.standard_normal((len(people), 1))
    faces = apart + light + 0.1 * rng.standard_normal((len(people), 2))
    weights, *_ = people_axes(gram_of(faces), people, "within people")
    axes = (faces - faces.mean(axis=0)).T @ weights
    assert abs(axes[1, 0]) < 0.1 * abs(axes[0, 0])


@pytest.mark.parametrize("scatter", SCATTERS)
@pytest.mark.parametrize("reach", get_args(Reach))
def test_axes_come_with_the_coordinates_of_the_faces(scatter: Scatter, reach: Reach) -> None:
    people = np.concatenate([np.repeat(np.arange(5), 4), [-1, -1]])
    gram = gram_of(drawn(people, 40))
    axes, along, _ = people_axes(gram.copy(), people, scatter, reach=reach)
    np.testing.assert_allclose(along, gram @ axes, atol=1e-9)


def test_of_few_people_a_probe_has_its_whole_length_and_those_enrolled_the_span() -> None:
    people = np.concatenate([np.repeat(np.arange(5), 4), [-1, -1]])
    faces, probes = drawn(people, 40), drawn(np.arange(7), 40, seed=1)
    gram, products = gram_of(faces), (probes - faces.mean(axis=0)) @ (faces - faces.mean(axis=0)).T
    axes, enrolled, span = people_axes(gram.copy(), people, "total")
    assert (axes.shape, span) == ((22, 21), 5)  # faces of nobody are a side of their own
    squares = ((probes - faces.mean(axis=0)) ** 2).sum(axis=1)
    beyond = outside(products @ axes, axes.T @ gram @ axes, squares)
    ours = unit(np.column_stack([products @ axes, beyond]))[:, :span]
    whole, spanned = with_rest(faces, people)
    cosines = whole(probes) @ spanned(faces).T
    np.testing.assert_allclose(ours @ unit(enrolled[:, :span]).T, cosines, atol=1e-9)
    some, *_ = people_axes(gram.copy(), people, "total", reach="means")
    nearest = unit(products @ some) @ unit(gram @ some).T
    assert np.array_equal(nearest.argsort(axis=1), cosines.argsort(axis=1))  # the names stay


def test_a_system_is_solved_where_it_is(rng: np.random.Generator) -> None:
    """Of more rows than are solved at once, the last of them fewer."""
    faces, right = rng.standard_normal((600, 700)), rng.standard_normal((600, 5))
    square = faces @ faces.T / 700 + np.eye(600) / 9
    solved = right.copy()
    solve_in_place(square.copy(), solved)
    np.testing.assert_allclose(solved, np.linalg.solve(square, right), atol=1e-11)


class TestFewAndEqual:
    @pytest.mark.usefixtures("ridge_held")
    @pytest.mark.parametrize("scatter", SCATTERS)
    def test_faces_of_nobody_shape_the_space_without_a_name(self, scatter: Scatter) -> None:
        people = np.concatenate([np.repeat(np.arange(5), 4), [-1, -1, -1]])
        faces, probes = drawn(people, 40), drawn(np.arange(7), 40, seed=1)
        ours, theirs = by_axes(faces, people, scatter), by_pca(faces, people, scatter)[0]
        cosines = theirs(probes) @ theirs(faces).T
        np.testing.assert_allclose(ours(probes) @ ours(faces).T, cosines, atol=1e-9)
        products = products_of(faces, people, scatter)
        wanted = best_of_refits(faces, people, each(people), scatter, products.group.ridge)
        alike = products.left_out(each(people))
        np.testing.assert_allclose(alike[:20], wanted[:20], atol=1e-9)
        assert np.isnan(alike[20:]).all()

    def test_without_two_photographs_of_anybody_all_that_differs_is_whitened(self) -> None:
        people = np.arange(8)
        gram = gram_of(drawn(people, 20))
        groups = Group.by("within people", people, gram)
        assert np.array_equal(groups.of, np.zeros(8))
        axes = [people_axes(gram.copy(), people, scatter)[0] for scatter in SCATTERS]
        assert np.array_equal(*axes)

    def test_equal_photographs_of_each_person_are_one_photograph(self) -> None:
        once = np.arange(6)
        twice = np.repeat(once, 2)
        faces, probes = drawn(once, 30), drawn(np.arange(4), 30, seed=1)
        doubled = by_axes(np.repeat(faces, 2, axis=0), twice, "within people")
        assert np.isfinite(doubled(probes)).all()
        answers = (doubled(probes) @ doubled(faces).T).argmax(axis=1)
        single = by_axes(faces, once, "within people")
        assert np.array_equal(answers, (single(probes) @ single(faces).T).argmax(axis=1))

    def test_two_people_with_equal_means_are_one_direction_less(self) -> None:
        people = np.repeat(np.arange(5), 2)
        faces = drawn(people, 30)
        faces[2:4] = faces[:2]
        assert people_axes(gram_of(faces), people, "total", reach="means")[0].shape == (10, 3)
        assert people_axes(gram_of(faces), people, "total")[2] == 3

    def test_equal_faces_are_refused(self) -> None:
        people = np.repeat(np.arange(5), 2)
        for way in (lambda *of: people_axes(gram_of(of[0]), *of[1:]), products_of):
            with pytest.raises(EigenfacesError, match="the same"):
                way(np.zeros((10, 10)), people, "total")

    def test_what_is_left_may_be_one_photograph_several_times(self) -> None:
        people = np.repeat(np.arange(2), 3)
        faces = drawn(people, 30)
        faces[3:] = faces[3]
        alike = products_of(faces, people, "total").left_out(each(people))
        assert (alike[:3, 1] == 0).all()


class TestLeftOut:
    @pytest.mark.usefixtures("ridge_held", "as_of_many")
    @pytest.mark.parametrize("scatter", SCATTERS)
    @pytest.mark.parametrize(("count", "photos", "features"), CASES[:3])
    @pytest.mark.parametrize("whole_people", [True, False])
    def test_as_if_fitted_anew(
        self, count: int, photos: int, features: int, scatter: Scatter, whole_people: bool
    ) -> None:
        people = np.repeat(np.arange(count), photos)
        faces = drawn(people, features)
        parts = each(people) if whole_people else [np.array([row]) for row in range(len(people))]
        products = products_of(faces, people, scatter)
        wanted = best_of_refits(faces, people, parts, scatter, products.group.ridge)
        np.testing.assert_allclose(products.left_out(parts), wanted, atol=1e-9)

    @pytest.mark.parametrize("scatter", SCATTERS)
    def test_with_a_ridge_of_their_own(self, att: FaceSet, scatter: Scatter) -> None:
        """Twenty people's five photographs, a quarter of the size."""
        faces = att.pixels[:].reshape(400, *att.shape)[:, ::4, ::4].reshape(400, -1).astype(float)
        chosen = np.flatnonzero((np.arange(400) % 20) < 5)
        faces, people = faces[chosen], np.repeat(np.arange(20), 5)
        photos = [np.array([row]) for row in range(0, 100, 9)]
        for parts in (each(people), photos):
            alike = products_of(faces, people, scatter).left_out(parts)
            own = best_of_refits(faces, people, parts, scatter, None)
            asked = np.concatenate(parts)
            np.testing.assert_allclose(alike[asked], own[asked], atol=1e-3)

    @pytest.mark.parametrize("photos", [4, 12])
    def test_blocks_count_alike_whoever_is_away(self, photos: int) -> None:
        """Of few photographs it is fitted anew, of more not."""
        people = np.repeat(np.arange(8), photos)
        blocks = [scale * drawn(people, 30, seed) for seed, scale in enumerate((1, 5, 0.1))]

        def scaled(rows: Numbers) -> Doubles:
            parts = [(block - block[rows].mean(axis=0)) for block in blocks]
            return np.concatenate(
                [part / np.sqrt((part[rows] ** 2).sum() / (len(rows) - 1)) for part in parts],
                axis=1,
            )

        every = np.arange(len(people))
        faces = scaled(every)
        grams = np.array([gram_of(block) for block in np.split(faces, 3, axis=1)])
        products = WhitenedProducts.of(grams, people, "total")
        alike = products.left_out(each(people))
        held = products_of(faces, people, "total").left_out(each(people))
        worst = np.zeros(2)
        for gone in each(people):
            stay = np.setdiff1d(every, gone)
            points = by_pca(scaled(stay)[stay], people[stay], "total")[0]
            cosines = points(scaled(stay)[gone]) @ points(scaled(stay)[stay]).T
            for other in set(people[stay].tolist()):
                best = cosines[:, people[stay] == other].max(axis=1)
                apart = [np.abs(of[gone, other] - best).max() for of in (alike, held)]
                worst = np.maximum(worst, apart)
        assert worst[0] < 1e-3
        assert worst[0] < worst[1] / 5

    @pytest.mark.parametrize("scatter", SCATTERS)
    @pytest.mark.parametrize("count", [2, 3])
    def test_with_few_people_it_is_fitted_anew(self, count: int, scatter: Scatter) -> None:
        people = np.repeat(np.arange(count), 4)
        faces = drawn(people, 30)
        products = products_of(faces, people, scatter)
        for parts in (each(people), [np.array([row]) for row in range(len(people))]):
            wanted = best_of_refits(faces, people, parts, scatter, None)
            np.testing.assert_allclose(products.left_out(parts), wanted, atol=1e-9)

    @pytest.mark.parametrize("scatter", SCATTERS)
    def test_of_many_faces_an_inverse_is_updated(
        self, scatter: Scatter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        people = np.random.default_rng(5).permutation(np.repeat(np.arange(9), 6))
        monkeypatch.setattr(module, "_REFINED", 0)
        monkeypatch.setattr(module, "_MUCH", np.inf)
        products, usual = (products_of(drawn(people, 40), people, scatter) for _ in range(2))
        usual.__dict__["inverse"] = None
        assert products.inverse is not None
        for gone in (*each(people), *np.arange(54)[:, None]):
            wanted = Without(usual, gone).cosines
            np.testing.assert_allclose(Without(products, gone).cosines, wanted, atol=1e-9)

    def test_where_it_would_not_be_sure_it_is_not(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Of people with equal means, and with faces of nobody."""
        monkeypatch.setattr(module, "_REFINED", 0)
        people = np.repeat(np.arange(7), 4)
        faces = drawn(people, 30)
        assert products_of(faces, people, "total").inverse is not None
        assert products_of(faces[:24], people[:24], "total").inverse is None  # few people
        nobody = np.where(np.arange(28) == 3, -1, people)
        assert products_of(faces, nobody, "total").inverse is None
        faces[4:8] = faces[:4]
        products = products_of(faces, people, "total")
        assert products.inverse is None
        assert np.isfinite(products.left_out(each(people)[2:3])[8:12, 0]).all()

    @pytest.mark.usefixtures("ridge_held", "as_of_many")
    def test_mirrors_go_with_their_photographs(self) -> None:
        people = np.repeat(np.arange(6), 6)
        faces = drawn(people, 60)
        pairs = list(np.arange(36).reshape(-1, 2))
        products = products_of(faces, people, "total")
        wanted = best_of_refits(faces, people, pairs, "total", products.group.ridge)
        np.testing.assert_allclose(products.left_out(pairs), wanted, atol=1e-9)

    def test_nobody_is_like_the_only_person(self) -> None:
        people = np.zeros(5, int)
        products = products_of(drawn(people, 9), people, "total")
        assert (products.left_out(each(people)) == -np.inf).all()

    def test_only_what_was_asked_for_is_answered_and_told(self) -> None:
        people = np.repeat(np.arange(6), 3)
        products = products_of(drawn(people, 30), people, "total")
        told: list[tuple[int, int]] = []
        alike = products.left_out(each(people)[2:4], lambda *step: told.append(step))
        asked: NDArray[np.bool_] = np.isin(people, (2, 3))
        assert np.isnan(alike[~asked]).all()
        assert not np.isnan(alike[asked]).any()
        assert told == [(0, 2), (1, 2), (2, 2)]
