"""Galleries of people: their faces, and the face space fitted to them.

A person is identified by a unique name, so there are no person numbers to keep in step with it.
A face is identified by the hash of its photograph and its number within that photograph.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from eigenfaces.errors import EigenfacesError, NotTrainedError, Tick, no_tick, part_of
from eigenfaces.faces.face_set import FaceSet, PhotoIndex, match_enrolled
from eigenfaces.faces.identity import FaceId, FacePhoto
from eigenfaces.faces.prepare import Preparation
from eigenfaces.files import is_there
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.names import as_name, is_nobody
from eigenfaces.recognition.automatic import NOT_MEASURED, RecipeChoice, choose_recipe
from eigenfaces.recognition.calibration import METHOD_VERSION, Calibration
from eigenfaces.recognition.held_out import CrossValidation
from eigenfaces.recognition.limits import USUAL_SHARE, check_share
from eigenfaces.recognition.neighbours import Matching, distance_in_space
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.recognition.training import PrincipalFaces, ProjectedFaces, Training, fitted_key
from eigenfaces.space.arrays import Floats
from eigenfaces.space.distances import Distance
from eigenfaces.space.face_space import check_components
from eigenfaces.text import count, name_key, short_repr
from eigenfaces.threads import one_blas_thread

Feedback = Literal["", "right", "it is", "nobody", "no face"]


@dataclass(frozen=True)
class Answer:
    """The user's answer about a probe."""

    said: Feedback = ""
    person: str | None = None  # the person named by the answer, if any
    never: frozenset[str] = frozenset()  # people not to suggest again
    was_enrolled: bool = False  # whether the face was already in the gallery …
    before: str | None = None  # … and its name there, if it had one

    def __post_init__(self) -> None:
        if (
            (self.person is not None) != (self.said in ("right", "it is"))
            or (self.was_enrolled and self.person is None)
            or (self.before is not None and not self.was_enrolled)
            or self.person in self.never
        ):
            raise ValueError("the answer contradicts itself")

    def renamed(self, person: str, name: str) -> Answer:
        """Return the answer after a person has been renamed or merged with somebody else."""
        named, before = (name if x == person else x for x in (self.person, self.before))
        never = frozenset(name if other == person else other for other in self.never)
        return replace(self, person=named, never=never - {named}, before=before)

    def restrict_to(self, people: Collection[str]) -> Answer:
        """Return the part of the answer that is about these people."""
        never = self.never.intersection(people)
        if self.person is None or self.person in people:
            return replace(self, never=never)
        return Answer(never=never)


Answers = Mapping[FaceId, Answer]  # by the face of the probe; empty answers are left out
NO_ANSWER = Answer()


def restrict_answers(answers: Answers, people: Collection[str]) -> Answers:
    """Return the parts of the answers that are about these people."""
    changed = {face: answered.restrict_to(people) for face, answered in answers.items()}
    return {face: answered for face, answered in changed.items() if answered != NO_ANSWER}


