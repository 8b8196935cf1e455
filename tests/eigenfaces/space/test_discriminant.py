"""Discriminant space: blocks count alike, the cosine tells people, what is left out."""

import numpy as np
import pytest

from eigenfaces import DISTANCES, FaceSet
from eigenfaces.errors import EigenfacesError
from eigenfaces.space import discriminant
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.discriminant import DiscriminantSpace, gram_of, scaled
from eigenfaces.space.people_axes import RIDGE, people_axes

PEOPLE = np.repeat(np.arange(6), 4)


def drawn(features: int = 30, seed: int = 0, people: Numbers = PEOPLE) -> Floats:
    rng = np.random.default_rng(seed)
    centres = np.random.default_rng(100).standard_normal((people.max() + 1, features))
    faces = centres[people] + 0.5 * rng.standard_normal((len(people), features))
    return faces.astype(np.float32)


@pytest.fixture(scope="module")
def small(att: FaceSet) -> Floats:
    """All 400 faces at a quarter of their size."""
    faces = att.pixels[:].reshape(400, *att.shape)[:, ::4, ::4]
    return faces.reshape(400, -1)


def cosines(space: DiscriminantSpace, probes: Floats, faces: Floats) -> Doubles:
    return 1 - DISTANCES["cosine"](space.project(probes), space.project(faces), space.variances)


def test_people_of_the_sample_are_told(small: Floats) -> None:
    train = np.arange(400) % 10 < 5
    people = np.arange(400) // 10
    space = DiscriminantSpace.fit(small[train], people[train], "within people")
    answers = people[train][cosines(space, small[~train], small[train]).argmax(axis=1)]
    assert len(space) == 39
    assert (answers == people[~train]).mean() >= 0.92


def test_coordinates_are_those_of_the_products() -> None:
    faces, probes = drawn(), drawn(seed=1)
    space = DiscriminantSpace.fit(faces, PEOPLE, "total")
    axes, along, span = people_axes(gram_of(scaled(faces)), PEOPLE, "total")
    wanted = (probes - faces.mean(axis=0)) @ (faces - faces.mean(axis=0)).T @ axes
    found, _ = space.in_and_from(probes, len(space))
    np.testing.assert_allclose(np.abs(found[:, :-1]), np.abs(wanted), atol=1e-4)
    assert (space.span, span, len(space)) == (5, 5, 24)
    np.testing.assert_allclose(space.project(probes)[:, :5], found[:, :5], atol=1e-4)
    assert not space.project(probes)[:, 5:].any()  # to enrol
    np.testing.assert_allclose(along.var(axis=0, ddof=1), space.variances[:-1], rtol=1e-4)
    assert space.kept[-1] == pytest.approx(1)
    assert (np.diff(space.kept) > 0).all()


def test_every_block_counts_alike_whatever_its_unit() -> None:
    faces, probes = drawn(), drawn(seed=1)
    units = np.repeat([1, 1000, 0.01], (5, 15, 10)).astype(np.float32)
    spaces = [
        DiscriminantSpace.fit(each, PEOPLE, "total", (5, 15, 10)) for each in (faces, faces * units)
    ]
    np.testing.assert_allclose(
        cosines(spaces[0], probes, faces),
        cosines(spaces[1], probes * units, faces * units),
        atol=1e-5,
    )
    matrix = scaled(faces, (5, 15, 10))
    variances = matrix.rows(0, len(faces)).var(axis=0, ddof=1)
    for block in np.split(variances, (5, 20)):
        assert block.sum() == pytest.approx(1)


def test_a_block_without_variance_counts_for_nothing() -> None:
    faces, probes = drawn(), drawn(seed=1)
    plain = np.full((len(faces), 7), 0.3, np.float32)
    with_it = DiscriminantSpace.fit(np.hstack([faces, plain]), PEOPLE, "total", (30, 7))
    without = DiscriminantSpace.fit(faces, PEOPLE, "total", (30,))
    np.testing.assert_allclose(
        cosines(with_it, np.hstack([probes, plain]), np.hstack([faces, plain])),
        cosines(without, probes, faces),
        atol=1e-5,
    )


def test_two_fits_agree_to_the_last_bit_and_in_sign() -> None:
    order = np.random.default_rng(0).permutation(len(PEOPLE))
    faces = drawn()
    first, again = (DiscriminantSpace.fit(faces, PEOPLE, "total") for _ in range(2))
    assert np.array_equal(first.axes, again.axes)
    other = DiscriminantSpace.fit(faces[order], PEOPLE[order], "total")
    np.testing.assert_allclose(other.axes, first.axes, atol=1e-5 * np.abs(first.axes).max())


