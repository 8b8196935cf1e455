"""Features that are compared in a discriminant space: by who is on the faces, not as pictures.

`DiscriminantFeatures` are pixels still; `TextureFeatures` are patterns and waves.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from eigenfaces.errors import Tick, no_tick
from eigenfaces.recognition.features import Features, People
from eigenfaces.recognition.lighting import even_light
from eigenfaces.recognition.texture_blocks import BLOCKS, block_maps, texture_blocks
from eigenfaces.space.arrays import Doubles, Floats, Numbers
from eigenfaces.space.arrays.crops import Crops
from eigenfaces.space.discriminant import (
    MOST_COORDINATES,
    DiscriminantSpace,
    Scatter,
    Space,
    check_people,
)
from eigenfaces.space.folds import Folds, GramFolds
from eigenfaces.space.pca import LARGEST_EXACT, Decomposition, by_block, decompose

_EACH = 2
"""Photographs of a person that are fitted to at least, where there are too many for all.

Two are the fewest that differ within a person.
"""

_SEED = 0


@dataclass(frozen=True)
class PeopleFeatures(Features):
    """Features whose representation is a discriminant space.

    ``SCATTER`` is whitened; ``BLOCKS`` count alike.
    """

    SCATTER: ClassVar[Scatter]
    BLOCKS: ClassVar[tuple[int, ...]] = ()

    @abstractmethod
    def sides(self, faces: Floats) -> Floats:
        """Return what the features of crops (n, h, w) are the mean of: (1 or 2, n, f)."""

    def of(self, pixels: Floats, shape: tuple[int, int]) -> Floats:
        """Return the features (n, f) of crops (n, d)."""
        sides = self.sides(pixels.reshape(-1, *shape))
        return sides.mean(axis=0) if len(sides) > 1 else sides[0]

    def principal(
        self, features: Crops, wanted: int | None = None, tick: Tick = no_tick
    ) -> Decomposition:
        """Return the principal components of features (n, f), each block counting alike."""
        divide = by_block(self.BLOCKS) if self.BLOCKS else None
        return decompose(features, divide=divide, wanted=wanted, tick=tick)

    def fit(
        self,
        features: Crops,
        people: People,
        shape: tuple[int, int],
        tick: Tick = no_tick,
    ) -> DiscriminantSpace:
        """Return the space in which these people differ, fitted to features (n, f).

        Raises `EigenfacesError` for fewer than seven people.
        """
        numbers = numbered(people)
        check_people(numbers)
        made = self.principal(features, MOST_COORDINATES, tick)
        return DiscriminantSpace.of(made, numbers, self.SCATTER)

    def fit_to(
        self,
        features: Crops,
        people: People,
        shape: tuple[int, int],
        rows: Numbers,
        tick: Tick = no_tick,
    ) -> Space:
        """Return the space fitted to these rows; of more than `LARGEST_EXACT`, some are `drawn`."""
        if len(rows) > LARGEST_EXACT:
            rows = rows[drawn(numbered([people[row] for row in rows]), LARGEST_EXACT)]
        return super().fit_to(features, people, shape, rows, tick)

    def folds(self, features: Crops, people: People, shape: tuple[int, int]) -> Folds:
        """Return how the space of a fold is fitted: of few faces, from their inner products."""
        if len(features) > LARGEST_EXACT:
            return super().folds(features, people, shape)
        return GramFolds(features, self.BLOCKS, numbered(people), self.SCATTER)


@dataclass(frozen=True)
class DiscriminantFeatures(PeopleFeatures):
    """Half grey, half equalised levels, whitened by how photographs of a person differ."""

    SCATTER: ClassVar[Scatter] = "within people"

    def sides(self, faces: Floats) -> Floats:
        """Return (x + equalised x) / 2, (1, n, d), of crops (n, h, w)."""
        mixed = np.float32(0.5) * (faces + even_light(faces, "equalised"))
        return mixed.reshape(1, len(faces), faces.shape[1] * faces.shape[2])

    def over_face(self, parts: Doubles, shape: tuple[int, int]) -> dict[str, Doubles]:
        """Return the numbers at their pixels."""
        return {"pixels": parts.reshape(shape)}


@dataclass(frozen=True)
class TextureFeatures(PeopleFeatures):
    """Three blocks of texture, of a face and its mirror image, whitened by how all photos differ.

    The features of a face are the mean of its own, x, and of its mirror image's, x′. That says what
    enrolling each photograph with its mirror image would, but for the ridge, from half as many
    rows: x′ is x in another order, and with all photographs and mirror images the scatter is the
    same in either. So x + x′ and x − x′ are whitened apart, and as people's means then have no part
    of the second kind, neither has what faces are compared in. (Of the waves this is nearly so:
    their places lie a pixel beside those of the mirror image.)
    """

    SCATTER: ClassVar[Scatter] = "total"
    BLOCKS: ClassVar[tuple[int, ...]] = BLOCKS

    def sides(self, faces: Floats) -> Floats:
        """Return the `texture_blocks` (2, n, f) of crops (n, h, w) and of their mirror images."""
        return texture_blocks(faces)

    def over_face(self, parts: Doubles, shape: tuple[int, int]) -> dict[str, Doubles]:
        """Return the numbers (2, f) of each block added up in its cells, and spread over them."""
        own, mirrored = (block_maps(each, shape) for each in parts)
        return {name: over + mirrored[name][:, ::-1] for name, over in own.items()}


def drawn(people: Numbers, most: int, each: int = _EACH) -> Numbers:
    """Return the places of at most so many faces, drawn so that they show many people, and well.

    Up to ``each`` photographs of one person after the other, in random order, then more of each; of
    few people, more at once. Faces of nobody count as a person each.

    Parameters
    ----------
    people
        (n,) the number of the person on each, negative where there is nobody.
    """
    if len(people) <= most:
        return np.arange(len(people))
    rng = np.random.default_rng(_SEED)
    alone = people.max(initial=0) + 1 + np.arange(len(people))  # each face of nobody
    who = np.unique(np.where(people < 0, alone, people), return_inverse=True)[1]
    shuffled = rng.permutation(len(who))
    shuffled = shuffled[np.argsort(who[shuffled], kind="stable")]  # person by person
    counts = np.bincount(who)
    place = np.arange(len(who)) - np.repeat(np.cumsum(counts) - counts, counts)
    each = max(each, most // len(counts))
    turn = rng.permutation(len(counts))[who[shuffled]]
    first = np.lexsort((place, turn, place // each))[:most]
    return np.sort(shuffled[first])


def numbered(people: People) -> Numbers:
    """Return the number of each name in order of appearance, (n,); −1 without a name.

    >>> numbered(["Ada", None, "Grace", "Ada"])
    array([ 0, -1,  1,  0])
    """
    names = {name: number for number, name in enumerate(dict.fromkeys(filter(None, people)))}
    return np.array([-1 if name is None else names[name] for name in people], np.intp)
