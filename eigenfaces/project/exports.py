"""Pictures and tables for other programs."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.faces.face_set import as_levels
from eigenfaces.project.file import atomic_write
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import as_table

COLUMNS = (
    "component",
    "file",
    "variance",
    "singular_value",
    "variance_ratio",
    "cumulative_ratio",
    "limit",
)
"""Columns of ``components.csv``; ``limit`` is the value drawn white, minus it is drawn black."""


def check_empty(folder: Path) -> None:
    """Raise `EigenfacesError`, before any work is done, if a folder is not empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise EigenfacesError(f"“{folder}” is not an empty folder. Choose a new one.")


def grey_levels(image: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Return grey 0…1 as 0…255, clipped at black and white, not stretched."""
    return as_levels(np.clip(image, 0, 1))


def signed_levels(image: NDArray[np.float32]) -> tuple[NDArray[np.uint8], float]:
    """Return signed values as grey levels with zero at 128, and the limit.

    The limit is the largest magnitude: +limit becomes 255, −limit becomes 1.

    >>> signed_levels(np.array([[-2.0, 0.0, 1.0]]))
    (array([[  1, 128, 192]], dtype=uint8), 2.0)
    """
    limit = float(np.abs(image).max(initial=0))
    scaled = image / limit if limit > 0 else image
    return (128 + np.rint(127 * scaled)).astype(np.uint8), limit


def reconstruction(gallery: Gallery, face: NDArray[np.float32], k: int) -> NDArray[np.float32]:
    """Return a face (h, w), after lighting correction, rebuilt from the first k components."""
    space = gallery.trained.space.first(k)
    features = gallery.trained.features(face.reshape(1, -1))
    return space.reconstruct(space.project(features)).reshape(face.shape)


def save_grey(path: Path, image: NDArray[np.float32]) -> None:
    """Write a grey picture (h, w) in 0…1 as PNG."""
    with atomic_write(path) as part:
        Image.fromarray(grey_levels(image)).save(part, "PNG")


def export_components(space: FaceSpace, folder: Path, tick: Tick = no_tick) -> None:
    """Write the mean and the components, k of them, into a new or empty folder.

    ``mean.png``; ``component_001.png`` …, each on its own symmetric scale; ``components.csv`` with
    that scale and the variances (`COLUMNS`).
    """
    check_empty(folder)
    images = space.components.reshape(-1, *space.shape)
    cumulative = space.kept
    with atomic_write(folder) as part:
        part.mkdir()
        Image.fromarray(grey_levels(space.mean.reshape(space.shape))).save(part / "mean.png")
        rows = []
        for i, image in enumerate(images):
            tick(i, len(images))
            name = f"component_{i + 1:03}.png"
            levels, limit = signed_levels(image)
            Image.fromarray(levels).save(part / name)
            values = (space.variances[i], space.singular_values[i], space.variance_ratio[i])
            rows.append([i + 1, name, *map(float, values), float(cumulative[i]), limit])
        (part / "components.csv").write_text(as_table(COLUMNS, rows), "utf-8", newline="")
