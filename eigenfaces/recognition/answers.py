"""Answers: the faces that the user is asked about, and what each answer changes in the gallery.

Each face to be recognised is given a verdict. Photographs are grouped by what remains to be done.

An answer that names somebody enrols the face immediately, without retraining. If the user withdraws
the answer, the face is removed from the gallery or its earlier name is restored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.face_set import Crops, FaceSet, PhotoIndex
from eigenfaces.faces.identity import FaceId
from eigenfaces.recognition.decision import KIND_MEANINGS
from eigenfaces.recognition.gallery import NO_ANSWER, Answer, Gallery, restrict_answers
from eigenfaces.recognition.probes import (
    Line,
    Probe,
    ProbeList,
    with_known_numbers,
)
from eigenfaces.recognition.recognised import Recognition
from eigenfaces.space.pca import as_levels
from eigenfaces.text import count, name_key

TO_ANSWER, LIKELY_GROUP, SURE_GROUP = "To answer", "Likely", "Sure"
ANSWERED, NO_FACE_GROUP = "Answered", "No face found"
TO_DO = (TO_ANSWER, LIKELY_GROUP, SURE_GROUP, ANSWERED, NO_FACE_GROUP)
"""The groups of photographs, by what remains to be done with them, in display order."""


@dataclass(frozen=True, eq=False)
class AnswerResult:
    """The result of an answer: the new gallery, a title for Undo, and a summary of the change."""

    gallery: Gallery
    title: str
    sentence: str


def apply_answer(
    gallery: Gallery, probe: Probe, feedback: str, people: Collection[str] = ()
) -> AnswerResult:
    """Return the result of applying an answer about a probe.

    ``feedback`` is “right” (the suggested name is right), “it is” (the face belongs to another
    person, known or new), “not” (do not suggest these people again), “nobody” (it is a stranger),
    “no face” (it is not a face) or “back” (undo an earlier answer and its effect on the gallery).
    """
    if feedback in ("right", "it is"):
        (person,) = people
        return _enrolled(gallery, probe, "right" if feedback == "right" else "it is", person)
    before = answer_to(gallery, probe)
    names = " and ".join(people)
    gone = feedback != "not" or before.person in people
    after = _taken_back(gallery, probe) if gone else gallery
    match feedback:
        case "not":
            answered = replace(NO_ANSWER if gone else before, never=before.never.union(people))
            title = f"“not {names}”"
            sentence = f"{names} will not be suggested for this photo again."
        case "nobody":
            answered = Answer("nobody", never=before.never)
            title = "“nobody I know”"
            sentence = "This is nobody you know: your answer was saved."
        case "no face":
            answered = Answer("no face", never=before.never)
            title = "“not a face”"
            sentence = "This is not a face: your answer was saved."
        case _:
            answered = NO_ANSWER
            title = "taking an answer back"
            sentence = "Your answer has been taken back."
    if after is not gallery:
        was, now = before.before, before.person
        sentence += f" It is kept as {was} again." if was else f" It is no longer kept as {now}."
    return AnswerResult(
        after.with_answer(probe.photo.id, answered.restrict_to(after.people)), title, sentence
    )


def _enrolled(
    gallery: Gallery, probe: Probe, feedback: Literal["right", "it is"], person: str
) -> AnswerResult:
    if feedback == "right" and person not in gallery.people:
        raise EigenfacesError(f"Nobody in the gallery is called “{person}”.")
    old_row = gallery.index.row_of_face(probe.photo)
    earlier = answer_to(gallery, probe)
    before = None if old_row is None else gallery.index.photos[old_row].person
    if old_row is None:
        # Another face in this photograph may have been given the probe's number.
        photo = with_known_numbers(gallery, [probe])[0].photo
        photo = replace(photo, person=gallery.known_name(person), excluded=False)
        crop = Crops(as_levels(probe.image).reshape(1, -1))
        faces = FaceSet(crop, gallery.faces.shape, PhotoIndex((photo,)))
        new = gallery.with_faces(faces, {})
        face = photo.id
    else:
        face = gallery.index.photos[old_row].id
        new = gallery.move([face], person)
    row = new.index.row_of(face)
    name = None if row is None else new.index.photos[row].person  # as the gallery spells it
    assert name is not None
    answered = Answer(feedback, name, earlier.never - {name}, old_row is not None, before)
    if before is not None and earlier.person == before:  # an earlier answer put it there
        answered = replace(answered, was_enrolled=earlier.was_enrolled, before=earlier.before)
    if before == name:
        sentence = f"This photo is already in the gallery as {name}: only your answer was saved."
    elif name in gallery.people:
        sentence = f"Kept: {name} now has {count(len(new.index.rows_of(name)))}."
    else:
        sentence = f"{name} is now in the gallery, with this photo."
    title = f"keeping a photo as {name}" if before != name else f"“it is {name}”"
    answered = answered.restrict_to(new.people)
    return AnswerResult(new.with_answer(probe.photo.id, answered), title, sentence)


def _taken_back(gallery: Gallery, probe: Probe) -> Gallery:
    """Return the gallery without the changes made by the answer about a probe."""
    answered = answer_to(gallery, probe)
    row = gallery.index.row_of_face(probe.photo)
    photo = None if row is None else gallery.index.photos[row]
    if photo is None or answered.person is None or photo.person != answered.person:
        return gallery
    if not answered.was_enrolled:
        return gallery.remove([photo.id])
    same = photo.person == answered.before
    return gallery if same else gallery.move([photo.id], answered.before)


@dataclass(frozen=True, eq=False)
class Reply:
    """A callable that applies the user's answer about a probe to a gallery."""

    probe: Probe
    feedback: str
    people: tuple[str, ...] = ()

    def __call__(self, gallery: Gallery) -> AnswerResult:
        """Return the result of applying the answer to a gallery."""
        return apply_answer(gallery, self.probe, self.feedback, self.people)

    def brings_to(self, gallery: Gallery) -> bool:
        """Return whether the answer would add a new face to the gallery."""
        known = self.feedback == "it is" or {*self.people} <= {*gallery.people}
        names = known and self.feedback in ("right", "it is")
        return names and gallery.index.row_of_face(self.probe.photo) is None


