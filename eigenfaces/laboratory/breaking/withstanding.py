"""What recipes withstand: accuracy over the strength of a disturbance, on held-out photographs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from eigenfaces.arrays import Doubles, Floats, Numbers
from eigenfaces.csv_files import as_table
from eigenfaces.errors import EigenfacesError, Tick, no_tick, part_of
from eigenfaces.evaluation.evaluate import participating_faces
from eigenfaces.evaluation.intervals import share_intervals
from eigenfaces.evaluation.participants import lacking, photos_each
from eigenfaces.evaluation.proposal import recipes_beside
from eigenfaces.evaluation.protocols import Fold, KFold
from eigenfaces.faces.crops import Crops, as_levels
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.importing.intake import each_of
from eigenfaces.laboratory.breaking.disturbances import NEUTRAL, Disturbance, FacePicture, Strengths
from eigenfaces.laboratory.breaking.surroundings import Cutting
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import Recipe
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.space.one_thread import one_thread

PARTS = 5
"""A fifth of everybody's photographs is held out."""

ENOUGH = 0.9
"""Nine in ten."""

_STEPS = 5
"""Of splitting a gallery: frame, probes, training, finding anew, training again."""

_MOST_FACES, _MOST_PROBES = 2000, 200
"""Of larger galleries some people, and of these some held-out photographs, are drawn."""


@dataclass(frozen=True, eq=False)
class Trial:
    """A gallery split once: every recipe trained on the larger part, the rest to be disturbed.

    Parameters
    ----------
    galleries
        One for each recipe, of the enrolled photographs as they are …
    aligned
        … and of the same, each found and cut anew, as the probes then are; none if that is not
        possible. Faces that were cut by the program are so already.
    pictures, people
        (m) the held-out faces with their surroundings, and who is on each.
    cutting
        How a face is found anew.
    seed
        Of the split and of the noise.
    """

    galleries: tuple[Gallery, ...]
    aligned: tuple[Gallery, ...]
    pictures: tuple[FacePicture, ...]
    people: tuple[str, ...]
    cutting: Cutting
    seed: int

    @classmethod
    def of(cls, gallery: Gallery, seed: int = 0, tick: Tick = no_tick) -> Trial:
        """Split a gallery, and train all recipes on what stays enrolled.

        Raises
        ------
        EigenfacesError
            There are too few people or photographs.
        """
        if reason := lacking(photos_each(gallery)):
            raise EigenfacesError(reason)
        faces = _some(participating_faces(gallery.faces), seed)
        fold = _held_out(faces, seed)
        cutting = Cutting.of(gallery, part_of(tick, 0, _STEPS))
        probes = _pictures(faces.select(fold.probes), cutting, part_of(tick, 1, _STEPS))
        enrolled = faces.select(fold.gallery)
        recipes = tuple(recipes_beside(gallery.compared_by).values())
        as_they_are = _trained(enrolled, gallery, recipes, part_of(tick, 2, _STEPS))
        aligned = as_they_are if cutting.anew is not None else ()
        if cutting.anew is not None and gallery.preparation.already_cropped:
            found = _found_anew(enrolled, cutting, part_of(tick, 3, _STEPS))
            aligned = _trained(found, gallery, recipes, part_of(tick, 4, _STEPS))
        people = tuple(faces.index.photos[row].person or "" for row in fold.probes)
        return cls(as_they_are, aligned, probes, people, cutting, seed)

    @property
    def words(self) -> str:
        """The protocol, in words."""
        return (
            f"{len(self.pictures)} held-out photos of {len(set(self.people))} people, "
            f"{len(self.galleries[0].faces)} enrolled"
        )

    def measure(self, along: Disturbance, tick: Tick = no_tick) -> Withstood:
        """Return how often every recipe names the right person first, at each strength tried."""
        names = tuple(dict.fromkeys(self.people))
        who = np.array([names.index(person) for person in self.people])
        kinds = [(gallery, False) for gallery in self.galleries]
        kinds += [(gallery, True) for gallery in self.aligned]
        right = np.zeros((len(kinds), len(along.tried), len(names)))
        lost = np.zeros(len(along.tried), np.intp)
        with one_thread():
            for at, away in enumerate(along.tried):
                faces = self._disturbed(along, away, part_of(tick, at, len(along.tried)))
                lost[at] = sum(each is None for each in faces[1])
                for kind, (gallery, aligned) in enumerate(kinds):
                    hits = self._named(gallery, faces[aligned])
                    right[kind, at] = np.bincount(who[hits], minlength=len(names))
        of = np.bincount(who, minlength=len(names))
        lines = tuple(
            RecipeLine(gallery.recipe.name, aligned, right[kind], of)
            for kind, (gallery, aligned) in enumerate(kinds)
        )
        return Withstood(along, lines, lost, self.words, self.seed)

    def _disturbed(
        self, along: Disturbance, away: float, tick: Tick
    ) -> tuple[list[Floats | None], list[Floats | None]]:
        """Return the held-out faces, disturbed: as they then are, and found anew."""

        def one(number: int) -> tuple[Floats | None, Floats | None]:
            picture = self.pictures[number].disturbed(
                _one_way(along, away, number),
                lambda: np.random.default_rng([self.seed, number]),
            )
            return picture.face, self.cutting.found_in(picture)

        made = [result() for result in each_of(one, range(len(self.pictures)), tick)]
        return [face for face, _ in made], [found for _, found in made]

    def _named(self, gallery: Gallery, faces: Sequence[Floats | None]) -> Numbers:
        """Return for which faces the right person comes first; never where none was found."""
        found = [number for number, face in enumerate(faces) if face is not None]
        if not found:
            return np.empty(0, np.intp)
        pixels = np.stack([face.ravel() for face in faces if face is not None])
        verdicts = identify_all(gallery, pixels)
        pairs = zip(found, verdicts, strict=True)
        hits = [number for number, each in pairs if each.closest.person == self.people[number]]
        return np.array(hits, np.intp)


