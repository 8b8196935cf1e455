"""What there is to answer, and what each answer changes in the gallery.

Faces to recognise have a verdict each, and stand on photographs, grouped by what there is to do.

Whom a photograph shows is enrolled at once; nothing is fitted anew. Whoever takes such an answer
back takes the photograph out of the gallery again, or gives it back to whom it showed there before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

from eigenfaces.errors import EigenfacesError
from eigenfaces.faces.face_set import Crops, FaceSet, PhotoIndex, as_levels
from eigenfaces.recognition.gallery import NOTHING, Answered, Feedback, Gallery
from eigenfaces.recognition.probes import (
    Probe,
    ProbeList,
    gallery_key,
    is_same_face,
    row_of,
    without_face_key,
)
from eigenfaces.recognition.verdict import (
    KINDS,
    Answer,
    Caution,
    Verdict,
    answer,
    cautions,
    verdicts_on,
)
from eigenfaces.text import ordinal

TO_ANSWER, LIKELY, SURE = "To answer", "Likely", "Sure"
ANSWERED, NO_FACE = "Answered", "No face found"
TO_DO = (TO_ANSWER, LIKELY, SURE, ANSWERED, NO_FACE)
"""What there is to do with a photograph, in the order in which they are listed."""


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
    for each in answers:
        gallery = each(gallery).gallery
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


@dataclass(frozen=True, eq=False)
class Finding:
    """The verdict on one face in a gallery, and what it is less reliable for."""

    gallery: Gallery
    probe: Probe
    verdict: Verdict
    cautions: tuple[Caution, ...]

    @property
    def itself(self) -> bool:
        """Whether the verdict is no evidence: the face is one of those it is compared with."""
        return any(each.kind == "itself" for each in self.cautions)

    @cached_property
    def answer(self) -> Answer:
        """The verdict in words and values."""
        return answer(self.gallery, self.probe, self.verdict)


def compare(gallery: Gallery, probes: Sequence[Probe]) -> list[Finding]:
    """Return the findings of some faces; none if there is nothing to compare."""
    return [
        Finding(gallery, probe, verdict, cautions(gallery, probe, verdict))
        for probe, verdict in zip(probes, verdicts_on(gallery, probes), strict=True)
    ]


def still_holds(before: Gallery, now: Gallery) -> bool:
    """Return whether verdicts in one gallery may stand for those in another for a moment.

    So it is where no more than answers lie between the two.
    """
    if before.training is None or now.training is None or before.calibrated is None:
        return False
    same = before.compared_by == now.compared_by and before.share == now.share
    same = same and before.training.representation is now.training.representation
    return same and set(before.people) <= set(now.people)


@dataclass(frozen=True, eq=False)
class AskedFace:
    """A face of a photograph, with its verdict, if there is one yet, and what was answered."""

    probe: Probe
    found: Finding | None
    answered: Answered
    fits: bool  # it has the size of the gallery's faces

    @property
    def key(self) -> str:
        """The key of the probe."""
        return self.probe.photo.key

    @cached_property
    def sign(self) -> str:
        """The kind of verdict whose look it has; else “in the gallery”, or “waits” for one."""
        if self.answered.said:
            return {"nobody": "unknown", "no face": "no face"}.get(self.answered.said, "sure")
        if self.found is None:
            return "waits"
        return "in the gallery" if self.found.itself else self.found.verdict.decision.kind

    @cached_property
    def to_do(self) -> str:
        """What there is to do with it, one of `TO_DO`."""
        if self.answered.said or self.sign == "in the gallery":
            return ANSWERED
        return {"sure": SURE, "likely": LIKELY}.get(self.sign, TO_ANSWER)

    @property
    def is_open(self) -> bool:
        """Whether it can be answered and is not."""
        return self.found is not None and self.to_do != ANSWERED

    @property
    def proposed(self) -> str | None:
        """The person whom its verdict names; None where nothing is left to answer."""
        return self.found.verdict.decision.person if self.found and self.is_open else None

    @property
    def name(self) -> str:
        """Who it is, as short as can be."""
        if self.answered.said:
            named = {"nobody": "Nobody I know", "no face": "Not a face"}
            return named.get(self.answered.said, self.answered.person or "")
        if self.found is None:
            return "…" if self.fits else "Cut to another size: open it again"
        decision = self.found.verdict.decision
        return self.found.answer.filed_as or "" if self.found.itself else decision.label

    @property
    def words(self) -> tuple[str, str, str]:
        """Who it is, how sure that is, and why in a sentence; or what was answered."""
        if self.answered.said:
            kept = "This photo counts as theirs." if self.answered.person else "Nobody is named."
            return self.name, "you said so", kept
        if self.found is None:
            waits = "Not compared yet" if self.fits else "Cut to another size"
            return waits, "", "" if self.fits else "Open this photo again."
        if self.found.itself:
            return self.name, "in the gallery", "Name or move it on People."
        decision, never = self.found.verdict.decision, " or ".join(sorted(self.answered.never))
        said = f"You said: not {never}. " if never else ""
        return decision.headline, decision.word, said + decision.short

    def reply(self, said: str, people: Sequence[str] = ()) -> Callable[[Gallery], Reply] | None:
        """Return an answer to it; without ``people``, of the person whom its verdict names.

        ``said``: “right”, “it is”, “not”, “nobody”, “no face”, or “back”, which takes it back. None
        if there is nobody to name.
        """
        person, probe = people[0] if people else self.proposed, self.probe
        if said in ("right", "it is"):
            reply = right if said == "right" else it_is
            return partial(reply, probe=probe, person=person) if person else None
        if said == "not":
            return partial(it_is_not, probe=probe, people=people)
        others = {"nobody": nobody_known, "no face": no_face}
        return partial(others.get(said, unanswered), probe=probe)


@dataclass(frozen=True, eq=False)
class AskedPhoto:
    """A photograph with its faces, from left to right; without one, by its path alone."""

    path: Path
    faces: tuple[AskedFace, ...] = ()

    @property
    def key(self) -> str:
        """Its key in a list: that of its first face."""
        return self.faces[0].key if self.faces else without_face_key(self.path)

    @property
    def keys(self) -> set[str]:
        """That key, and those of its faces."""
        return {self.key, *(face.key for face in self.faces)}

    @cached_property
    def to_do(self) -> str:
        """What is most to do, one of `TO_DO`."""
        return min((face.to_do for face in self.faces), default=NO_FACE, key=TO_DO.index)

    @cached_property
    def meant(self) -> list[AskedFace]:
        """The faces for whose sake it stands there."""
        return [face for face in self.faces if face.is_open and face.to_do == self.to_do]

    @property
    def place(self) -> tuple[int, int]:
        """Where it is listed: what is asked comes before the unknown."""
        kinds: list[str] = [*KINDS]
        last = max((kinds.index(each.sign) for each in self.meant), default=len(kinds))
        return TO_DO.index(self.to_do), last

    @property
    def title(self) -> str:
        """The name of its file; of a mere number, with the folder."""
        return "/".join(self.path.with_suffix("").parts[-1 - self.path.stem.isdecimal() :])

    @property
    def names(self) -> str:
        """Who is on it."""
        left = [face.name for face in self.faces if face.to_do == TO_ANSWER]
        names = [face.name for face in self.faces if face.to_do != TO_ANSWER]
        names += [f"{len(left)} to answer"] if left and len(self.faces) > 1 else left
        return ", ".join(names)


def asked_photos(
    gallery: Gallery, asked: ProbeList, found: Mapping[str, Finding]
) -> list[AskedPhoto]:
    """Return all photographs to recognise as they are listed; ``found``: by the key of a face."""
    files: dict[tuple[Path, int], list[AskedFace]] = {}
    for probe in asked.probes:
        file, key = (probe.photo.path, probe.photo.placement.turned), probe.photo.key
        fits, said, seen = probe.fits(gallery), answer_to(gallery, probe), found.get(key)
        if seen and seen.itself and row_of(gallery, probe.photo) is None:
            seen = None  # it was taken out of the gallery just now
        files.setdefault(file, []).append(AskedFace(probe, seen, said, fits))
    photos = [AskedPhoto(path, tuple(faces)) for (path, _), faces in files.items()]
    photos += [AskedPhoto(path) for path in sorted(asked.without_face)]
    return sorted(photos, key=lambda photo: photo.place)


def next_to_answer(
    photos: Sequence[AskedPhoto], answered: Collection[str], first: Collection[str] = ()
) -> str | None:
    """Return the key of the open face after these, from the start again at the end.

    Those ``first`` come before all others; None if no face is left.
    """
    faces = [face for photo in photos for face in photo.faces]
    order = [face.key for face in faces if face.is_open or face.key in answered]
    last = max((at for at, key in enumerate(order) if key in answered), default=-1)
    others = [key for key in order[last + 1 :] + order[: last + 1] if key not in answered]
    return min(others, key=lambda key: key not in first, default=None)