def apply_answers(
    gallery: Gallery, replies: Sequence[Callable[[Gallery], AnswerResult]]
) -> AnswerResult:
    """Return the combined result of applying one or more answers.

    All new faces are enrolled together, which takes no longer than enrolling a single face.
    """
    if len(replies) == 1:
        return replies[0](gallery)
    bringing = [reply for reply in replies if isinstance(reply, Reply) and reply.brings_to(gallery)]
    gallery = _enrolled_together(gallery, bringing)
    for reply in replies:
        if reply not in bringing:
            gallery = reply(gallery).gallery
    return AnswerResult(gallery, f"{len(replies)} answers", f"{len(replies)} answers were saved.")


def _enrolled_together(gallery: Gallery, replies: Sequence[Reply]) -> Gallery:
    """Return the gallery with new faces enrolled and the answers about them recorded."""
    if not replies:
        return gallery
    names = dict[str, str]()  # each name as the gallery spells it
    answers = dict(gallery.answers)
    photos = []
    probes = with_known_numbers(gallery, [reply.probe for reply in replies])
    for reply, numbered in zip(replies, probes, strict=True):
        (typed,) = reply.people
        name = names.setdefault(name_key(typed), gallery.known_name(typed))
        photos.append(replace(numbered.photo, person=name, excluded=False))
        face = reply.probe.photo.id
        earlier = answers.get(face, NO_ANSWER)
        said: Literal["right", "it is"] = "right" if reply.feedback == "right" else "it is"
        answers[face] = Answer(said, name, earlier.never - {name})
    levels = np.stack([as_levels(probe.image).reshape(-1) for probe in probes])
    faces = FaceSet(Crops(levels), gallery.faces.shape, PhotoIndex(tuple(photos)))
    enrolled = replace(gallery.with_faces(faces, {}), answers=answers)
    return replace(enrolled, answers=restrict_answers(answers, enrolled.people))


