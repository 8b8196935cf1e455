"""A table of one's own: the biplot, its colours, and what other lessons make of a table."""

import numpy as np
import pytest
from made_subjects import panels
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler

from eigenfaces.errors import EigenfacesError
from eigenfaces.laboratory.points import Cloud
from eigenfaces.lessons.catalogue import lesson
from eigenfaces.lessons.drawing import Dots, PlanePanel, RowsPanel, Strokes
from eigenfaces.lessons.subjects import SUBJECTS

OWN = lesson("own-table")
RNG = np.random.default_rng(2)
VALUES = RNG.normal(size=(30, 4)) @ np.diag([1, 10, 0.1, 3]) + RNG.normal(size=(30, 1))
TREES = Cloud(
    title="30 trees",
    values=VALUES,
    columns=("height", "girth", "age", "width"),
    labels=("oak", "ash", "elm") * 10,
    names=tuple(f"tree {at}" for at in range(30)),
    words={"name": tuple(f"tree {at}" for at in range(30)), "kind": ("oak", "ash", "elm") * 10},
)


@pytest.mark.parametrize("scaled", [True, False])
def test_dots_are_the_scores_of_scikit_learn_and_arrows_the_correlations(scaled: bool) -> None:
    numbers = OWN.show(TREES, scaled=scaled).numbers
    x = StandardScaler().fit_transform(VALUES) if scaled else VALUES - VALUES.mean(axis=0)
    theirs = PCA(2).fit(x)
    signs = np.sign(np.sum(theirs.transform(x) * numbers["scores"], axis=0))
    np.testing.assert_allclose(numbers["scores"] * signs, theirs.transform(x), atol=1e-9)
    covariances = x.T @ (numbers["scores"] / numbers["scores"].std(axis=0)) / len(x)
    np.testing.assert_allclose(numbers["loadings"], covariances, atol=1e-9)


def test_an_arrow_is_named_and_the_row_that_is_chosen_is_the_same_in_both() -> None:
    plane, table = panels(OWN.show(TREES, which=7))
    assert isinstance(plane, PlanePanel)
    assert isinstance(table, RowsPanel)
    (dots,) = (layer for layer in plane.layers if isinstance(layer, Dots))
    arrows = [layer for layer in plane.layers if isinstance(layer, Strokes)]
    assert {arrow.words for arrow in arrows} == set(TREES.columns)
    assert dots.chosen == table.chosen == 6
    assert table.head == ("row", "name", "kind", *TREES.columns)
    assert table.rows[6][:3] == ("7", "tree 6", "oak")
    assert dots.words[6] == "tree 6"
    assert dots.names == ("ash", "elm", "oak")
    assert table.around.rows[table.around.strong[0]] == table.rows[6][:5]


def test_colours_follow_a_column_of_words_or_thirds_of_numbers() -> None:
    ready = OWN.prepared(TREES, OWN.default_settings)
    assert list(ready.groups) == ["kind", "one colour", *TREES.columns]  # names are no groups
    labels, names = ready.groups["height"]
    assert labels is not None
    assert np.bincount(labels).tolist() == [10, 10, 10]
    assert [name.split()[0] for name in names] == ["to", names[0].split()[1], "over"]
    for group in (0, 1):
        assert VALUES[labels == group, 0].max() <= VALUES[labels == group + 1, 0].min()


def test_a_table_of_one_direction_and_of_a_constant_column_is_shown() -> None:
    line = np.column_stack([np.arange(5.0), 2 * np.arange(5.0), np.full(5, 7.0)])
    for scaled in (True, False):
        picture = OWN.show(Cloud(title="", values=line, columns=("a", "b", "c")), scaled=scaled)
        assert picture.numbers["scores"].shape == (5, 1)


@pytest.mark.parametrize("name", ["variance", "scale", "whitening"])
def test_lessons_on_points_take_a_table_and_their_listing_gives_its_numbers(name: str) -> None:
    chosen = lesson(name)
    values = ", ".join(map(str, VALUES.tolist()))
    cloud = Cloud(
        title="t", values=VALUES, columns=TREES.columns, code=f"x = np.array([{values}])\n"
    )
    settings = {**chosen.default_settings}
    if name == "variance":
        settings |= {"across": "width", "up": "height"}
        assert chosen.limits(cloud)["up"] == {n: n for n in ("girth", "age", "width", "height")}
    names: dict = {}
    exec(chosen.code(cloud, settings), names)
    for key, shown in chosen.show(cloud, **settings).numbers.items():
        np.testing.assert_allclose(names[key], shown, rtol=1e-6, atol=1e-9, err_msg=key)


def test_scale_draws_the_columns_of_a_table_as_arrows_and_the_one_that_changes_in_red() -> None:
    picture = lesson("scale").show(TREES, factor=1000.0)
    plane = picture.upper.rows[0][0]
    arrows = [layer for layer in plane.layers if isinstance(layer, Strokes)]
    (red,) = (arrow for arrow in arrows if arrow.ink == "contrast")
    assert red.words.startswith("age")
    lengths = [float(np.hypot(*arrow.end[0])) for arrow in arrows]
    assert max(lengths) == pytest.approx(float(np.hypot(*red.end[0])))


def test_neighbours_need_labels() -> None:
    plain = Cloud(title="", values=VALUES, columns=TREES.columns)
    with pytest.raises(EigenfacesError, match="25 rows with labels"):
        lesson("cannot-see").show(plain)
    assert lesson("cannot-see").show(TREES).numbers["same"].shape == (2,)


def test_irises_open_with_two_petals_on_one_line() -> None:
    """As its first thing to try says."""
    loadings = OWN.show(SUBJECTS["iris"].make(0)).numbers["loadings"]
    angles = np.degrees(np.arctan2(loadings[:, 1], loadings[:, 0]))
    assert abs(angles[2] - angles[3]) < 3
