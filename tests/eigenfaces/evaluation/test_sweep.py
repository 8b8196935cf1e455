"""Many settings in one table: each cell as if measured alone, and none measured twice."""

import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import EigenfacesError, FaceSet, Recipe
from eigenfaces.errors import Cancelled
from eigenfaces.evaluation.evaluate import evaluate, make_split
from eigenfaces.evaluation.leaks import LeakError
from eigenfaces.evaluation.protocols import KFold, LeaveOneOut, OpenSet
from eigenfaces.evaluation.results import Setting
from eigenfaces.evaluation.spaces import Spaces
from eigenfaces.evaluation.split_files import Lists, Pairs
from eigenfaces.evaluation.sweep import (
    Cell,
    Grid,
    folds_words,
    from_csv,
    recipe_label,
    resized,
    sweep,
    to_csv,
)
from eigenfaces.faces.photo_index import PhotoIndex
from evaluation.drawn import faces_of

SETTING = Setting(Recipe(), KFold(3, seed=2))
GRID = Grid(
    recipes=(Recipe(), Recipe.of("Means", rule="class mean", scaling="correlation")),
    distances=("L1", "cosine", "Mahalanobis L2"),
    components=(2, 5, 9),
    sizes=(None, (7, 6)),
    dropped=(0, 2),
    settings={"lighting": ("none", "mean and variance")},
)


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    return faces_of(np.random.default_rng(3), [5] * 6, (14, 12), spread=0.4)


@pytest.fixture(scope="module")
def table(faces: FaceSet) -> list[Cell]:
    return sweep(faces, SETTING, GRID)


def test_all_combinations_once(table: list[Cell]) -> None:
    assert len({(*cell.combination, cell.components) for cell in table}) == len(table)
    kept = 3 + 2  # numbers of components that are left where 0 and 2 are dropped
    assert len(table) == 2 * 2 * 2 * 3 * kept
    assert {(cell.height, cell.width) for cell in table} == {(14, 12), (7, 6)}
    assert all(cell.dropped < cell.components for cell in table)
    assert all(0 <= cell.low <= cell.accuracy <= cell.high <= 1 for cell in table)
    assert len({cell.accuracy for cell in table}) > 5


def test_elsewhere_the_same_comes_out(faces: FaceSet, table: list[Cell]) -> None:
    """Tested on threads: what is asked is a function of a module, and values."""
    with ThreadPoolExecutor(2) as threads:
        assert sweep(faces, SETTING, GRID, executor=threads) == table


def test_what_goes_to_a_process_holds_what_folds_have_in_common(faces: FaceSet) -> None:
    sent: list[bool] = []

    class Here(ThreadPoolExecutor):
        def submit(self, function, task, number):  # type: ignore[no-untyped-def]
            sent.append("gram" in vars(pickle.loads(pickle.dumps(task)).spaces.folds))
            return super().submit(function, task, number)

    with Here(1) as executor:
        sweep(faces, SETTING, Grid(distances=("L2",), components=(2,)), executor=executor)
    assert sent == [True] * 3