def test_what_the_axes_leave_out() -> None:
    faces = drawn()
    space = DiscriminantSpace.fit(faces, PEOPLE, "within people")
    inside = space.mean + np.float32(0.1) * space.axes[:3].sum(axis=0)
    for k, far in ((5, False), (3, False), (2, True)):
        along, outside = space.in_and_from(inside[None], k)
        np.testing.assert_allclose(along, space.project(inside[None])[:, :k], rtol=1e-4)
        assert (outside[0] > 1e-3) == far
    _, all_of_it = space.in_and_from(faces, 0)
    np.testing.assert_allclose(all_of_it, np.linalg.norm(faces - space.mean, axis=1), rtol=1e-5)


def test_what_cannot_be_fitted_is_refused() -> None:
    faces = drawn()
    for rows, why in (
        (faces[:1], "two photographs"),
        (np.full_like(faces, 0.5), "the same"),
        (np.where(np.eye(24, 30) > 0, np.nan, faces), "not numbers"),
    ):
        with pytest.raises(EigenfacesError, match=why):
            DiscriminantSpace.fit(rows, PEOPLE[: len(rows)], "total")
    with pytest.raises(EigenfacesError, match="another size"):
        DiscriminantSpace.fit(faces, PEOPLE, "total").project(faces[:, 1:])


def test_features_that_are_made_are_made_some_at_a_time_and_told() -> None:
    """So that making those of thousands of faces can be stopped."""
    made: list[int] = []
    told: list[int] = []

    class Made:
        shape, in_memory = (600, 30), ()

        def read(self, rows: Numbers) -> Floats:
            made.append(len(rows))
            return np.random.default_rng(0).random((600, 30), np.float32)[rows]

        def select(self, rows: Numbers) -> "Made":
            raise NotImplementedError

    people = np.arange(600) // 5
    space = DiscriminantSpace.fit(
        Crops(Made()), people, "total", tick=lambda *_: told.append(len(made))
    )
    whole = DiscriminantSpace.fit(Made().read(np.arange(600)), people, "total")
    np.testing.assert_array_equal(space.axes, whole.axes)
    assert max(made[:-1]) <= 256
    assert told[0] <= 1


def test_the_work_is_told_to_its_end() -> None:
    told: list[tuple[int, int]] = []
    DiscriminantSpace.fit(drawn(), PEOPLE, "total", tick=lambda *step: told.append(step))
    shares = [done / total for done, total in told]
    assert shares[-1] == 1
    assert shares == sorted(shares)


def test_of_very_many_people_whose_photographs_hardly_differ() -> None:
    """No axis is lost to rounding, and none is made of it: they are as many as features."""
    rng, people = np.random.default_rng(0), np.repeat(np.arange(800), 2)
    faces = rng.random((800, 30))[people] + 1e-2 * rng.random((1600, 30))
    space = DiscriminantSpace.fit(faces.astype(np.float32), people, "within people")
    assert len(space) == 30
    apart = faces - faces.reshape(800, 2, 30).mean(axis=1)[people]
    scatter = apart.T @ apart
    ridge = RIDGE * np.trace(scatter) / (len(faces) - 1)
    centred = faces - faces.mean(axis=0)
    products = centred @ np.linalg.inv(scatter + ridge * np.eye(30)) @ centred.T
    lengths = np.sqrt(np.diag(products))
    found = cosines(space, faces.astype(np.float32), faces.astype(np.float32))
    np.testing.assert_allclose(found, products / np.outer(lengths, lengths), atol=1e-4)


def test_is_read_some_faces_at_a_time(small: Floats, monkeypatch: pytest.MonkeyPatch) -> None:
    people, blocks = np.arange(400) // 10, (small.shape[1] - 100, 100)
    whole = DiscriminantSpace.fit(small, people, "total", blocks)
    monkeypatch.setattr(discriminant, "_ROWS_AT_ONCE", 33)
    pieces = DiscriminantSpace.fit(Crops(small), people, "total", blocks)
    np.testing.assert_allclose(pieces.axes, whole.axes, rtol=1e-3, atol=1e-6)
    grams = discriminant.grams_of(scaled(small, blocks), blocks)
    centred = (small - small.mean(axis=0, dtype=float)) / scaled(small, blocks).scale
    wanted = [part @ part.T for part in np.split(centred, blocks[:1], axis=1)]
    np.testing.assert_allclose(grams, wanted, atol=1e-12)
