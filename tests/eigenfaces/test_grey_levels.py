"""Grey levels as bytes 0…255 and as numbers 0…1 are the same faces, wherever faces come in."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from eigenfaces import (
    FaceSet,
    FaceSpace,
    Gallery,
    ImageSet,
    Preparation,
    Recipe,
    identify,
    identify_all,
    map_of_components,
)
from eigenfaces.estimators import EigenfaceClassifier, Eigenfaces
from eigenfaces.recognition.explanation import Reconstruction, explain
from eigenfaces.space.arrays import Bytes

SHAPE = (16, 16)
NAMES = [name for name in ("Ada", "Grace", "Mary") for _ in range(4)]
Faces = Any  # (n, d), as bytes or as numbers


def levels_of(seed: int) -> Bytes:
    """Return three people with four photographs each, (12, 256)."""
    rng = np.random.default_rng(seed)
    people = rng.integers(40, 216, (3, 1, 256))
    return (people + rng.integers(-30, 31, (3, 4, 256))).reshape(12, 256).astype(np.uint8)


def of_space(faces: Faces, space: FaceSpace) -> list[Any]:
    """Return what a face space says of faces."""
    own = FaceSpace.fit(faces, SHAPE)
    along, outside = space.project_with_residual(faces, 3)
    return [
        own.mean,
        own.variances,
        own.project(faces),
        space.centre(faces),
        space.project(faces),
        space.project(faces[0]),
        space.distance_from(faces),
        space.energy_kept(faces),
        along,
        outside,
    ]


def of_gallery(faces: Faces, space: FaceSpace) -> list[Any]:
    """Return what a gallery, its map and its explanations say of faces."""
    images = faces.reshape(-1, *SHAPE)
    made = FaceSet.from_arrays(images, NAMES)
    gallery = Gallery(made, Preparation(*SHAPE, already_cropped=True), Recipe()).train()
    gallery = gallery.calibrate()
    verdicts = [*identify_all(gallery, faces), *identify_all(gallery, images)]
    verdicts.append(identify(gallery, images[0]))
    located = map_of_components(gallery).project
    assert located is not None
    explained = explain(gallery, images[0], verdicts[0])
    rebuilt = Reconstruction.of(gallery, made.index.photos[0], images[0])
    along, outside = gallery.trained.project_with_residual(faces, 2)
    return [
        made.pixels[:],
        gallery.trained.project(faces),
        gallery.trained.features(faces),
        along,
        outside,
        np.stack([verdict.coordinates for verdict in verdicts]),
        np.stack([verdict.distances for verdict in verdicts]),
        located(faces).coordinates,
        np.stack([split.squares for split in explained.splits]),
        rebuilt.energy,
        rebuilt.original,
    ]


def of_laboratory(faces: Faces, space: FaceSpace) -> list[Any]:
    """Return what any pictures are in the laboratory."""
    pictures = ImageSet(title="Noise", pixels=faces, shape=SHAPE)
    return [pictures.pixels, pictures.values, pictures.pictures, pictures.fit_space().mean]


def of_estimators(faces: Faces, space: FaceSpace) -> list[Any]:
    """Return what the estimators for scikit-learn say."""
    model = Eigenfaces(3).fit(faces)
    coordinates = model.transform(faces)
    classifier = EigenfaceClassifier(image_shape=SHAPE).fit(faces, NAMES)
    return [
        model.mean_,
        model.singular_values_,
        coordinates,
        model.inverse_transform(coordinates),
        classifier.predict(faces) == np.array(NAMES),
        classifier.predict_proba(faces),
    ]


@pytest.mark.parametrize("of", [of_space, of_gallery, of_laboratory, of_estimators])
@settings(max_examples=5)
@given(st.integers(0, 2**32 - 1))
def test_bytes_are_what_they_are_divided_by_255(
    of: Callable[[Faces, FaceSpace], list[Any]], seed: int
) -> None:
    levels = levels_of(seed)
    numbers = levels / np.float32(255)
    space = FaceSpace.fit(levels_of(seed + 1), SHAPE)
    pairs = zip(of(levels, space), of(numbers, space), strict=True)
    for place, (ours, theirs) in enumerate(pairs):
        assert_allclose(ours, theirs, rtol=1e-4, atol=1e-4, err_msg=f"number {place}")