@dataclass(frozen=True, eq=False)
class Gallery:
    """Faces and their names, how they are prepared and compared, and the result of training.

    Every edit returns a new gallery and leaves this one unchanged. Editing methods raise
    `EigenfacesError` for faces that are no longer in the gallery.

    Parameters
    ----------
    faces
        The n faces, cropped according to the preparation.
    preparation
        How the faces were cropped, and how every probe must be cropped.
    recipe
        How faces are compared.
    training
        The face space and the coordinates of all faces; None before training.
    calibration
        What distances mean, in this or an earlier state of the gallery; see `calibrated`.
    share
        The largest share of strangers, 0…1, that may be named.
    answers
        The user's answers about probes, keyed by face.
    automatic
        How Automatic chose the recipe; None if the user chose it.
    settled
        Pairs of names, each in sorted order, that the user has confirmed to be two people who look
        alike. A name paired with itself is confirmed to be one person who looks like two.

    Raises
    ------
    ValueError
        The faces were cropped with another preparation, or the training does not match them.

    Examples
    --------
    >>> images = np.random.default_rng(0).random((4, 16, 16))
    >>> faces = FaceSet.from_arrays(images, ["Ada", "Ada", "Grace", "Grace"])
    >>> gallery = Gallery(faces, Preparation(16, 16), Recipe()).train().calibrate()
    >>> gallery.rename("Grace", "Grace Hopper").people
    ('Ada', 'Grace Hopper')
    """

    faces: FaceSet
    preparation: Preparation
    recipe: Recipe
    training: Training | None = None
    calibration: Calibration | None = None
    share: float = USUAL_SHARE
    answers: Answers = field(default_factory=dict)
    automatic: RecipeChoice | None = None
    settled: frozenset[tuple[str, str]] = frozenset()
    __repr__ = short_repr

    def __post_init__(self) -> None:
        if self.faces.shape != self.preparation.shape:
            raise ValueError("the faces were not cropped with this preparation")
        if self.training:
            if self.training.preparation != self.preparation:
                raise ValueError("the face space was fitted to faces that were cropped differently")
            known = self.training.coordinates, self.training.matching_coordinates
            if {len(rows) for rows in known} != {len(self.faces)}:
                raise ValueError("each face needs one row of coordinates")
            _ = self.distance  # raises if the recipe leaves nothing to compare

    @classmethod
    def new(cls, preparation: Preparation | None = None, recipe: Recipe | None = None) -> Gallery:
        """Return an empty gallery."""
        preparation = preparation or Preparation()
        automatic = None if recipe else NOT_MEASURED
        none = FaceSet.empty(preparation.shape)
        return cls(none, preparation, recipe or Recipe(), automatic=automatic)

    @property
    def index(self) -> PhotoIndex:
        """The faces row by row, without their pixels."""
        return self.faces.index

    @property
    def people(self) -> tuple[str, ...]:
        """The names of all people, in order of first appearance."""
        return self.index.people

    @property
    def trained(self) -> Training:
        """The result of training; raises `NotTrainedError` if there is none."""
        if self.training is None:
            raise NotTrainedError("There is no face space yet: train first.")
        return self.training

    @property
    def included(self) -> tuple[int, ...]:
        """The rows used for training: every face that is not excluded, named or not."""
        return self.index.included

    @property
    def enrolled(self) -> tuple[int, ...]:
        """The rows that probes are compared with: every named face that is not excluded."""
        return self.index.enrolled

    @property
    def calibration_rows(self) -> tuple[int, ...]:
        """The rows used in calibration: the enrolled faces and the faces used for training."""
        photos, fitted = self.index.photos, self.trained.fitted
        there = ((row, photos[row]) for row in self.included)
        return tuple(r for r, p in there if p.person is not None or (p.id, p.crop) in fitted)

    @property
    def k(self) -> int:
        """The number of components of the matching space that are compared."""
        return self.distance.k

    @property
    def face_space_k(self) -> int:
        """The number of face space components to show, given the count or share in the recipe."""
        return self.trained.space.components_for(self.recipe.shown_components)

    @cached_property
    def distance(self) -> Distance:
        """The distance measure for probes and photographs, along the axes of the matching space.

        Raises `EigenfacesError` if the space has too few axes for the recipe.
        """
        space = self.trained.matching_space
        check_components(space.variance_kept, self.recipe.matcher.components)
        return distance_in_space(self.recipe.matcher, space.variances, space.variance_kept)

    def match(self, coordinates: Floats, rows: Sequence[int] | None = None) -> Matching:
        """Compare probes with enrolled faces, given the probes' coordinates (m, ≥ k).

        ``rows``: the enrolled rows to compare with; None for all.
        """
        rows = self.enrolled if rows is None else rows
        number = {person: number for number, person in enumerate(self.people)}
        people = [number[self.index.photos[row].person or ""] for row in rows]
        return Matching(
            rule=self.recipe.matcher.rule,
            people=np.array(people, np.intp),
            count=len(number),
            distances=self.distance.between,
            probes=self.distance.standardised(coordinates),
            photos=self.distance.standardised(self.trained.matching_coordinates[[*rows]]),
            mean_scatter=self.matching_recipe.mean_scatter,
        )

    @property
    def matching_recipe(self) -> Recipe:
        """The recipe used for verdicts: the features from training, with the current matcher."""
        return replace(self.trained.recipe, matcher=self.recipe.matcher)

    @cached_property
    def calibration_key(self) -> str:
        """The SHA-256 of everything that a calibration depends on."""
        there = self.index.compared_with(self.trained.fitted).key
        fitted = fitted_key(self.trained.fitted)
        recipe = self.matching_recipe.record
        parts = (METHOD_VERSION, recipe, f"{fitted:x}", f"{there:x}", sorted(self.settled))
        text = json.dumps(parts, default=lambda number: number.item())  # for NumPy's numbers
        return content_hash(text.encode())

    @cached_property
    def calibrated(self) -> Calibration | None:
        """The calibration, if it is up to date; otherwise None."""
        known = self.calibration
        if self.training is None or known is None or known.state_key != self.calibration_key:
            return None
        return known

    def calibrate(self, tick: Tick = no_tick) -> Gallery:
        """Return the gallery with an up-to-date calibration.

        Recalibration holds out each photograph. An untrained gallery raises `NotTrainedError`.
        """
        if self.calibrated is not None or not self.enrolled:
            return self
        rows = self.calibration_rows
        with one_blas_thread():
            known = self.principal_faces(part_of(tick, 0, 2))
            enrolled = [row for row in rows if self.index.photos[row].person is not None]
            crops = self.faces.pixels.select(enrolled)
            measured = Calibration.of(
                CrossValidation(known.principal, known.people, self.matching_recipe),
                crops,
                self.faces.shape,
                self.calibration_key,
                part_of(tick, 1, 2),
                settled=self._settled_numbers,
            )
        return replace(self, calibration=measured)

    @property
    def _settled_numbers(self) -> set[tuple[int, int]]:
        """The `settled` pairs, with people numbered as in a calibration."""
        number = {name: number for number, name in enumerate(self.measured_names)}
        known = (pair for pair in self.settled if number.keys() >= {*pair})
        return {(number[a], number[b]) for a, b in known}

    @cached_property
    def measured_names(self) -> list[str]:
        """The names of the people, in the order in which a calibration numbers them."""
        names = (self.index.photos[row].person for row in self.calibration_rows)
        return [*dict.fromkeys(filter(None, names))]

    @cached_property
    def alike(self) -> Mapping[str, frozenset[str]]:
        """The names of each person's look-alikes, except for pairs that the user has settled."""
        known = self.calibrated
        pairs: dict[str, frozenset[str]] = {}
        for one, other, _ in () if known is None else known.held_out.alike.tolist():
            names = self.measured_names[one], self.measured_names[other]
            for a, b in (names, names[::-1]):
                pairs[a] = pairs.get(a, frozenset()) | {b}
        return pairs

    def principal_faces(self, tick: Tick = no_tick) -> PrincipalFaces:
        """Return the faces of `calibration_rows` in principal coordinates.

        The coordinates from training are reused until the gallery is edited.
        """
        features = self.matching_recipe.features
        known = self.trained.principal_faces
        return PrincipalFaces.of(self.faces, self.calibration_rows, features, tick, known=known)

    def with_calibration(self, calibration: Calibration | None) -> Gallery:
        """Return the gallery with this calibration if it is valid and the current one is not."""
        if calibration is None or self.training is None or self.calibrated is not None:
            return self
        holds = calibration.state_key == self.calibration_key
        return replace(self, calibration=calibration) if holds else self

    @property
    def changes_since_training(self) -> int:
        """The number of faces added, removed or recropped since training; new features add 1."""
        if self.training is None:
            return 0
        return len(self._not_as_fitted) + self.recipe.needs_refit(self.training.recipe)

    @cached_property
    def _not_as_fitted(self) -> set[FaceId]:
        """The faces added to, removed from or recropped in the training set since training."""
        return {face for face, _ in self.index.compared_with(self.trained.fitted).differ}

    @property
    def added_since_training(self) -> set[FaceId]:
        """The faces to train on that were not used in the last training."""
        return self._not_as_fitted - self.trained.faces

    def train(self, tick: Tick = no_tick, *, recipe: Recipe | None = None) -> Gallery:
        """Fit the face space and the matching space to all faces that are not excluded.

        ``recipe``: a recipe chosen by the user. If None, an `automatic` choice is made afresh.

        Raises
        ------
        EigenfacesError
            There are fewer than two faces to train on, they are all identical, or they show too few
            people for the recipe.
        """
        if len(self.included) < 2:
            raise EigenfacesError("Training needs at least two photos: add some first.")
        pictured = self.index.is_pictured
        if not (pictured or (recipe or self.recipe).features.PRETRAINED):
            raise EigenfacesError(
                "This project has names but no pictures, so only Network can compare its faces."
            )
        automatic = None if recipe or not pictured else self.automatic
        measured: list[PrincipalFaces] = []
        if automatic is not None:
            crops = self.preparation.already_cropped
            step = part_of(tick, 0, 2)
            automatic, measured = choose_recipe(self.faces, self.included, crops=crops, tick=step)
            recipe = RECIPES[automatic.recipe]
            tick = part_of(tick, 1, 2)
        recipe = recipe or self.recipe
        training = Training.fit(
            self.faces, self.included, self.preparation, recipe, tick, known=measured
        )
        return replace(self, recipe=recipe, training=training, automatic=automatic)

    def adopt_training(self, training: Training, of: FaceSet | None = None) -> Gallery:
        """Return the gallery with the result of training an earlier state of the gallery.

        ``of``: the faces for which the training has coordinates. The coordinates of unchanged faces
        are reused. If ``of`` is None, no coordinates can be reused.

        Raises
        ------
        EigenfacesError
            The faces have been cropped differently since the training.
        """
        if training.preparation != self.preparation:
            raise EigenfacesError("The faces have since been cropped differently. Train again.")
        there = {} if of is None else of.index.row_by_id
        known = dict[int, int]()
        for row, photo in enumerate(self.index.photos):
            before = there.get(photo.id)
            if of is not None and before is not None and of.index.photos[before].crop == photo.crop:
                known[row] = before
        return replace(self, training=training.for_faces(self.faces, known))

    def enrol(
        self,
        faces: FaceSet,
        also: Sequence[FacePhoto] = (),
        *,
        projected: ProjectedFaces | None = None,
    ) -> Gallery:
        """Return the gallery with faces added. A trained gallery need not be retrained.

        Known faces keep their names, even if their photograph has been saved again. A face that is
        no longer found in such a photograph is kept, but marked as ``lost``. For ``also``, see
        `match_enrolled`. ``projected``: the coordinates of the faces, if already computed.
        """
        matched, replaced = match_enrolled(faces, self.index, also)
        replacing = {new: old.id for new, old in replaced.items()}
        gallery = self.with_faces(matched, replacing, projected=projected)
        photographs = [
            photo.photograph for photo in matched.index.photos if photo.photograph.is_file
        ]
        now = {photograph.path: photograph.sha for photograph in photographs}
        lost = [
            photo.id
            for photo in gallery.index.photos
            if now.get(photo.path, photo.id.sha) != photo.id.sha and not photo.lost
        ]
        return gallery._changed(lost, lost=True, right=False) if lost else gallery

    def with_faces(
        self,
        faces: FaceSet,
        replacing: Mapping[FaceId, FaceId],
        *,
        projected: ProjectedFaces | None = None,
    ) -> Gallery:
        """Return the gallery with faces added; ``replacing`` maps new faces to those they replace.

        A new face inherits the old face's answer and its entry in the training.
        """
        joined = replace(self.faces.join(faces, replacing), skipped=())
        if not replacing:
            training = self.training and self.training.for_faces(joined, projected=projected)
            return replace(self, faces=joined, training=training)
        photos = joined.index.photos[: len(self.faces)]
        stay = {row: row for row, photo in enumerate(photos) if photo.id not in replacing}
        training = self.training and self.training.for_faces(joined, stay, projected)
        now = {old: new for new, old in replacing.items()}
        if training is not None:
            training = training.with_ids(now)
        answers = {now.get(face, face): answered for face, answered in self.answers.items()}
        return replace(self, faces=joined, training=training, answers=answers)

    def rename(self, person: str, name: str) -> Gallery:
        """Return the gallery with a person renamed.

        Raises
        ------
        EigenfacesError
            Nobody has the old name, or the new name is empty or belongs to somebody else.
        """
        person, known = self.known_name(person), self.known_name(name)
        if known != person and known in self.people:
            raise EigenfacesError(
                f"“{known}” is already in the gallery. Merge the two if they are the same person."
            )
        return self._rename_person(person, as_name(name) or known)

    def merge(self, person: str, into: str) -> Gallery:
        """Return the gallery with all photographs of one person moved to another.

        Raises
        ------
        EigenfacesError
            One of the two people is not in the gallery.
        """
        person, into = self.known_name(person), self.known_name(into)
        if into not in self.people:
            raise EigenfacesError(f"Nobody in the gallery is called “{into}”.")
        return self._rename_person(person, into)

    def settle(self, one: str, other: str) -> Gallery:
        """Return the gallery with two people who look alike confirmed to be different people.

        Giving the same name twice confirms that somebody who looks like two people is one. Raises
        `EigenfacesError` if a name is not in the gallery.
        """
        names = sorted((self.known_name(one), self.known_name(other)))
        for name in names:
            self._faces_of(name)
        return replace(self, settled=self.settled | {(names[0], names[1])})

    def remove_person(self, person: str) -> Gallery:
        """Return the gallery without a person. The files on disk are not touched.

        Raises
        ------
        EigenfacesError
            Nobody has this name.
        """
        return self.remove(self._faces_of(person))

    def move(self, faces: Collection[FaceId], person: str | None) -> Gallery:
        """Return the gallery with faces moved to a known or new person, or left unnamed (None).

        Earlier answers that rule out that person for these faces are discarded.
        """
        name = None if person is None else self.known_name(person)
        moved = self._changed(faces, person=name, right=False, key=False, hidden=False)
        answers = {**self.answers}
        for face in answers.keys() & {*faces}:
            answers[face] = replace(answers[face], never=answers[face].never - {name})
        kept = {face: said for face, said in answers.items() if said != NO_ANSWER}
        return replace(moved, answers=kept)._of_its_people()

    def take_name_away(self, faces: Collection[FaceId]) -> Gallery:
        """Return the gallery with the names removed from wrongly named faces.

        A removed name will not be suggested for that face again.
        """
        photos = (self.index.photos[row] for row in self._rows_of(faces))
        named = {photo.id: photo.person for photo in photos if photo.person is not None}
        answers = {**self.answers}
        for face, person in named.items():
            before = answers.get(face, NO_ANSWER)
            answers[face] = Answer(never=before.never | {person})
        return replace(self, answers=answers).move([*named], None)

    def take_person_away(self, person: str) -> Gallery:
        """Return the gallery with the name removed from all of a person's faces."""
        return self.take_name_away(self._faces_of(person))

    def hide(self, faces: Collection[FaceId], hidden: bool = True) -> Gallery:
        """Return the gallery with faces hidden or shown. Hidden faces raise no questions."""
        return self._changed(faces, hidden=hidden)

    def with_key(self, face: FaceId) -> Gallery:
        """Return the gallery with this face as the only key photo of its person."""
        (row,) = self._rows_of([face])
        others = self.index.rows_of(self.index.photos[row].person)
        keys = [self.index.photos[at].id for at in others if self.index.photos[at].key]
        return self._changed(keys, key=False)._changed([face], key=True)

    def exclude(self, faces: Collection[FaceId], excluded: bool = True) -> Gallery:
        """Return the gallery with faces excluded from, or included in, training and comparison."""
        return self._changed(faces, excluded=excluded)

    def confirm(self, faces: Collection[FaceId]) -> Gallery:
        """Return the gallery with faces confirmed, so that the user is not asked about them."""
        return self._changed(faces, right=True)

    def remove(self, faces: Collection[FaceId]) -> Gallery:
        """Return the gallery without these faces. The files on disk are not touched."""
        removed = self._rows_of(faces)
        rows = [row for row in range(len(self.faces)) if row not in removed]
        left = self.faces.select(rows)
        training = self.training and self.training.for_faces(left, dict(enumerate(rows)))
        return replace(self, faces=left, training=training)._of_its_people()

    def with_recipe(self, recipe: Recipe) -> Gallery:
        """Return the gallery with another recipe. New features take effect after retraining.

        Until then, the old face space remains in use.
        """
        return replace(self, recipe=recipe, automatic=None)

    def with_share(self, share: float) -> Gallery:
        """Return the gallery with a new limit on the share of strangers that may be named.

        Raises
        ------
        EigenfacesError
            The share is not between 0 and 1.
        """
        check_share(share)
        return replace(self, share=float(share))

    def with_crops(self, faces: FaceSet, preparation: Preparation) -> Gallery:
        """Return the gallery with the same faces recropped. The result must be retrained.

        Raises
        ------
        EigenfacesError
            Some of the gallery's faces are missing from the new crops.
        """
        rows = faces.index.row_by_id
        lost = [photo.path for photo in self.index.photos if photo.id not in rows]
        if lost:
            reasons = {photo.path: photo.reason for photo in faces.skipped}
            raise EigenfacesError(
                f"{count(len(lost))} cannot be cropped again, so nothing was changed. Correct "
                f"or remove every photo that cannot be cropped. The first is “{lost[0].name}”: "
                f"{reasons.get(lost[0], 'It was not read again.')}"
            )
        cut = faces.select([rows[photo.id] for photo in self.index.photos])
        pairs = zip(self.index.photos, cut.index.photos, strict=True)
        photos = tuple(known.cut_again(now) for known, now in pairs)
        faces = replace(cut, index=PhotoIndex(photos), skipped=())
        made = replace(self, training=None, calibration=None)
        return replace(made, faces=faces, preparation=preparation)

    def with_answer(self, face: FaceId, answered: Answer) -> Gallery:
        """Return the gallery with an answer about a probe's face recorded."""
        answers = {**self.answers, face: answered}
        if answered == NO_ANSWER:
            del answers[face]
        return replace(self, answers=answers)

    def missing_photos(self) -> list[FacePhoto]:
        """Return the faces whose photographs no longer exist at their recorded paths.

        Relative paths, as in a project made for somebody else, are not checked.
        """
        photos = (photo for photo in self.index.photos if photo.path.is_absolute())
        return [photo for photo in photos if not is_there(photo.path)]

    def _rename_person(self, person: str, name: str) -> Gallery:
        there = name in self.people  # if so, this person keeps their key photo
        faces = self._faces_of(person)
        moved = self._changed(faces, person=name)
        if there and person != name:
            moved = moved._changed(faces, key=False)
        answers = {face: one.renamed(person, name) for face, one in self.answers.items()}
        pairs = ([name if x == person else x for x in pair] for pair in self.settled)
        settled = frozenset((min(pair), max(pair)) for pair in pairs)
        return replace(moved, answers=answers, settled=settled)._of_its_people()

    def _of_its_people(self) -> Gallery:
        if not self.answers and not self.settled:
            return self
        settled = frozenset(pair for pair in self.settled if {*pair} <= {*self.people})
        answers = restrict_answers(self.answers, self.people)
        return replace(self, answers=answers, settled=settled)

    def _changed(self, faces: Collection[FaceId], **what: Any) -> Gallery:
        photos = (self.index.photos[row] for row in self._rows_of(faces))
        changed = {photo.id: replace(photo, **what) for photo in photos}
        return replace(self, faces=self.faces.with_photos(changed))

    def _rows_of(self, faces: Collection[FaceId]) -> set[int]:
        places = self.index.row_by_id
        if not all(face in places for face in faces):
            raise EigenfacesError("Some of these photos are no longer in the gallery.")
        return {places[face] for face in faces}

    def _faces_of(self, person: str) -> list[FaceId]:
        rows = self.index.rows_of(self.known_name(person))
        if not rows:
            raise EigenfacesError(f"Nobody in the gallery is called “{person}”.")
        return [self.index.photos[row].id for row in rows]

    def known_name(self, name: str) -> str:
        """Return a typed name, in the gallery's spelling if somebody there has the same name.

        Raises `EigenfacesError` if the name is empty or cannot be a person's name.
        """
        if (typed := as_name(name)) is None:
            raise EigenfacesError("A person needs a name: type at least one character.")
        if typed in self.people:
            return typed
        if is_nobody(typed):
            raise EigenfacesError(
                f"“{typed}” is not the name of a person. Leave the face without a name instead."
            )
        key = name_key(typed)
        return next((known for known in self.people if name_key(known) == key), typed)