@dataclass(frozen=True, eq=False)
class RecipeLine:
    """How often one recipe is right, by strength.

    Parameters
    ----------
    recipe
        Its name.
    aligned
        Whether each disturbed face was found anew first.
    right
        (s, p) right answers by strength and person, of ``of`` (p,) photographs.
    """

    recipe: str
    aligned: bool
    right: Doubles
    of: Numbers

    @property
    def name(self) -> str:
        """Its name in a legend."""
        return f"{self.recipe}, aligned" if self.aligned else self.recipe

    @cached_property
    def shares(self) -> Doubles:
        """(s,) right answers, 0…1."""
        return self.right.sum(axis=1) / self.of.sum()

    @cached_property
    def limits(self) -> tuple[Doubles, Doubles]:
        """(s,) each: the 95 % interval of these shares, by person."""
        return share_intervals(self.right, self.of)


@dataclass(frozen=True, eq=False)
class Withstood:
    """What all recipes withstand of one disturbance.

    Parameters
    ----------
    along
        The disturbance; its ``tried`` are the s strengths, as ways from neutral.
    lines
        The recipes as they are, and the same with the face found anew, where that is possible.
    lost
        (s,) photographs on which no face was found anew: none of them is named.
    words, seed
        The protocol, and the seed of its split.
    """

    along: Disturbance
    lines: tuple[RecipeLine, ...]
    lost: Numbers
    words: str
    seed: int

    def line(self, recipe: str, *, aligned: bool) -> RecipeLine | None:
        """Return one of the lines; None if there is none."""
        found = (each for each in self.lines if (each.recipe, each.aligned) == (recipe, aligned))
        return next(found, None)

    def nine_in_ten(self, recipe: str, *, aligned: bool) -> float:
        """Return up to which strength nine in ten are right, read off between those tried.

        Infinite: at all of them. NaN: not even undisturbed.
        """
        line = self.line(recipe, aligned=aligned)
        return math.nan if line is None else crossing(self.along.tried, line.shares)

    def nine_in_ten_words(self, recipe: str, *, aligned: bool) -> str:
        """Return the same in words: “16°”, “> 40°”, or a dash."""
        away = self.nine_in_ten(recipe, aligned=aligned)
        if math.isnan(away):
            return "–"
        if math.isinf(away):
            return f"> {self.along.away_words(self.along.tried[-1])}"
        return self.along.away_words(away)

    def sentence(self, recipe: str) -> str:
        """Return how far alignment helps a recipe, and on how many photos no face is found."""
        plain, aligned = (self.line(recipe, aligned=way) for way in (False, True))
        if plain is None or aligned is None:
            return "The pictures of this gallery cannot be aligned: they do not look like faces."
        better = np.flatnonzero(aligned.shares > plain.shares)
        worst, of = int(self.lost[-1]), int(plain.of.sum())
        if better.size:
            ends = sorted({float(self.along.tried[at]) for at in (better[0], better[-1])})
            places = " to ".join(self.along.away_words(each) for each in ends)
            helps = f"Aligning helps {plain.recipe} {'at' if len(ends) < 2 else 'from'} {places}."
        else:
            helps = f"Aligning does not help {plain.recipe} here."
        most = self.along.away_words(self.along.tried[-1])
        return f"{helps} At {most}, no face is found on {worst} of {of}."


