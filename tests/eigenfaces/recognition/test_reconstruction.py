"""A face taken apart and rebuilt: errors by their formula, and the k worth a picture."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces import Recipe
from eigenfaces.project.exports import reconstruction as rebuilt_from
from eigenfaces.recognition.explanation import Reconstruction
from tests.synthetic import small_gallery


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(),
        Recipe.of(lighting="photo mean"),
        Recipe.of(scaling="correlation", whitening="pca"),
        Recipe.of(lighting="photo mean", scaling="correlation"),
    ],
)
def test_pictures_and_figures_agree_with_the_core(recipe: Recipe) -> None:
    gallery = replace(small_gallery(), recipe=recipe).train()
    face, photo = gallery.faces.image(3), gallery.index.photos[3]
    ours = Reconstruction.of(gallery, photo, face)
    errors = []
    for k in (0, 4, ours.most):
        rebuilt = ours.rebuilt(k)
        np.testing.assert_allclose(rebuilt, rebuilt_from(gallery, face, k), atol=1e-5)
        errors.append(ours.rmse(rebuilt))
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.01
    assert np.all(np.diff(ours.errors) <= 1e-12)


def test_relative_error_is_what_its_formula_says() -> None:
    gallery = small_gallery()
    face = np.random.default_rng(9).random((24, 20)).astype(np.float32)
    ours = Reconstruction.of(gallery, gallery.index.photos[0], face)
    mean = gallery.trained.space.mean.reshape(24, 20)
    for k in (0, 5, 23):
        missing = np.linalg.norm(ours.rebuilt(k) - face)
        assert ours.errors[k] == pytest.approx(missing / np.linalg.norm(face - mean), 1e-4)


def test_milestones_of_a_large_face_space() -> None:
    gallery = small_gallery()
    ours = Reconstruction.of(gallery, gallery.index.photos[0], gallery.faces.image(0))
    space = ours.space

    class Large(type(space)):
        def __len__(self) -> int:
            return 399

    space = Large(**{name: getattr(space, name) for name in space.__dataclass_fields__})
    assert replace(ours, space=space).milestones == (0, 1, 2, 5, 10, 20, 40, 80, 160, 399)