def test_each_cell_is_an_evaluation_of_its_own(
    faces: FaceSet, table: list[Cell], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("eigenfaces.evaluation.evaluate._controls", lambda *_: ())
    monkeypatch.setattr("eigenfaces.evaluation.evaluate.verification", lambda *_: [])
    recipes = {recipe_label(recipe): recipe for recipe in GRID.recipes}
    for cell in table[::2]:
        recipe = recipes[cell.recipe].changed(
            lighting=cell.lighting,  # type: ignore[arg-type]
            distance=cell.distance,
            dropped=cell.dropped,
            components=cell.components,
        )
        smaller = resized(faces, (cell.height, cell.width))
        setting = replace(SETTING, recipe=recipe, curves=False)
        figure = evaluate(smaller, setting).figure("rank-1")
        assert figure is not None
        assert (cell.accuracy, cell.low, cell.high) == pytest.approx(
            (figure.value, figure.low, figure.high)
        )


class Counted:
    """Counts how often a face space is fitted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        fit = Spaces.fit

        def counted(spaces: Spaces, train: np.ndarray) -> object:
            self.times += 1
            return fit(spaces, train)

        monkeypatch.setattr(Spaces, "fit", counted)


class TestResumed:
    def test_nothing_is_measured_again(
        self, faces: FaceSet, table: list[Cell], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        counted = Counted(monkeypatch)
        assert sweep(faces, SETTING, GRID, known=table) == table
        assert counted.times == 0

    def test_from_anywhere_the_table_is_the_same(self, faces: FaceSet, table: list[Cell]) -> None:
        """Stopped in the middle of a block, and taken up from what the file held by then."""
        words = folds_words(make_split(faces, SETTING), SETTING.protocol)
        for stop in (1, 5, 13):
            saved = [to_csv([], words)]

            def tick(done: int, total: int, stop: int = stop) -> None:
                if done == stop:
                    raise Cancelled

            with pytest.raises(Cancelled):
                sweep(
                    faces,
                    SETTING,
                    GRID,
                    tick=tick,
                    grown=lambda cells, saved=saved: saved.append(to_csv(cells, words)),
                )
            assert len(saved) == 1 + stop // 3  # three folds a block
            known = from_csv(saved[-1], words)
            again = sweep(faces, SETTING, GRID, known=known)
            assert sorted(again, key=repr) == sorted(table, key=repr)

    def test_only_what_is_new_is_measured(
        self, faces: FaceSet, table: list[Cell], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        counted = Counted(monkeypatch)
        more = replace(GRID, distances=("L1", "L2"), settings={}, sizes=(None,))
        wider = sweep(faces, SETTING, more, known=table)
        assert counted.times == 2 * 3  # recipes and folds
        assert set(table) < set(wider)
        assert {cell.distance for cell in set(wider) - set(table)} == {"L2"}


def test_what_shares_a_face_space_is_fitted_once(
    faces: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(monkeypatch)
    grid = Grid(
        components=(5,),
        distances=("l2", "cosine"),
        settings={
            "whitening": ("none", "pca"),
            "smoothing": (0.0, "20%"),
            "rule": ("nearest", "mean distance"),
            "window": ("none", "oval"),
        },
    )
    cells = sweep(faces, SETTING, grid)
    assert counted.times == 2 * 3  # windows and folds
    assert len(cells) == 2 * 2 * 2 * (1 + 2)
    assert len({cell.accuracy for cell in cells}) > 5


def test_progress(faces: FaceSet) -> None:
    ticks: list[tuple[int, int]] = []
    sizes: list[int] = []
    small = Grid(components=(2,), settings={"lighting": ("none", "photo mean")})
    sweep(
        faces,
        SETTING,
        small,
        tick=lambda *at: ticks.append(at),
        grown=lambda c: sizes.append(len(c)),
    )
    assert ticks == [(number, 6) for number in range(6)]
    assert sizes == [4, 8]


def test_more_components_than_there_are(faces: FaceSet) -> None:
    cells = sweep(faces, SETTING, Grid(components=(3, 19, 20, 400), distances=("L2",)))
    assert [cell.components for cell in cells] == [3, 19]  # 20 faces are fitted to
    with pytest.raises(EigenfacesError, match=r"at most 19 components: ask for fewer\.$"):
        sweep(faces, SETTING, Grid(components=(20, 400)))


class TestRefusals:
    def test_larger_than_they_were_cut(self, faces: FaceSet) -> None:
        done: list[int] = []
        for size in ((15, 12), (14, 13), (0, 5), (5, -1)):
            with pytest.raises(EigenfacesError, match="The faces are 12 × 14 pixels: a sweep can"):
                sweep(
                    faces,
                    SETTING,
                    Grid(sizes=(None, size), components=(2,)),
                    grown=lambda cells: done.append(len(cells)),
                )
        assert done == []  # before anything is measured

    def test_what_does_not_go_together(self, faces: FaceSet) -> None:
        for whitening, distance in (("pca", "Mahalanobis L1"), ("none", "nearest")):
            recipe = Recipe.of(whitening=whitening)  # type: ignore[arg-type]
            with pytest.raises(EigenfacesError, match=r"[Cc]hoose"):
                sweep(faces, SETTING, Grid((recipe,), ("L2", distance), (2,)))

    def test_pairs_and_leaks(self, faces: FaceSet) -> None:
        pairs = Pairs(((("1", "2"),), (("3", "4"),)))
        with pytest.raises(EigenfacesError, match="A sweep needs searches"):
            sweep(faces, replace(SETTING, protocol=pairs, allow_leaks=True), Grid())
        leaking = Lists(("1", "2", "3", "4"), tuple(str(i) for i in range(1, 31)))
        with pytest.raises(LeakError):
            sweep(faces, replace(SETTING, protocol=leaking), Grid())


class TestTable:
    def test_it_is_read_as_written(self, table: list[Cell]) -> None:
        text = to_csv(table, "ten folds; 5")
        back = from_csv(text, "ten folds; 5")
        assert sorted(back, key=repr) == sorted(table, key=repr)
        accuracies = [cell.accuracy for cell in back]
        assert accuracies == sorted(accuracies, reverse=True)
        assert to_csv(back, "ten folds; 5") == text

    def test_names_that_need_quotes(self) -> None:
        cell = Cell('a, "b"\nc', "none", 2, 2, "L2", 0, 1, 0.1 + 0.2, 0.0, 1.0)
        assert from_csv(to_csv([cell], "x, y"), "x, y") == [cell]

    def test_an_empty_file(self) -> None:
        assert from_csv("", "x") == from_csv(to_csv([], "x"), "x") == []

    def test_of_others_it_is_refused(self, faces: FaceSet, table: list[Cell]) -> None:
        def words(some: FaceSet, setting: Setting = SETTING) -> str:
            return folds_words(make_split(some, setting), setting.protocol)

        photos = list(faces.index.photos)
        photos[3] = replace(photos[3], person=photos[4].person)
        others = [
            words(faces.select(range(29))),
            words(faces.select(np.arange(30)[::-1])),
            words(replace(faces, index=PhotoIndex(tuple(photos)))),
            words(faces, replace(SETTING, protocol=KFold(3, seed=3))),
            words(faces, replace(SETTING, protocol=LeaveOneOut())),
            words(faces, replace(SETTING, protocol=OpenSet(2))),
        ]
        assert len({words(faces), *others}) == 7
        assert words(faces) == words(faces)
        for other in others:
            with pytest.raises(EigenfacesError, match="of other faces or another protocol"):
                from_csv(to_csv(table, words(faces)), other)

    @pytest.mark.parametrize(
        "text",
        [
            "hello\n",
            "my notes\nabout faces\n",
            "recipe,accuracy\nEigenfaces,0.5\n",
            "\x00",
            to_csv([], "x") + "a,b\n",
            to_csv([Cell("a", "b", 1, 1, "c", 0, 1, math.nan, 0.1, 0.9)], "x"),
            to_csv([Cell("a", "b", 1, 1, "c", 0, 1, 0.5, 0.1, 0.9)], "x").replace("0.0", "much"),
            to_csv([Cell("a", "b", 1, 1, "c", 0, 1, 0.5, 0.1, 0.9)], "x").replace("0.5", "best"),
        ],
    )
    def test_no_table(self, text: str) -> None:
        """It is not overwritten: somebody chose the wrong file."""
        with pytest.raises(EigenfacesError, match=r"no table of a sweep .* another file"):
            from_csv(text, "x")


def test_recipes_are_named_by_what_is_not_as_usual() -> None:
    assert recipe_label(Recipe()) == "Eigenfaces"
    assert recipe_label(Recipe.of(distance="L1", components=3, dropped=1)) == "Eigenfaces"
    odd = Recipe.of("Mine", window="oval", whitening="pca", smoothing=0.1, neighbours=3)
    assert recipe_label(odd) == "Mine, window oval, whitening pca, smoothing 0.1, neighbours 3"


def test_smaller_faces_are_averages(faces: FaceSet) -> None:
    smaller = resized(faces, (7, 6))
    assert smaller.shape == (7, 6)
    blocks = faces.pixels[:].reshape(30, 7, 2, 6, 2).mean(axis=(2, 4))
    np.testing.assert_allclose(smaller.pixels[:], blocks.reshape(30, 42), atol=1e-6)
    assert resized(faces, None) is resized(faces, (14, 12)) is faces