def answer_to(gallery: Gallery, probe: Probe) -> Answer:
    """Return the current answer about a probe, or an empty answer."""
    return gallery.answers.get(probe.photo.id, NO_ANSWER)


def forget_answers_about_other_faces(
    gallery: Gallery, before: Mapping[FaceId, Probe], now: Mapping[FaceId, Probe]
) -> Gallery:
    """Return the gallery without the answers about probes that now show a different face."""
    for face in gallery.answers.keys() & before.keys() & now.keys():
        if not before[face].photo.is_same_face(now[face].photo):
            gallery = gallery.with_answer(face, NO_ANSWER)
    return gallery


def verdicts_still_hold(before: Gallery, now: Gallery) -> bool:
    """Return whether the old verdicts may still be shown briefly after the gallery has changed.

    This is the case if only answers have changed the gallery.
    """
    if before.training is None or now.training is None or before.calibrated is None:
        return False
    same = before.matching_recipe == now.matching_recipe and before.share == now.share
    same = same and before.training.matching_space is now.training.matching_space
    return same and set(before.people) <= set(now.people)


@dataclass(frozen=True, eq=False)
class ProbeFace:
    """A face in a photograph, with the user's answer and, once it is known, the verdict."""

    probe: Probe
    recognition: Recognition | None
    answered: Answer
    fits: bool  # whether the face has the same size as those of the gallery

    @property
    def id(self) -> FaceId:
        """The identity of the face."""
        return self.probe.photo.id

    @cached_property
    def style(self) -> str:
        """The display style: a kind of verdict, “not a face”, “in the gallery” or “waits”."""
        if self.answered.said:
            return {"nobody": "unknown", "no face": "not a face"}.get(self.answered.said, "sure")
        if self.recognition is None:
            return "waits"
        filed = self.recognition.is_self_match
        return "in the gallery" if filed else self.recognition.verdict.decision.kind

    @cached_property
    def to_do(self) -> str:
        """The group in `TO_DO` to which the face belongs."""
        if self.answered.said or self.style == "in the gallery":
            return ANSWERED
        return {"sure": SURE_GROUP, "likely": LIKELY_GROUP}.get(self.style, TO_ANSWER)

    @property
    def is_open(self) -> bool:
        """Whether the face has been compared with the gallery and still needs an answer."""
        return self.recognition is not None and self.to_do != ANSWERED

    @property
    def proposed_person(self) -> str | None:
        """The person named by the verdict; None if nobody is named or the face needs no answer."""
        known = self.recognition if self.is_open else None
        return None if known is None else known.verdict.decision.person

    @property
    def name(self) -> str:
        """The shortest text that says whose face it is."""
        if self.answered.said:
            named = {"nobody": "Nobody I know", "no face": "Not a face"}
            return named.get(self.answered.said, self.answered.person or "")
        if self.recognition is None:
            return "…" if self.fits else "Cropped to another size: open it again"
        if self.recognition.is_self_match:
            return self.recognition.filed_as or ""
        return self.recognition.verdict.decision.label

    @property
    def words(self) -> tuple[str, str, str]:
        """The answer or the verdict as three texts: the person, the certainty and the reason."""
        if self.answered.said:
            counts = "This photo is one of theirs." if self.answered.person else "Nobody is named."
            return self.name, "you said so", counts
        if self.recognition is None:
            waits = "Not compared yet" if self.fits else "Cropped to another size"
            return waits, "", "" if self.fits else "Open this photo again."
        if self.recognition.is_self_match:
            return self.name, "in the gallery", "Name it or move it on the People page."
        decision = self.recognition.verdict.decision
        never = " or ".join(sorted(self.answered.never))
        denied = f"You said: not {never}. " if never else ""
        return decision.headline, decision.word, denied + decision.short

    def answer(self, feedback: str, people: Sequence[str] = ()) -> Reply | None:
        """Return an answer about the face; None if there is nobody to name.

        If ``people`` is empty, “right” and “it is” refer to the person named by the verdict.
        """
        if feedback in ("right", "it is"):
            person = people[0] if people else self.proposed_person
            if not person:
                return None
            people = [person]
        return Reply(self.probe, feedback, tuple(people))


