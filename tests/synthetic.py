"""Synthetic faces with a known mean, components and variances, and people as clusters."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from eigenfaces import FaceSet, Gallery, Preparation, Recipe
from eigenfaces.faces.identity import FacePhoto
from eigenfaces.space.arrays import Doubles

_NAMES = ("Ada", "Grace", "Hedy", "Katherine", "Mary", "Sofia")
_SHAPE = (24, 20)


@dataclass(frozen=True, eq=False)
class Truth:
    """Parameters of synthetic faces: mean (d,), orthonormal components (k, d), variances (k,)."""

    mean: Doubles
    components: Doubles
    variances: Doubles


def truth(
    rng: np.random.Generator, shape: tuple[int, int] = (16, 16), components: int = 6
) -> Truth:
    """Return a mean near mid-grey and components, each with half the variance of the one before."""
    d = shape[0] * shape[1]
    directions = np.linalg.qr(rng.standard_normal((d, components)))[0].T
    mean = 0.5 + 0.05 * rng.standard_normal(d)
    return Truth(mean, directions, 0.5 ** np.arange(components))


def exact_faces(rng: np.random.Generator, of: Truth, count: int) -> Doubles:
    """Return faces whose sample mean, components and variances are *exactly* those of the truth."""
    scores = rng.standard_normal((count, len(of.variances)))
    scores -= scores.mean(axis=0)
    scores = np.linalg.qr(scores)[0] * np.sqrt(count - 1)  # uncorrelated, variance 1
    return of.mean + (scores * np.sqrt(of.variances)) @ of.components


def people(
    rng: np.random.Generator,
    count: int = 4,
    photos: int = 5,
    *,
    shape: tuple[int, int] = (16, 16),
    spread: float = 0.05,
) -> FaceSet:
    """Return people as clusters: ``spread`` is the noise within a person, 0.2 between people."""
    centres = 0.5 + 0.2 * rng.uniform(-1, 1, (count, *shape))
    noise = spread * rng.uniform(-1, 1, (count, photos, *shape))
    images = (centres[:, None] + noise).reshape(count * photos, *shape)
    names = [f"Person {i + 1}" for i in range(count) for _ in range(photos)]
    return FaceSet.from_arrays(images, names)


def gallery(rng: np.random.Generator, recipe: Recipe | None = None, **kinds: int) -> Gallery:
    """Return a trained gallery of the people from `people`."""
    faces = people(rng, **kinds)
    return Gallery(
        faces, Preparation(*faces.shape, already_cropped=True), recipe or Recipe.of(components=1.0)
    ).train()


def small_gallery() -> Gallery:
    """Return a trained gallery of six people with four photographs of 24 × 20 pixels each."""
    rng = np.random.default_rng(5)
    centres = rng.uniform(0.2, 0.8, (len(_NAMES), *_SHAPE))
    images = [np.clip(c + rng.normal(0, 0.06, _SHAPE), 0, 1) for c in centres for _ in range(4)]
    names = [name for name in _NAMES for _ in range(4)]
    faces = FaceSet.from_arrays(np.stack(images), names)
    return Gallery(
        faces, Preparation(*_SHAPE, already_cropped=True), Recipe.of(components=10)
    ).train()


def on_file(photo: FacePhoto, path: Path | None = None, sha: str | None = None) -> FacePhoto:
    """Return the face with another path or SHA-256 of its photograph."""
    before = photo.photograph
    photograph = replace(before, path=path or before.path, sha=sha or before.sha)
    return replace(photo, photograph=photograph)


def joined(gallery: Gallery) -> Gallery:
    """Return the gallery with a new person, whose four photographs are not trained on."""
    more = people(np.random.default_rng(99), 1, 4, shape=gallery.faces.shape)
    photos = {photo.id: replace(photo, person="Other Person 1") for photo in more.index.photos}
    return gallery.enrol(more.with_photos(photos))


def principal_angles(a: NDArray[np.floating], b: NDArray[np.floating]) -> Doubles:
    """Return the principal angles (radians, largest first) between the spans of two sets of rows.

    The sines give small angles accurately. They are the singular values of the part of ``b`` that
    is outside the span of ``a``.
    """
    first = np.linalg.qr(np.asarray(a, np.float64).T)[0]
    second = np.linalg.qr(np.asarray(b, np.float64).T)[0]
    sines = np.linalg.svd(second - first @ (first.T @ second), compute_uv=False)
    return np.arcsin(np.clip(sines, 0, 1))
