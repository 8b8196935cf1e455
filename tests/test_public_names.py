"""The public names are there, and do what the manual says of those of OpenCV and scikit-learn."""

import contextlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import eigenfaces
from eigenfaces import (
    FaceSet,
    Gallery,
    KFold,
    Preparation,
    Project,
    Recipe,
    Setting,
    evaluate,
    identify,
    load_face,
)


@pytest.fixture
def images(rng: np.random.Generator) -> np.ndarray:
    """(16, 20, 18): four people × four pictures, 0…255."""
    people = np.repeat(rng.integers(40, 200, (4, 20, 18)), 4, axis=0)
    return (people + rng.integers(0, 30, (16, 20, 18))).astype(np.uint8)


def test_each_is_there() -> None:
    """They are imported when they are first asked for."""
    assert all(hasattr(eigenfaces, name) for name in eigenfaces.__all__)


def test_what_the_manual_says_of_others(images: np.ndarray, tmp_path: Path) -> None:
    from sklearn.decomposition import PCA

    names = [name for name in ("Ada", "Emmy", "Grace", "Sofia") for _ in range(4)]
    prepared = Preparation(20, 18, already_cropped=True)
    faces = FaceSet.from_arrays(images / 255, names)
    gallery = Gallery(faces, prepared, Recipe()).train()
    assert identify(gallery, images[5] / 255).closest.person == "Emmy"
    assert identify(gallery.calibrate(), images[5] / 255).decision.limit is not None
    space, pixels = gallery.trained.space, images.reshape(16, -1) / 255
    pca = PCA(15, svd_solver="full").fit(pixels)
    np.testing.assert_allclose(np.abs((space.components @ pca.components_.T).diagonal()), 1, 1e-4)
    np.testing.assert_allclose(space.variance_ratio, pca.explained_variance_ratio_, 1e-4)
    rebuilt = space.reconstruct(space.project(pixels))
    np.testing.assert_allclose(rebuilt, pca.inverse_transform(pca.transform(pixels)), atol=1e-5)
    result = evaluate(faces, Setting(Recipe(), KFold(4), curves=False))
    assert all(0 <= f.low <= f.value <= f.high <= 1 for f in result.figures)
    with contextlib.closing(Project.create(tmp_path / "p.eigenfaces", gallery)) as project:
        assert project.gallery.people == ("Ada", "Emmy", "Grace", "Sofia")
    Image.fromarray(images[5]).save(tmp_path / "new.png")
    _, face = load_face(tmp_path / "new.png", prepared)
    np.testing.assert_allclose(face, images[5] / 255, atol=1e-6)
