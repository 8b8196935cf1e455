"""Gallery: the people, their faces, and the face space trained on them. Every edit makes a new one.

A person is identified by name, and names are unique, so no list of numbers can drift away from
the list of names. Photographs are identified by the hash of their content.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from eigenfaces.errors import EigenfacesError, NotTrainedError, Tick, no_tick, part_of
from eigenfaces.faces.face_set import Crops, FacePhoto, FaceSet, PhotoIndex, recropped
from eigenfaces.faces.prepare import Preparation
from eigenfaces.files import is_there
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.photos import as_name
from eigenfaces.recognition.automatic import NOT_MEASURED, RecipeChoice, choose_recipe
from eigenfaces.recognition.calibration import METHOD, USUAL_SHARE, Calibration, check_share
from eigenfaces.recognition.neighbours import Comparison, Matching
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.space.arrays import Doubles, Floats
from eigenfaces.space.discriminant import Space
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.text import name_key, short_repr
from eigenfaces.threads import one_blas_thread


@dataclass(frozen=True, eq=False)
class Training:
    """The face space people look at, what faces are compared in (perhaps it), and all in both."""

    space: FaceSpace  # with all its components
    coordinates: Floats  # (n, k) all faces of the gallery in it
    preparation: Preparation  # by which they were cut
    recipe: Recipe
    fitted: frozenset[tuple[str, str]]  # to: the key of a photograph, the `crop_hash` of its face
    representation: Space  # what faces are compared in
    compared: Floats  # (n, j) all of them in it
    __repr__ = short_repr

    def __post_init__(self) -> None:
        shown, other = (self.coordinates, self.space), (self.compared, self.representation)
        for coordinates, space in (shown, other):
            coordinates.setflags(write=False)
            if coordinates.shape != (len(coordinates), len(space)):
                raise ValueError("there is not a coordinate for each component")

    @classmethod
    def fit(
        cls,
        faces: FaceSet,
        rows: Sequence[int],
        preparation: Preparation,
        recipe: Recipe,
        tick: Tick = no_tick,
    ) -> Training:
        """Fit a recipe to some rows of faces: the face space, and what else is compared."""
        parts, photos = 1 + (recipe.features != recipe.pixels), faces.index.photos
        shown = recipe.pixels.fit_faces(faces, rows, part_of(tick, 0, parts))
        compared = shown
        if parts > 1:
            step = part_of(tick, 1, parts)
            compared = recipe.features.fit_faces(faces, rows, step)
        assert isinstance(shown[0], FaceSpace)
        fitted = frozenset((photos[row].key, photos[row].crop) for row in rows)
        return cls(shown[0], shown[1], preparation, recipe, fitted, *compared)

    @property
    def in_face_space(self) -> bool:
        """Whether faces are compared in the face space itself."""
        return self.representation is self.space

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys of the photographs it was fitted to."""
        return frozenset(key for key, _ in self.fitted)

    def features(self, pixels: Floats) -> Floats:
        """Return crops (n, d) as the face space sees them: their light evened out."""
        return self.recipe.pixels.of(pixels, self.preparation.shape)

    def project(self, pixels: Floats) -> Floats:
        """Return the coordinates (…, k) of crops (…, d) in the face space."""
        projected = self.space.project(self.features(np.atleast_2d(pixels)))
        return projected.reshape(*pixels.shape[:-1], len(self.space))

    def project_with_residual(self, pixels: Floats, k: int) -> tuple[Floats, Doubles]:
        """Return crops (m, d) in the first k coordinates compared, and what these leave out."""
        features = self.recipe.features.of(pixels, self.preparation.shape)
        return self.representation.project_with_residual(features, k)

    def for_faces(self, crops: Crops, known: Mapping[int, int]) -> Training:
        """Return the training for other faces; ``known``: by some rows, those they had so far."""
        rows, before = np.array([*known], np.intp), np.array([*known.values()], np.intp)
        these, recipe = (crops, self.preparation.shape), self.recipe
        coordinates = compared = recipe.pixels.coordinates(
            *these, self.space, rows, self.coordinates[before]
        )
        if not self.in_face_space:
            compared = recipe.features.coordinates(
                *these, self.representation, rows, self.compared[before]
            )
        return replace(self, coordinates=coordinates, compared=compared)


Feedback = Literal["", "right", "it is", "nobody", "no face"]


