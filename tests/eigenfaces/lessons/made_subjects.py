"""Points and pictures made for tests of lessons, and the panels of what a lesson shows."""

import numpy as np

from eigenfaces.laboratory.image_set import ImageSet
from eigenfaces.laboratory.points import Cloud
from eigenfaces.lessons.drawing import LessonPicture, Panel


def cloud(values, labels: tuple[str, ...] | None = None) -> Cloud:
    """Return points (n, d) as they are."""
    values = np.array(values, dtype=float)
    columns = tuple("abcdefghijkl"[: values.shape[1]])
    return Cloud(title="points", values=values, columns=columns, labels=labels)


def images(pixels, *shape: int, labels: tuple[str, ...] | None = None) -> ImageSet:
    """Return pictures of these rows."""
    pixels = np.array(pixels, dtype=np.float32)
    return ImageSet(title="some", pixels=pixels, shape=shape, labels=labels)


def noise(n: int, *shape: int, labels: tuple[str, ...] | None = None) -> ImageSet:
    """Return n pictures of independent values 0…1; its code makes the same."""
    code = f"x = np.random.default_rng(0).random(({n}, {np.prod(shape)}), np.float32).astype(float)"
    made: dict = {"np": np}
    exec(code, made)
    return ImageSet(
        title="noise", pixels=made["x"].astype(np.float32), shape=shape, labels=labels, code=code
    )


def panels(picture: LessonPicture) -> list[Panel]:
    """Return the panels of both figures, in their order."""
    return [panel for drawing in picture.drawings for row in drawing.rows for panel in row]
