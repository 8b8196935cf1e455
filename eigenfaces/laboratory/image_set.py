"""Sets of equally sized pictures, such as digits, patches, files in a folder, or gallery faces.

A set has no photographs, people or recipe. The laboratory decomposes its pictures into components.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.space.arrays import Doubles, Floats
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.pca import NEGLIGIBLE, as_grey, decompose
from eigenfaces.space.principal import draw_rows
from eigenfaces.text import count, short_repr

MOST_VALUES = 50_000_000
"""The most pictures × pixels × channels in a set, 200 MB as float32. MNIST has 47 million."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ImageSet:
    """A set of n pictures of h × w pixels and c channels, with or without labels.

    Parameters
    ----------
    title
        A description of the pictures, such as “1,797 digits”.
    pixels
        (n, h·w·c) grey values or colours 0…1, one picture per row. Bytes are levels 0…255, and are
        divided by 255. Faces with corrected lighting may exceed this range slightly.
    shape
        (h, w) for grey pictures, (h, w, 3) for colour pictures.
    labels
        (n,) the label of each picture, empty if unknown; None if there are no labels.
    code
        Lines of Python that define ``x`` (n, d) and any ``labels`` (n,) in listings.
    notes
        Sentences about how the pictures were read.

    Raises
    ------
    EigenfacesError
        There are fewer than two pictures, all are the same, some values are not numbers, or the
        shape or the labels do not match the pixels.

    Examples
    --------
    >>> pixels = np.random.default_rng(0).random((5, 6), dtype=np.float32)
    >>> noise = ImageSet(title="Noise", pixels=pixels, shape=(2, 3))
    >>> noise.pictures.shape
    (5, 2, 3)
    """

    title: str
    pixels: Floats
    shape: tuple[int, ...]
    labels: tuple[str, ...] | None = None
    code: str = ""
    notes: tuple[str, ...] = ()
    __repr__ = short_repr

    def __post_init__(self) -> None:
        object.__setattr__(self, "pixels", as_grey(self.pixels))
        n, d = self.pixels.shape
        if len(self.shape) not in (2, 3) or self.shape[2:] not in ((), (3,)):
            raise EigenfacesError("A picture has a height, a width and, in colour, three channels.")
        if d != prod(self.shape):
            raise EigenfacesError(
                f"Pictures of {size_words(self.shape)} have {prod(self.shape):,} values each, but "
                f"these have {d:,}."
            )
        if self.labels is not None and len(self.labels) != n:
            raise EigenfacesError(
                f"The labels do not match: {len(self.labels):,} of them for {count(n, 'picture')}."
            )
        if n < 2:
            number = "one picture" if n else "no picture"
            raise EigenfacesError(
                f"Principal components need at least two pictures, but there is {number}: add some."
            )
        if not np.isfinite(self.pixels.min() + self.pixels.max()):
            raise EigenfacesError("Some pictures have values that are not numbers: correct them.")
        if (self.pixels[0] == self.pixels[-1]).all() and (self.pixels == self.pixels[0]).all():
            raise EigenfacesError(
                f"All {n:,} pictures are the same, so there is nothing to tell apart: choose "
                "pictures that differ."
            )
        self.pixels.setflags(write=False)

    def __len__(self) -> int:
        return len(self.pixels)

    @property
    def values(self) -> Doubles:
        """The pixel values (n, d) in double precision."""
        return self.pixels.astype(float)

    @property
    def pictures(self) -> Floats:
        """The pictures (n, h, w) or, in colour, (n, h, w, 3)."""
        return self.pixels.reshape(-1, *self.shape)

    def column_scales(self) -> Doubles:
        """Return the standard deviation (d,) of each pixel value; 1 for constant values."""
        spread = self.pixels.std(axis=0, dtype=np.float64)
        return np.where(spread > NEGLIGIBLE, spread, 1.0)

    def fit_space(
        self, tick: Tick = no_tick, k: int | None = None, *, scaled: bool = False
    ) -> FaceSpace:
        """Return the face space with the mean and the first k components, over all channels.

        Without ``k``, all components are computed, which takes longer. If ``scaled``, values are
        first divided by `column_scales`, but the mean is always that of the unscaled pictures.
        """
        if not scaled:
            made = decompose(self.pixels, n_components=k, tick=tick)
        else:
            scales = self.column_scales()
            rows = np.divide(self.pixels, scales, dtype=np.float32)
            made = decompose(rows, n_components=k, tick=tick)
            made = replace(made, mean=made.mean * scales)
        return FaceSpace.of_decomposition(made, self.shape)

    @classmethod
    def of_gallery(
        cls, gallery: Gallery, tick: Tick = no_tick, file: Path | None = None
    ) -> ImageSet:
        """Return the training faces of a gallery, with the names of people as labels.

        Their lighting is corrected as in the face space: by the recipe with which the gallery was
        trained, or by its current recipe if it has not been trained. The gallery is not changed.

        Parameters
        ----------
        gallery
            The gallery. Its unnamed faces get an empty label.
        tick
            Called during the lighting correction.
        file
            The project file to name in listings, or None to name a placeholder.
        """
        shape = gallery.faces.shape
        recipe = (gallery.training or gallery).recipe
        rows = np.array(gallery.included, np.intp)
        notes = []
        most = MOST_VALUES // prod(shape)
        if len(rows) > most:
            notes.append(f"A sample of {most:,} of {len(rows):,} faces, drawn at random.")
            rows = rows[draw_rows(np.arange(len(rows)), most)]
        faces = recipe.pixels.of_all(gallery.faces.pixels.select(rows), shape, tick)
        people = tuple(gallery.index.photos[row].person or "" for row in rows)
        known = any(people)
        place = "people.eigenfaces" if file is None else str(file)
        return cls(
            title=f"{count(len(rows), 'face')} of the gallery",
            pixels=faces[:],
            shape=shape,
            labels=people if known else None,
            code=(
                "from contextlib import closing\nfrom pathlib import Path\n\n"
                "from eigenfaces import ImageSet, Project\n\n"
                f"with closing(Project.open(Path({place!r}))) as project:\n    "
                + values_code("ImageSet.of_gallery(project.gallery)", known)
            ),
            notes=tuple(notes),
        )


def size_words(shape: tuple[int, ...]) -> str:
    """Return the size of a picture as text.

    >>> size_words((112, 92)), size_words((32, 32, 3))
    ('92 × 112 pixels', '32 × 32 pixels in colour')
    """
    return f"{shape[1]} × {shape[0]} pixels" + (" in colour" if len(shape) == 3 else "")


def values_code(made: str, labelled: bool) -> str:
    """Return the lines of a listing that take pixels and labels from the expression ``made``."""
    labels = "\nlabels = np.array(pictures.labels)" if labelled else ""
    return f"pictures = {made}\nx = pictures.values{labels}"
