"""Nearest neighbours with the right label: those of scikit-learn, on the same halves."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier

from eigenfaces.errors import Cancelled, EigenfacesError
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.laboratory import label_accuracy
from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.label_accuracy import LabelAccuracy
from eigenfaces.laboratory.lessons.subjects import SUBJECTS

DIGITS = SUBJECTS["digits"].make(0)


def some_digits(n: int = 400) -> ImageSet:
    assert isinstance(DIGITS, ImageSet)
    return DIGITS.select(range(n))


def labelled(labels: tuple[str, ...] | None, shape: tuple[int, ...] = (3, 3)) -> ImageSet:
    n = 12 if labels is None else len(labels)
    pixels = np.random.default_rng(0).random((n, int(np.prod(shape))), np.float32)
    return ImageSet(title="Noise", pixels=pixels, shape=shape, labels=labels)


def of_scikit_learn(pictures: ImageSet, ks: tuple[int, ...], seed: int) -> list[float]:
    x, y = pictures.values, np.array(pictures.labels)
    right: list[list[bool]] = [[] for _ in ks]
    for fold in KFold(parts=2, seed=seed).folds(label_accuracy._as_faces(pictures)):
        fitted = PCA(svd_solver="full").fit(x[fold.train])
        train, probes = fitted.transform(x[fold.train]), fitted.transform(x[fold.probes])
        for found, k in zip(right, ks, strict=True):
            nearest = KNeighborsClassifier(1).fit(train[:, :k], y[fold.train])
            found += (nearest.predict(probes[:, :k]) == y[fold.probes]).tolist()
    return [float(np.mean(each)) for each in right]


@pytest.mark.parametrize("seed", [0, 5])
def test_it_is_that_of_scikit_learn_on_the_same_halves(seed: int) -> None:
    pictures, ks = some_digits(), (1, 2, 7, 20, 50)
    found = LabelAccuracy.of(pictures, seed)
    np.testing.assert_allclose(
        found.right[np.array(ks) - 1], of_scikit_learn(pictures, ks, seed), atol=1e-12
    )
    assert (found.low <= found.right).all()
    assert (found.right <= found.high).all()
    assert found.right[found.best - 1] == found.right.max()
    assert (found.pictures, found.labels) == (400, 10)


def test_pictures_in_colour_are_compared_by_all_their_channels() -> None:
    pictures = labelled(tuple("abc" * 8), (3, 2, 3))
    found = LabelAccuracy.of(pictures)
    np.testing.assert_allclose(
        found.right[[0, 4]], of_scikit_learn(pictures, (1, 5), 0), atol=1e-12
    )


def test_another_seed_makes_other_halves() -> None:
    first, again, other = (LabelAccuracy.of(some_digits(), seed).right for seed in (0, 0, 1))
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_a_picture_without_a_label_takes_no_part() -> None:
    labels = tuple("ab" * 8)
    whole = labelled(labels + ("",) * 4)
    found = LabelAccuracy.of(whole)
    assert (found.pictures, found.labels) == (16, 2)
    np.testing.assert_array_equal(found.right, LabelAccuracy.of(whole.select(range(16))).right)


def test_of_many_pictures_a_sample_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(label_accuracy, "MOST_PICTURES", 100)
    assert LabelAccuracy.of(some_digits()).pictures == 100


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (None, "no labels"),
        (("a",) * 9, "one label"),
        (tuple("abcdef"), "No label has two pictures"),
        (("", "", "", "a"), "at least two pictures"),
    ],
)
def test_without_labels_to_tell_apart_it_is_a_sentence(
    labels: tuple[str, ...] | None, sentence: str
) -> None:
    with pytest.raises(EigenfacesError, match=sentence):
        LabelAccuracy.of(labelled(labels))


def test_it_can_be_stopped() -> None:
    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        LabelAccuracy.of(some_digits(), tick=stop)
