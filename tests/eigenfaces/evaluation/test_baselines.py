"""What keeps a result honest: pixels without PCA, the face covered, guesses."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.dummy import DummyClassifier

from eigenfaces import FaceSet, Recipe
from eigenfaces.evaluation import controls
from eigenfaces.evaluation.controls import Control, between_pixels, covered, guessing
from eigenfaces.evaluation.protocols import Fold, KFold
from eigenfaces.evaluation.records import Evaluation, Setting
from eigenfaces.evaluation.run import evaluate
from eigenfaces.recognition.lighting import window_weights
from eigenfaces.space.distances import DISTANCES
from evaluation.drawn import faces_of, numbers_of

SHAPE = (24, 20)


def portraits(rng: np.random.Generator, *, tell_by: str) -> FaceSet:
    """Return 8 people × 5, told apart by the face alone, the background alone, or both."""
    face = window_weights(SHAPE, "oval") > 0
    centres = rng.uniform(0.2, 0.8, (8, 1, *SHAPE))
    noise = rng.uniform(-0.1, 0.1, (8, 5, *SHAPE))
    same = np.full(SHAPE, 0.4)
    images = {
        "face": np.where(face, centres + noise, same),
        "background": np.where(face, 0.5 + noise, centres + noise),
    }[tell_by]
    return FaceSet.from_arrays(
        images.reshape(40, *SHAPE), [f"Person {i // 5 + 1}" for i in range(40)]
    )


def control(result: Evaluation, name: str) -> Control:
    return next(each for each in result.controls if each.kind == name)


class TestCovered:
    def test_at_chance_where_all_is_in_the_face(self, rng: np.random.Generator) -> None:
        """Nothing is left of these faces: everybody is taken for the first person."""
        result = evaluate(portraits(rng, tell_by="face"), Setting(Recipe(), KFold(5)))
        hidden = control(result, "face covered")
        rank_1 = result.figure("rank-1")
        assert rank_1 is not None
        assert rank_1.value == 1
        assert hidden.value == control(result, "chance").value == 1 / 8
        assert hidden.high is not None
        assert hidden.high < 0.6
        assert control(result, "pixels L2").value == 1

    def test_far_above_chance_where_the_background_tells(self, rng: np.random.Generator) -> None:
        result = evaluate(portraits(rng, tell_by="background"), Setting(Recipe(), KFold(5)))
        hidden = control(result, "face covered")
        assert hidden.value > 0.95
        assert hidden.low is not None
        assert hidden.low > 2 * control(result, "chance").value

    def test_nothing_of_the_face_is_left(self, rng: np.random.Generator) -> None:
        faces = faces_of(rng, [3, 3], (30, 20))
        hidden = covered(faces)
        face = (window_weights((30, 20), "oval") > 0).ravel()
        assert (np.rint(255 * hidden.pixels[:, face]) == 128).all()
        np.testing.assert_array_equal(hidden.pixels[:, ~face], faces.pixels[:, ~face])
        assert hidden.index.photos == faces.index.photos
        assert hidden.pixels.are_levels == faces.pixels.are_levels
        assert 0 < face.mean() < 1


class TestPixels:
    @pytest.mark.parametrize(("name", "theirs"), [("L2", "euclidean"), ("L1", "cityblock")])
    def test_against_scipy(
        self, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch, name: str, theirs: str
    ) -> None:
        faces = faces_of(rng, [4, 5, 6])
        expected = cdist(faces.levels, faces.levels, theirs)  # type: ignore[call-overload]
        np.testing.assert_allclose(between_pixels(faces, name), expected)
        monkeypatch.setattr(controls, "_ROWS_AT_ONCE", 4)
        found = between_pixels(faces, name)
        np.testing.assert_allclose(found, expected)
        same = DISTANCES[name](faces.levels, faces.levels, np.ones(1))
        np.testing.assert_array_equal(found, same)  # to the last bit


class TestGuesses:
    @given(st.lists(st.integers(2, 9), min_size=2, max_size=6), st.integers(0, 99))
    def test_against_scikit_learn(self, counts: list[int], seed: int) -> None:
        faces = faces_of(np.random.default_rng(seed), counts, (2, 2))
        of = numbers_of(faces)
        folds = KFold(3, seed).folds(faces)
        hits, chances = [], []
        for fold in folds:
            guess = DummyClassifier().fit(of[:, None], of)  # everybody is enrolled in every fold
            hits += (guess.predict(of[fold.probes][:, None]) == of[fold.probes]).tolist()
            chances += [1 / len(np.unique(of[fold.gallery]))] * len(fold.probes)
        chance, majority = guessing(folds, of)
        assert majority == pytest.approx(np.mean(hits))
        assert chance == pytest.approx(np.mean(chances))

    def test_strangers_are_not_guessed(self) -> None:
        of = np.array([0, 0, 0, 1, 1, 2])
        fold = Fold(np.array([0, 1, 3]), np.array([0, 1, 3]), np.array([2, 4, 5]))
        assert guessing([fold], of) == (0.5, 0.5)
        nobody = Fold(np.array([0, 1]), np.array([0, 1]), np.array([5]))
        assert guessing([nobody], of) == (0, 0)
