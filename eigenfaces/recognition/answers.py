"""Answers to a verdict, and what each changes in the gallery.

Whom a photograph shows is enrolled at once; nothing is fitted anew. Whoever takes such an answer
back takes the photograph out of the gallery again, or gives it back to whom it showed there before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.face_set import Crops, FaceSet, PhotoIndex, as_levels
from eigenfaces.recognition.gallery import NOTHING, Answered, Feedback, Gallery
from eigenfaces.recognition.probes import Probe, gallery_key, is_same_face
from eigenfaces.text import ordinal


@dataclass(frozen=True, eq=False)
class Reply:
    """What an answer leads to: the gallery after it, its name for undo, and what it changed."""

    gallery: Gallery
    title: str
    sentence: str


def right(gallery: Gallery, probe: Probe, person: str) -> Reply:
    """Return the reply to “Right”: the photograph is one more of the person named."""
    if person not in gallery.people:
        raise EigenfacesError(f"Nobody in the gallery is called “{person}”.")
    return _known(gallery, probe, person, "right")


def it_is(gallery: Gallery, probe: Probe, person: str) -> Reply:
    """Return the reply to “It is …”: the photograph is one more of somebody, known or new."""
    return _known(gallery, probe, person, "it is")


def it_is_not(gallery: Gallery, probe: Probe, people: Collection[str]) -> Reply:
    """Return the reply to “Not this person”: these people are not suggested for it again."""
    before, names = answer_to(gallery, probe), " and ".join(people)
    gone = before.person in people
    left = _taken_back(gallery, probe) if gone else gallery
    answered = replace(NOTHING if gone else before, never=before.never.union(people))
    are = "is" if len(people) == 1 else "are"
    sentence = f"{names} {are} not suggested for this photo any more."
    sentence += _no_longer(gallery, left, before)
    return Reply(_answered(left, probe, answered), f"“not {names}”", sentence)


def nobody_known(gallery: Gallery, probe: Probe) -> Reply:
    """Return the reply to “Nobody I know”: the photograph is a stranger’s."""
    sentence = "This is nobody you know: with such strangers the limit becomes more exact."
    answered = Answered("nobody", crop=as_levels(probe.image).tobytes())
    return _without_name(gallery, probe, answered, sentence)


def no_face(gallery: Gallery, probe: Probe) -> Reply:
    """Return the reply to “Not a face”: the photograph names nobody."""
    said = "This is not a face: your answer is noted."
    return _without_name(gallery, probe, Answered("no face"), said)


def unanswered(gallery: Gallery, probe: Probe) -> Reply:
    """Return the reply that takes an answer back, with what it enrolled and ruled out."""
    before, left = answer_to(gallery, probe), _taken_back(gallery, probe)
    sentence = "Your answer is taken back." + _no_longer(gallery, left, before)
    return Reply(_answered(left, probe, NOTHING), "taking an answer back", sentence)


def together(gallery: Gallery, answers: Sequence[Callable[[Gallery], Reply]]) -> Gallery:
    """Return the gallery after several answers, each given to what those before it have made."""
    for answer in answers:
        gallery = answer(gallery).gallery
    return gallery


def answer_to(gallery: Gallery, probe: Probe) -> Answered:
    """Return what was answered about a probe so far."""
    return gallery.answers.get(probe.photo.key, NOTHING)


def about_these_faces(
    gallery: Gallery, before: Mapping[str, Probe], now: Mapping[str, Probe]
) -> Gallery:
    """Return the gallery without the answers about probes that show another face than before."""
    for key in gallery.answers.keys() & before.keys() & now.keys():
        if not is_same_face(before[key].photo, now[key].photo):
            gallery = gallery.answered(key, NOTHING)
    return gallery


def _known(gallery: Gallery, probe: Probe, person: str, said: Feedback) -> Reply:
    # Another face of this photograph may be there under its key by now.
    key = gallery_key(gallery, probe.photo)
    photo = replace(probe.photo, key=key, person=None, excluded=False)
    crop = Crops(as_levels(probe.image).reshape(1, -1))
    faces = FaceSet(crop, gallery.faces.shape, PhotoIndex((photo,)))
    there, earlier = gallery.index.row_of(key), answer_to(gallery, probe)
    before = None if there is None else gallery.index.photos[there].person
    new = gallery.enrol(faces).move([key], person)
    row = new.index.row_of(key)
    name = None if row is None else new.index.photos[row].person  # as it is spelt from now on
    assert name is not None
    answered = Answered(said, name, earlier.never - {name}, b"", there is not None, before)
    if before is not None and earlier.person == before:  # as an answer has said
        answered = replace(answered, held=earlier.held, before=earlier.before)
    if before == name:
        sentence = f"This photo is {name} in the gallery already: only your answer is noted."
    elif name in gallery.people:
        number = ordinal(len(new.index.rows_of(name)))
        sentence = f"Kept: this photo is the {number} of {name}."
    else:
        sentence = f"{name} is known from now on, by this photo."
    title = f"keeping a photo as {name}" if before != name else f"“it is {name}”"
    return Reply(_answered(new, probe, answered), title, sentence)


def _without_name(gallery: Gallery, probe: Probe, answered: Answered, sentence: str) -> Reply:
    before = answer_to(gallery, probe)
    left = _taken_back(gallery, probe)
    title = "“nobody I know”" if answered.said == "nobody" else "“not a face”"
    answered = replace(answered, never=before.never)
    sentence += _no_longer(gallery, left, before)
    return Reply(_answered(left, probe, answered), title, sentence)


def _taken_back(gallery: Gallery, probe: Probe) -> Gallery:
    answered = answer_to(gallery, probe)
    row = gallery.index.row_of(gallery_key(gallery, probe.photo))
    photo = None if row is None else gallery.index.photos[row]
    if photo is None or answered.person is None or photo.person != answered.person:
        return gallery
    if answered.held:
        same = photo.person == answered.before
        return gallery if same else gallery.move([photo.key], answered.before)
    return gallery.remove([photo.key])


def _no_longer(before: Gallery, after: Gallery, answered: Answered) -> str:
    if after is before:
        return ""
    if answered.before:
        return f" It is kept as {answered.before} again."
    return f" It is no longer kept as {answered.person}."


def _answered(gallery: Gallery, probe: Probe, answered: Answered) -> Gallery:
    return gallery.answered(probe.photo.key, answered.among(gallery.people))