@dataclass(frozen=True, eq=False)
class ProbePhoto:
    """A photograph and its faces from left to right, or only its path if no face was found."""

    path: Path
    faces: tuple[ProbeFace, ...] = ()

    @property
    def line(self) -> Line:
        """The key of the photograph in a list: its first face, or its path if it shows no face."""
        return self.faces[0].id if self.faces else self.path

    @property
    def lines(self) -> set[Line]:
        """All keys under which the photograph can be found: its `line` and its faces."""
        return {self.line, *(face.id for face in self.faces)}

    @cached_property
    def to_do(self) -> str:
        """The group of the photograph: the first in `TO_DO` to which any of its faces belongs."""
        return min((face.to_do for face in self.faces), default=NO_FACE_GROUP, key=TO_DO.index)

    @cached_property
    def open_faces(self) -> list[ProbeFace]:
        """The open faces that belong to the same group in `TO_DO` as the photograph."""
        return [face for face in self.faces if face.is_open and face.to_do == self.to_do]

    @property
    def title(self) -> str:
        """The stem of the file name, preceded by the folder's name if the stem is a number."""
        return "/".join(self.path.with_suffix("").parts[-1 - self.path.stem.isdecimal() :])

    @property
    def names(self) -> str:
        """The names of the people in the photograph, as text."""
        unknown = [face.name for face in self.faces if face.to_do == TO_ANSWER]
        names = [face.name for face in self.faces if face.to_do != TO_ANSWER]
        several = len(unknown) > 0 and len(self.faces) > 1
        return ", ".join([*names, *([f"{len(unknown)} to answer"] if several else unknown)])


def probe_photos(
    gallery: Gallery, probe_list: ProbeList, recognitions: Mapping[FaceId, Recognition]
) -> list[ProbePhoto]:
    """Return all photographs in a probe list in display order; ``recognitions`` is keyed by face.

    Within a group, photographs with a suggested name come before those of unknown people.
    """
    files: dict[tuple[Path, int], list[ProbeFace]] = {}
    for probe in probe_list.probes:
        known = recognitions.get(probe.photo.id)
        if known and known.is_self_match and gallery.index.row_of_face(probe.photo) is None:
            known = None  # it has just been removed from the gallery
        face = ProbeFace(probe, known, answer_to(gallery, probe), probe.fits(gallery))
        photograph = probe.photo.photograph
        files.setdefault((photograph.path, photograph.turned), []).append(face)
    photos = [ProbePhoto(path, tuple(faces)) for (path, _), faces in files.items()]
    photos += [ProbePhoto(path) for path in sorted(probe_list.without_face)]
    kinds: list[str] = [*KIND_MEANINGS]

    def place(photo: ProbePhoto) -> tuple[int, int]:
        last = max((kinds.index(face.style) for face in photo.open_faces), default=len(kinds))
        return TO_DO.index(photo.to_do), last

    return sorted(photos, key=place)


def next_to_answer(
    photos: Sequence[ProbePhoto], answered: Collection[Line], first: Collection[Line] = ()
) -> FaceId | None:
    """Return the next open face after the answered ones, wrapping around at the end.

    Faces in ``first`` take precedence over all others. Return None if no open face is left.
    """
    faces = [face for photo in photos for face in photo.faces]
    order = [face.id for face in faces if face.is_open or face.id in answered]
    last = max((place for place, face in enumerate(order) if face in answered), default=-1)
    others = [face for face in order[last + 1 :] + order[: last + 1] if face not in answered]
    return min(others, key=lambda face: face not in first, default=None)
