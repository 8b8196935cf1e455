"""Features that the program does not know, compared in what is no face space.

They are a file with a features value: gallery, verdict, evaluation and record take them as
they are. Here: a random projection of pixels and their squares, centred by the people's means.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from synthetic import people

from eigenfaces import (
    Cancelled,
    EigenfacesError,
    FaceSet,
    Gallery,
    Preparation,
    Project,
    Recipe,
    Setting,
    evaluate,
    identify,
)
from eigenfaces.errors import Tick, no_tick
from eigenfaces.evaluation.protocols import FirstPhotos
from eigenfaces.evaluation.records import Record, Source, from_json, to_json
from eigenfaces.recognition import recipe as recipes
from eigenfaces.recognition.explanation import explain
from eigenfaces.recognition.features import Features, PixelFeatures
from eigenfaces.recognition.matcher import Matcher
from eigenfaces.recognition.verdict import consistency
from eigenfaces.wording import Field, Whole

DIRECTIONS = 12
FIRST = 3
"""Photographs of each person that are enrolled."""


@dataclass(frozen=True, eq=False)
class RandomDirections:
    """Coordinates along random directions of unit length, from the mean of the people's means."""

    middle: np.ndarray
    components: np.ndarray
    variances: np.ndarray

    @property
    def kept(self) -> np.ndarray:
        return np.cumsum(self.variances) / self.variances.sum()

    def __len__(self) -> int:
        return len(self.components)

    def project(self, features: np.ndarray, /) -> np.ndarray:
        return ((features - self.middle) @ self.components.T).astype(np.float32)

    def in_and_from(self, features: np.ndarray, k: int, /) -> tuple[np.ndarray, np.ndarray]:
        left = features - self.middle
        inside = self.project(features)[:, :k]
        return inside, np.linalg.norm(left - inside @ self.components[:k], axis=1)

    def in_file(self) -> "RandomDirections":
        return self