def crossing(strengths: Sequence[float], shares: Doubles) -> float:
    """Return the strength at which shares first fall below `ENOUGH`, on the line between two.

    >>> round(crossing((0, 10, 20), np.array([1.0, 0.95, 0.85])), 6)
    15.0
    >>> crossing((0, 10), np.array([1.0, 0.9])), crossing((0, 10), np.array([0.8, 1.0]))
    (inf, nan)
    """
    below = np.flatnonzero(shares < ENOUGH)
    if not below.size:
        return math.inf
    after = int(below[0])
    if not after:
        return math.nan
    high, low = float(shares[after - 1]), float(shares[after])
    start, end = strengths[after - 1], strengths[after]
    return start + (high - ENOUGH) / (high - low) * (end - start)


def withstood_table(measured: Sequence[Withstood]) -> str:
    """Return a line for each disturbance, strength and recipe, as CSV."""
    heading = (
        *("disturbance", "unit", "away from neutral", "recipe", "aligned", "photos", "right"),
        *("share", "low", "high", "no face found", "seed"),
    )
    return as_table(heading, (row for each in measured for row in _rows(each)))


def _rows(of: Withstood) -> Iterator[tuple[object, ...]]:
    for line in of.lines:
        low, high = line.limits
        for at, away in enumerate(of.along.tried):
            yield (
                *(
                    of.along.label,
                    of.along.unit,
                    away,
                    line.recipe,
                    "yes" if line.aligned else "no",
                ),
                *(int(line.of.sum()), int(line.right[at].sum()), float(line.shares[at])),
                *(
                    float(low[at]),
                    float(high[at]),
                    int(of.lost[at]) if line.aligned else 0,
                    of.seed,
                ),
            )


def _one_way(along: Disturbance, away: float, number: int) -> Strengths:
    """Return the strength for one photograph: where two ways are possible, they take turns."""
    way = -1 if along.both_ways and number % 2 else 1
    return NEUTRAL.but(along, along.neutral + way * away)


def _some(faces: FaceSet, seed: int) -> FaceSet:
    """Return the faces of some people, drawn by the seed, where there are very many."""
    if len(faces) <= _MOST_FACES:
        return faces
    rng, rows = np.random.default_rng(seed), list[int]()
    for number in rng.permutation(len(faces.index.people)):
        own = faces.index.rows_of(faces.index.people[number])
        if len(rows) + len(own) <= _MOST_FACES:
            rows += own
    return faces.select(sorted(rows))


def _pictures(faces: FaceSet, cutting: Cutting, tick: Tick) -> tuple[FacePicture, ...]:
    """Return faces with their surroundings."""

    def one(row: int) -> FacePicture:
        return cutting.picture(faces.index.photos[row], faces.image(row))

    return tuple(result() for result in each_of(one, range(len(faces)), tick))


def _found_anew(faces: FaceSet, cutting: Cutting, tick: Tick) -> FaceSet:
    """Return faces found and cut anew; where none is found, a face stays as it is."""

    def one(row: int) -> Floats:
        face = faces.image(row)
        found = cutting.found_in(cutting.picture(faces.index.photos[row], face))
        return face if found is None else found

    cut = [as_levels(result()).ravel() for result in each_of(one, range(len(faces)), tick)]
    return replace(faces, pixels=Crops(np.stack(cut)))


def _trained(
    faces: FaceSet, like: Gallery, recipes: Sequence[Recipe], tick: Tick
) -> tuple[Gallery, ...]:
    """Return a gallery of these faces for each recipe."""
    with one_thread():
        return tuple(
            Gallery(faces, like.preparation, recipe).train(part_of(tick, number, len(recipes)))
            for number, recipe in enumerate(recipes)
        )


def _held_out(faces: FaceSet, seed: int) -> Fold:
    """Return the first part of a cross-validation; of many probes, some drawn by the seed."""
    fold = KFold(PARTS, seed).folds(faces)[0]
    rng = np.random.default_rng(seed)
    probes = rng.permutation(fold.probes)[:_MOST_PROBES]
    return Fold(fold.train, fold.gallery, np.sort(probes))