@dataclass(frozen=True)
class Answer:
    """What a person answered about one probe."""

    said: Feedback = ""
    person: str | None = None  # whom it shows, if the verdict was right or it is somebody else
    never: frozenset[str] = frozenset()  # people who are not suggested for it again
    held: bool = False  # whether the photograph was in the gallery before …
    before: str | None = None  # … and whom it showed there, if somebody was named

    def __post_init__(self) -> None:
        if (
            (self.person is not None) != (self.said in ("right", "it is"))
            or (self.held and self.person is None)
            or (self.before is not None and not self.held)
            or self.person in self.never
        ):
            raise ValueError("an answer that contradicts itself")

    def renamed(self, person: str, name: str) -> Answer:
        """Return the answer with another name for somebody, perhaps of somebody else in it."""
        named, before = (name if x == person else x for x in (self.person, self.before))
        never = frozenset(name if other == person else other for other in self.never)
        return replace(self, person=named, never=never - {named}, before=before)

    def restrict_to(self, people: Collection[str]) -> Answer:
        """Return what it says about these people only."""
        never = self.never.intersection(people)
        if self.person is None or self.person in people:
            return replace(self, never=never)
        return Answer(never=never)


Answers = Mapping[str, Answer]  # by the key of the probe; none is empty
NOTHING = Answer()


def restrict_answers(answers: Answers, people: Collection[str]) -> Answers:
    """Return what the answers say about these people only."""
    changed = {key: answered.restrict_to(people) for key, answered in answers.items()}
    return {key: answered for key, answered in changed.items() if answered != NOTHING}