@dataclass(frozen=True)
class RandomProjection(Features):
    """Grey levels and their squares side by side, projected on random directions."""

    seed: int = 0

    FIELDS: ClassVar[tuple[Field, ...]] = (
        Whole(name="seed", label="Seed", about="Of the directions", least=0, most=9, refusal="No."),
    )

    def of(self, pixels: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
        return np.concatenate([pixels, pixels**2], axis=-1)

    def fit(
        self,
        features: np.ndarray,
        people: Sequence[str | None],
        shape: tuple[int, int],
        tick: Tick = no_tick,
    ) -> RandomDirections:
        tick(0, 1)
        rows = features[:]
        assert len(rows) == len(people)
        own = {name: [at for at, each in enumerate(people) if each == name] for name in people}
        middle = np.mean([rows[places].mean(axis=0) for places in own.values()], axis=0)
        drawn = np.random.default_rng(self.seed).normal(size=(rows.shape[1], DIRECTIONS))
        components = np.linalg.qr(drawn)[0].T
        spread = ((rows - middle) @ components.T).var(axis=0)
        order = spread.argsort()[::-1]
        return RandomDirections(middle, components[order], spread[order])


RECIPE = Recipe("Random projection", RandomProjection(), Matcher(components=1.0))


@pytest.fixture(scope="module")
def faces() -> FaceSet:
    return people(np.random.default_rng(4), 5, 6)


def gallery_of(faces: FaceSet, recipe: Recipe = RECIPE) -> Gallery:
    return Gallery(faces, Preparation(16, 16, already_cropped=True), recipe).train()


def enrolled_first(faces: FaceSet) -> np.ndarray:
    return np.arange(len(faces)) % 6 < FIRST


def test_it_is_compared_in_what_was_fitted_and_shown_in_the_face_space(faces: FaceSet) -> None:
    """Against the arithmetic written out, and a face space of the pixels that nothing changed."""
    first = np.flatnonzero(enrolled_first(faces))
    gallery = gallery_of(faces.select(first))
    training = gallery.trained
    features = RandomProjection().of(faces.pixels[:], faces.shape)
    fitted = RandomProjection().fit(
        features[first], [p.person for p in gallery.index.photos], (16, 16)
    )
    known = fitted.project(features)
    np.testing.assert_allclose(training.compared, known[first], atol=1e-5)
    assert gallery.k == len(training.representation) == DIRECTIONS
    plain = gallery_of(faces.select(first), Recipe())
    np.testing.assert_array_equal(training.coordinates, plain.trained.coordinates)
    np.testing.assert_array_equal(training.space.components, plain.trained.space.components)
    expected = cdist(known[~enrolled_first(faces)], known[first])
    for probe, line in zip(np.flatnonzero(~enrolled_first(faces)), expected, strict=True):
        verdict = identify(gallery, faces.image(int(probe)))
        assert verdict.rows[0] == line.argmin()
        np.testing.assert_allclose(verdict.distances, np.sort(line), rtol=1e-4, atol=1e-4)
        split = explain(gallery, faces.image(int(probe)), verdict).closest
        assert split.total == pytest.approx(verdict.distances[0] ** 2, rel=1e-3)
        assert split.over is None  # nothing is known of where its numbers lie
    rows, apart = consistency(gallery, "Person 2")
    own = training.compared[rows]
    np.testing.assert_allclose(apart, np.linalg.norm(own - own.mean(axis=0), axis=1), rtol=1e-4)


def test_both_spaces_follow_the_photographs(faces: FaceSet) -> None:
    """Enrolled, removed, and trained meanwhile: as if all had been projected at once."""
    gallery = gallery_of(faces.select(range(20)))
    more = gallery.enrol(faces.select(range(20, 30)))
    for space, coordinates, of in (
        (more.trained.space, more.trained.coordinates, more.recipe.pixels),
        (more.trained.representation, more.trained.compared, more.recipe.features),
    ):
        features = of.of(more.faces.pixels[:], (16, 16))
        np.testing.assert_allclose(coordinates, space.project(features), atol=1e-4)
    fewer = more.remove([photo.key for photo in more.index.photos[5:9]])
    left = [*range(5), *range(9, 30)]
    np.testing.assert_array_equal(fewer.trained.compared, more.trained.compared[left])
    np.testing.assert_array_equal(fewer.trained.coordinates, more.trained.coordinates[left])
    adopted = fewer.adopt(gallery.trained)
    np.testing.assert_allclose(adopted.trained.compared, fewer.trained.compared, atol=1e-4)
    with pytest.raises(ValueError, match="one row"):
        replace(more, faces=fewer.faces)


def test_only_its_own_settings_refit(faces: FaceSet) -> None:
    gallery = gallery_of(faces)
    assert gallery.with_recipe(RECIPE.changed(distance="cosine")).changes == 0
    assert gallery.with_recipe(RECIPE.changed(seed=1)).changes == 1
    assert gallery.with_recipe(Recipe()).changes == 1
    assert RECIPE.pixels == PixelFeatures()
    assert next(field.name for field in RECIPE.fields) == "seed"


def test_it_is_evaluated_as_a_gallery_answers(faces: FaceSet) -> None:
    setting = Setting(RECIPE.changed(components=8), FirstPhotos(FIRST))
    result = evaluate(faces, setting)
    first = np.flatnonzero(enrolled_first(faces))
    gallery = gallery_of(faces.select(first), setting.recipe)
    assert result.searches is not None
    for probe, answer in zip(result.searches.probes, result.searches.answers, strict=True):
        assert (
            identify(gallery, faces.image(int(probe))).closest.person == faces.index.people[answer]
        )
    assert result.by_components is not None
    figure = result.figure("rank-1")
    assert figure is not None
    assert result.by_components.accuracy["L2"][7] == pytest.approx(figure.value)
    assert len(result.by_components) == DIRECTIONS
    assert (np.diff(result.by_components.left_out) <= 1e-9).all()


def test_its_record_is_read_again(faces: FaceSet, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the recipe stands in the table."""
    monkeypatch.setitem(recipes.RECIPES, RECIPE.name, RECIPE)
    changed = RECIPE.changed(seed=3, distance="cosine")
    result = evaluate(faces, Setting(changed, FirstPhotos(FIRST), curves=False))
    back = from_json(to_json(Record(result, Preparation(16, 16), Source("sample"))))
    assert back.evaluation.setting.recipe == changed == Recipe.of(**changed.record)


def test_a_project_does_not_hold_it_yet(faces: FaceSet, tmp_path: Path) -> None:
    """Rather than a face space that its matcher was not meant for."""
    with pytest.raises(EigenfacesError, match="does not hold"):
        Project.create(tmp_path / "other.eigenfaces", gallery_of(faces))


def test_it_can_be_stopped(faces: FaceSet) -> None:
    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        Gallery(faces, Preparation(16, 16, already_cropped=True), RECIPE).train(stop)