@dataclass(frozen=True, eq=False)
class Gallery:
    """Faces with names, how they are prepared and compared, and the result of training."""

    faces: FaceSet
    preparation: Preparation
    recipe: Recipe
    training: Training | None = None
    calibration: Calibration | None = None  # perhaps of an earlier state: see `calibrated`
    share: float = USUAL_SHARE  # of strangers, 0…1, who may be named at most
    answers: Answers = field(default_factory=dict)  # about probes
    automatic: RecipeChoice | None = None  # None where a person has chosen the recipe
    __repr__ = short_repr

    def __post_init__(self) -> None:
        if self.faces.shape != self.preparation.shape:
            raise ValueError("the faces were not cut by this preparation")
        if self.training:
            if self.training.preparation != self.preparation:
                raise ValueError("the face space was made of faces that were cut otherwise")
            known = self.training.coordinates, self.training.compared
            if {len(rows) for rows in known} != {len(self.faces)}:
                raise ValueError("there is not one row of coordinates for each face")
            _ = self.comparison  # raises where the recipe leaves nothing to compare

    @classmethod
    def new(cls, preparation: Preparation | None = None, recipe: Recipe | None = None) -> Gallery:
        """Return a gallery without anybody."""
        preparation = preparation or Preparation()
        automatic = None if recipe else NOT_MEASURED
        none = FaceSet.empty(preparation.shape)
        return cls(none, preparation, recipe or Recipe(), automatic=automatic)

    @property
    def index(self) -> PhotoIndex:
        """The photographs of its faces."""
        return self.faces.index

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody with at least one photograph, in order of first appearance."""
        return self.index.people

    @property
    def trained(self) -> Training:
        """The result of training; raises `NotTrainedError` where there is none."""
        if self.training is None:
            raise NotTrainedError("There is no face space yet: train first.")
        return self.training

    @property
    def included(self) -> tuple[int, ...]:
        """Rows that train: everything that is not excluded, named or not."""
        return self.index.included

    @property
    def enrolled(self) -> tuple[int, ...]:
        """Rows that probes are compared with: named and not excluded."""
        return self.index.enrolled

    @property
    def calibration_rows(self) -> tuple[int, ...]:
        """Rows that are there while some are held out: enrolled, or fitted to at training."""
        photos, fitted = self.index.photos, self.trained.fitted
        there = ((row, photos[row]) for row in self.included)
        return tuple(r for r, p in there if p.person is not None or (p.key, p.crop) in fitted)

    @property
    def k(self) -> int:
        """How many components are compared, of those the representation has."""
        return len(self.comparison.variances)

    @property
    def face_space_k(self) -> int:
        """How many components of the face space people look at, by the same count or share."""
        return self.trained.space.components_for(self.recipe.shown_components)

    @cached_property
    def comparison(self) -> Comparison:
        """How probes and photographs are compared."""
        space = self.trained.representation
        return Comparison.of(self.recipe.matcher, space.variances, space.kept)

    def match(self, coordinates: Floats) -> Matching:
        """Return probes, by their first k coordinates (m, k), matched with all that is enrolled."""
        number = {person: number for number, person in enumerate(self.people)}
        people = [number[self.index.photos[row].person or ""] for row in self.enrolled]
        by, photos = self.comparison, self.trained.compared[[*self.enrolled], : self.k]
        known = np.array(people, np.intp), len(number), by.distances
        return Matching(self.recipe.matcher, *known, coordinates, photos)

    @property
    def compared_by(self) -> Recipe:
        """The recipe that verdicts follow now: what was trained, compared as is asked."""
        return replace(self.trained.recipe, matcher=self.recipe.matcher)

    @cached_property
    def calibration_key(self) -> str:
        """The SHA-256 of everything that a calibration depends on."""
        photos = [self.index.photos[row] for row in self.calibration_rows]
        there = sorted((photo.key, photo.crop, photo.person or "") for photo in photos)
        parts = (METHOD, self.compared_by.record, sorted(self.trained.fitted), there)
        text = json.dumps(parts, default=lambda number: number.item())  # one of NumPy's
        return content_hash(text.encode())

    @cached_property
    def calibrated(self) -> Calibration | None:
        """What distances mean, if that was measured and nothing has changed since."""
        known = self.calibration
        if self.training is None or known is None or known.basis != self.calibration_key:
            return None
        return known

    def calibrate(self, tick: Tick = no_tick) -> Gallery:
        """Measure what distances mean, if that is not known: each photograph is held out."""
        if self.calibrated is not None or not self.enrolled:
            return self
        rows, recipe = self.calibration_rows, self.compared_by
        with one_blas_thread():
            measured = Calibration.of(self.faces, rows, recipe, self.calibration_key, tick)
        return replace(self, calibration=measured)

    def with_calibration(self, calibration: Calibration | None) -> Gallery:
        """Return it with a calibration of another state, where that holds here and its own not."""
        if calibration is None or self.training is None or self.calibrated is not None:
            return self
        holds = calibration.basis == self.calibration_key
        return replace(self, calibration=calibration) if holds else self

    @property
    def changes(self) -> int:
        """Photographs that came, went or were cut anew since training; a new recipe counts as 1."""
        if self.training is None:
            return 0
        return len(self._keys_not_as_fitted) + self.recipe.refits(self.training.recipe)

    @cached_property
    def _keys_not_as_fitted(self) -> set[str]:
        """Keys of faces that train and were not fitted to, or were and do not train."""
        photos = (self.index.photos[row] for row in self.included)
        there = {(photo.key, photo.crop) for photo in photos}
        return {key for key, _ in self.trained.fitted ^ there}

    @property
    def added_since_training(self) -> set[str]:
        """Keys of the photographs that train and were not there at the last training."""
        return self._keys_not_as_fitted - self.trained.keys

    def train(self, tick: Tick = no_tick, *, recipe: Recipe | None = None) -> Gallery:
        """Fit the face space, and what is compared, to every photograph that is not excluded.

        ``recipe``: another than so far, chosen by a person. Else an `automatic` one is chosen anew.
        """
        automatic, step = None if recipe else self.automatic, tick
        if automatic is not None:
            crops, step = self.preparation.already_cropped, part_of(tick, 1, 2)
            measured = self.faces, self.included
            automatic = choose_recipe(*measured, crops=crops, tick=part_of(tick, 0, 2))
            recipe = RECIPES[automatic.recipe]
        recipe = recipe or self.recipe
        if len(self.included) < 2:
            raise EigenfacesError("Training needs at least two photographs: add some first.")
        training = Training.fit(self.faces, self.included, self.preparation, recipe, step)
        return replace(self, recipe=recipe, training=training, automatic=automatic)

    def with_training(self, training: Training) -> Gallery:
        """Return the gallery with a training that was made from an earlier state of it."""
        if training.preparation != self.preparation:
            raise EigenfacesError("The faces have been cut anew, in another way: train again.")
        return replace(self, training=training.for_faces(self.faces.pixels, {}))

    def enrol(self, faces: FaceSet, replacing: Mapping[str, str] | None = None) -> Gallery:
        """Add faces. A trained gallery knows them at once, without being fitted again.

        ``replacing``: for the key of a new face, the key of the face that it replaces.
        """
        joined = replace(self.faces.join(faces, replacing), skipped=())
        pairs = zip(self.index.photos, joined.index.photos, strict=False)
        stay = {row: row for row, (before, after) in enumerate(pairs) if before is after}
        training = self.training and self.training.for_faces(joined.pixels, stay)
        return replace(self, faces=joined, training=training)

    def rename(self, person: str, name: str) -> Gallery:
        """Give somebody another name, which nobody else may have."""
        person, known = self._known_name(person), self._known_name(name)
        if known != person and known in self.people:
            raise EigenfacesError(f"There is already a “{known}”. Merge the two if they are one.")
        return self._rename_person(person, as_name(name) or known)

    def merge(self, person: str, into: str) -> Gallery:
        """Give all photographs of one person to another."""
        person, into = self._known_name(person), self._known_name(into)
        if into not in self.people:
            raise EigenfacesError(f"Nobody in the gallery is called “{into}”.")
        return self._rename_person(person, into)

    def remove_person(self, person: str) -> Gallery:
        """Take somebody out of the gallery. The photographs on disk are not touched."""
        return self.remove(self._keys_of(person))

    def move(self, keys: Collection[str], person: str | None) -> Gallery:
        """Give photographs to a person, new or known, or (None) to nobody."""
        name = None if person is None else self._known_name(person)
        return self._changed(keys, person=name, right=False)._of_its_people()

    def exclude(self, keys: Collection[str], excluded: bool = True) -> Gallery:
        """Keep photographs in the gallery but out of training and matching, or take them back."""
        return self._changed(keys, excluded=excluded)

    def confirm(self, keys: Collection[str]) -> Gallery:
        """Note that photographs are right as they are, so that they are not asked about again."""
        return self._changed(keys, right=True)

    def remove(self, keys: Collection[str]) -> Gallery:
        """Take photographs out of the gallery. The files on disk are not touched."""
        removed = self._rows_of(keys)
        rows = [row for row in range(len(self.faces)) if row not in removed]
        faces = self.faces.select(rows)
        training = self.training and self.training.for_faces(faces.pixels, dict(enumerate(rows)))
        return replace(self, faces=faces, training=training)._of_its_people()

    def with_recipe(self, recipe: Recipe) -> Gallery:
        """Compare by another recipe. Where it refits, the old face space serves until training."""
        return replace(self, recipe=recipe, automatic=None)

    def with_share(self, share: float) -> Gallery:
        """Let at most another share of strangers be named, 0…1."""
        check_share(share)
        return replace(self, share=float(share))

    def with_crops(self, faces: FaceSet, preparation: Preparation) -> Gallery:
        """Replace all faces by the same photographs cut anew; the face space no longer fits."""
        rows = {photo.key: row for row, photo in enumerate(faces.index.photos)}
        lost = [photo.path for photo in self.index.photos if photo.key not in rows]
        if lost:
            reasons = {photo.path: photo.reason for photo in faces.skipped}
            raise EigenfacesError(
                f"{len(lost)} photographs cannot be cut anew. Nothing was changed: put that right, "
                "or remove them from the gallery. The first is "
                f"“{lost[0].name}”: {reasons.get(lost[0], 'It was not read again.')}"
            )
        cut = faces.select([rows[photo.key] for photo in self.index.photos])
        photos = tuple(map(recropped, self.index.photos, cut.index.photos))
        faces = replace(cut, index=PhotoIndex(photos), skipped=())
        made = replace(self, training=None, calibration=None)
        return replace(made, faces=faces, preparation=preparation)

    def with_answer(self, key: str, answered: Answer) -> Gallery:
        """Note what was answered about the probe with this key."""
        answers = {**self.answers, key: answered}
        if answered == NOTHING:
            del answers[key]
        return replace(self, answers=answers)

    def missing(self) -> list[FacePhoto]:
        """Return the photographs whose file is no longer where it was."""
        return [photo for photo in self.index.photos if not is_there(photo.path)]

    def _rename_person(self, person: str, name: str) -> Gallery:
        moved = self._changed(self._keys_of(person), person=name)
        answers = {key: one.renamed(person, name) for key, one in self.answers.items()}
        return replace(moved, answers=answers)

    def _of_its_people(self) -> Gallery:
        return (
            replace(self, answers=restrict_answers(self.answers, self.people))
            if self.answers
            else self
        )

    def _changed(self, keys: Collection[str], **what: Any) -> Gallery:
        photos = (self.index.photos[row] for row in self._rows_of(keys))
        changed = {photo.key: replace(photo, **what) for photo in photos}
        return replace(self, faces=self.faces.with_photos(changed))

    def _rows_of(self, keys: Collection[str]) -> set[int]:
        places = self.index.places
        if not all(key in places for key in keys):
            raise EigenfacesError("Some of these photographs are no longer in the gallery.")
        return {places[key] for key in keys}

    def _keys_of(self, person: str) -> list[str]:
        keys = [self.index.photos[row].key for row in self.index.rows_of(self._known_name(person))]
        if not keys:
            raise EigenfacesError(f"Nobody in the gallery is called “{person}”.")
        return keys

    def _known_name(self, name: str) -> str:
        """Return a typed name; as somebody in the gallery is called, if that is the same name."""
        if (typed := as_name(name)) is None:
            raise EigenfacesError("A person needs a name: type at least one character.")
        alike = (known for known in self.people if name_key(known) == name_key(typed))
        return typed if typed in self.people else next(alike, typed)
