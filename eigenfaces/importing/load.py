"""What photographs bring to a gallery: their faces, none of them twice, and what each replaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import cast

from eigenfaces.errors import Fault, PhotoError, Tick, no_tick, part_of
from eigenfaces.faces.crop_frame import frame_of
from eigenfaces.faces.face_choice import EVERY
from eigenfaces.faces.face_set import FacePhoto, FaceSet, PhotoIndex, file_key, recropped
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import Concern, doubt_of
from eigenfaces.faces.read import (
    FaceReading,
    Picture,
    as_enrolled,
    describe_faces,
    map_photos,
    read_face,
    with_target_faces,
)
from eigenfaces.photographs.decode import content_hash, read_bytes
from eigenfaces.photographs.photos import FoundPhotos, Photo, Placement, Skipped
from eigenfaces.space.arrays import Bytes

DESCRIBED_AT_ONCE = 32
"""Photographs whose faces are described together: meanwhile none is read."""


@dataclass(frozen=True)
class Noticed:
    """A photograph whose face was found, and what about it needs attention."""

    photo: Photo
    concerns: tuple[Concern, ...]

    @property
    def guess(self) -> bool:
        """Whether it is a guess which of several faces is meant."""
        return any(each.kind == "guess" for each in self.concerns)


def load_faces(
    found: FoundPhotos,
    preparation: Preparation,
    tick: Tick = no_tick,
    *,
    known: FaceSet | None = None,
    already: Mapping[Path, FaceReading] | None = None,
    notice: Callable[[FaceReading], object] | None = None,
    guess: bool = False,
    every: bool = False,
    others: Mapping[Path, FaceReading] | None = None,
) -> FaceSet:
    """Read photographs into faces; every one that cannot be used is listed, never fatal.

    Of photographs with the same content (byte for byte, or pixel for pixel) the first is kept.

    Parameters
    ----------
    found
        The photographs, and what was passed over on the way to them.
    preparation
        How each of them is cut.
    tick
        Called after each photograph.
    known
        Faces that these will be joined with: they count as the first, and are not read again.
        Only a file that is among them under the same name, or that nobody is named on, is returned
        all the same: it is nothing new, and `FaceSet.join` passes it over.
    already
        The readings of photographs that were read before, and are not read again.
    notice
        Called, in order, with the reading of each photograph that has a face.
    guess
        Take, of several faces on a person's photograph, the one that recurs on the others. Its
        reading says whether it is a guess. What may be no face, or another's, is left out.
    every
        Take every face of a photograph on which nobody is named, the others after all photographs.
    others
        Readings with all faces of photographs of which the others are taken, too, without a name.
    """
    enrolled = FaceSet.empty(preparation.shape) if known is None else known
    before = already or {}
    faces: dict[int, list[Cut]] = {}
    errors: dict[int, PhotoError] = {}
    compared: dict[int, FaceReading] = {}

    def read(photo: Photo) -> FaceReading:
        return _read(photo, preparation, enrolled, before.get(photo.path))

    def keep(row: int, reading: FaceReading) -> None:
        person = found.photos[row].person
        each = reading.each_face() if every and person is None and reading.found else [reading]
        if len(each) == 1 and (all_of := (others or {}).get(found.photos[row].path)) is not None:
            each += [one for one in all_of.each_face() if not _is_same_face(one, reading)]
        reasons = [_refusal(one, preparation if guess else None) for one in each]
        usable = [one for one, reason in zip(each, reasons, strict=True) if reason is None]
        if person is not None and reasons[0] is not None:
            usable = []  # the others come with the one that is named
        if usable:
            faces[row] = _faces_of(usable, person)
        elif reasons[0] is not None:
            errors[row] = reasons[0]
        if notice is not None:
            for one in usable:
                notice(one)

    def describe(done: int) -> None:
        newest = [*compared.values()][-DESCRIBED_AT_ONCE:]
        describe_faces(newest, lambda *_: tick(done, len(found.photos)))  # which may stop it

    for row, reading in enumerate(map_photos(read, found.photos, tick)):
        if isinstance(reading, PhotoError):
            errors[row] = reading
        elif guess and reading.can_recur:
            compared[row] = reading
            if len(compared) % DESCRIBED_AT_ONCE == 0:
                describe(row)
        else:
            keep(row, reading)
    if compared:
        describe(len(found.photos))
        again = {row: each for row, each in compared.items() if each.photo.person is not None}
        settled = FaceSet.of([*chain.from_iterable(faces.values())], preparation.shape)
        meant = with_target_faces([*again.values()], (enrolled, settled))
        for row, reading in (compared | dict(zip(again, meant, strict=True))).items():
            keep(row, reading)
    skipped, kept, originals = list(found.skipped), list[list[Cut]](), Originals(enrolled.index)
    for row, photo in enumerate(found.photos):
        error = errors.get(row)
        if error is None and (first := originals.of(faces[row][0][0])) is not None:
            error = PhotoError(repeated(first, faces[row][0][0]), "duplicate")
        if error is None:
            kept.append(faces[row])
        else:
            skipped.append(Skipped.from_error(error, photo))
    cuts = [each[0] for each in kept] + [other for each in kept for other in each[1:]]
    return FaceSet.of(cuts, preparation.shape, skipped)


Cut = tuple[FacePhoto, Bytes]
"""A face in its photograph, and its crop (h, w) in grey levels 0…255."""


def _read(
    photo: Photo, preparation: Preparation, enrolled: FaceSet, before: FaceReading | None
) -> FaceReading:
    """Return the reading of a photograph, read only if it was not before, and is not enrolled."""
    if before is not None and before.choice is EVERY:
        return before
    if before is not None and before.levels is not None:
        return replace(before, faces=(), crops=None)  # its face is settled
    content = read_bytes(photo.path)
    row = enrolled.index.row_of(content_hash(content)) if len(enrolled) else None
    if row is not None:
        return as_enrolled(photo, enrolled, row)
    return read_face(photo, preparation, Picture.of(photo, content))


def _refusal(reading: FaceReading, doubted: Preparation | None) -> PhotoError | None:
    """Return why a face is not used, or None; ``doubted``: as what is cut so is a doubt, too."""
    doubt = doubt_of(reading, doubted) if doubted and reading.levels is not None else None
    if doubt is None:
        return reading.refusal
    return PhotoError(doubt.reason, cast("Fault", doubt.kind))


def _is_same_face(one: FaceReading, other: FaceReading) -> bool:
    """Return whether eyes are less than half their distance apart; or all is the face of one."""
    if one.eyes is None or other.eyes is None:
        return True
    return abs(one.eyes.middle - other.eyes.middle) < one.eyes.distance / 2


def _faces_of(readings: Sequence[FaceReading], person: str | None) -> list[Cut]:
    """Return the faces of one photograph; those after the first have a number in their key."""
    faces = list[Cut]()
    for reading in readings:
        photo, levels = reading.described(None if faces else person), reading.levels
        assert levels is not None
        key = f"{photo.key}-{len(faces) + 1}" if faces else photo.key
        faces.append((replace(photo, key=key), levels))
    return faces


class Originals:
    """The first of all photographs so far that have the same file content, or the same crop."""

    def __init__(self, enrolled: PhotoIndex) -> None:
        self._enrolled = enrolled
        self._first: dict[str, FacePhoto] = {}

    def of(self, photo: FacePhoto) -> FacePhoto | None:
        """Return the photograph that this one repeats; where there is none, remember this one.

        An enrolled file may come again once, under the same name or none: that is no repetition.
        """
        row = self._enrolled.row_of(photo.key)
        same_picture = self._enrolled.by_crop.get(photo.crop)
        held = same_picture if row is None else self._enrolled.photos[row]
        if held is not None and (
            held.key != photo.key
            or photo.key in self._first
            or photo.person not in (None, held.person)
        ):
            return held
        first = self._first.get(photo.key) or self._first.get(photo.crop)
        if first is None:
            self._first[photo.key] = self._first[photo.crop] = photo
        return first

    def of_file(self, photo: FacePhoto) -> FacePhoto | None:
        """Return the other photograph with the same file, where a face is still to be chosen."""
        row = self._enrolled.row_of(photo.key)
        if row is not None and self._enrolled.photos[row].path != photo.path:
            return self._enrolled.photos[row]
        first = self._first.setdefault(photo.key, photo)
        return None if first is photo else first


def repeated(first: FacePhoto, second: FacePhoto) -> str:
    """Return the sentence that the second photograph repeats the first."""
    same = "file" if first.key == second.key else "picture"
    sentence = f"It is the same {same} as “{first.path.name}”, which is"
    if first.person == second.person:
        return f"{sentence} kept."
    return (
        f"{sentence} filed under “{first.person or 'nobody'}”. That one is kept: move it if the "
        "other name is right."
    )


@dataclass(frozen=True, eq=False)
class Enrolment:
    """What an import changes in a gallery: new faces, and which photographs they replace.

    What replaces a face is described as that was: by its name, and excluded if it was.
    """

    faces: FaceSet
    replaced: Mapping[str, FacePhoto]

    @classmethod
    def of(cls, faces: FaceSet, held: PhotoIndex) -> Enrolment:
        """Return what faces change among those held: new ones, and the ones they replace."""
        coming = {photo.key for photo in faces.index.photos}
        replaced, described = {}, {}
        for new in faces.index.photos:
            row = held.row_of(new.key)
            first = file_key(new.key) == new.key  # of several faces, one takes an old one's place
            by_path = held.by_path.get(new.path) if first else None
            old = by_path if row is None else held.photos[row]
            same = old is not None and old.key == new.key
            if old is None or (same and old.placement == new.placement):
                continue
            if same or old.key not in coming:  # else its file only has another name now
                replaced[new.key] = old
                person = old.person or new.person
                described[new.key] = replace(new, person=person, excluded=old.excluded)
        return cls(faces.with_photos(described), replaced)

    @property
    def places(self) -> dict[str, str]:
        """The key of the replaced face, by the key of the new one."""
        return {new: old.key for new, old in self.replaced.items()}


def unmoved_faces(held: FaceSet, photos: Sequence[Photo]) -> FaceSet:
    """Return the faces held whose photograph is not given another placement."""
    placed = {photo.path: photo.placement for photo in photos if photo.placement is not None}
    photos_held = held.index.photos
    kept = [r for r, p in enumerate(photos_held) if placed.get(p.path) in (None, p.placement)]
    return held if len(kept) == len(held) else held.select(kept)


Wanted = Sequence[tuple[FacePhoto, Placement | None]]
"""Faces, and where each is said to lie in its photograph now."""


def recrop_faces(wanted: Wanted, preparation: Preparation, tick: Tick = no_tick) -> FaceSet:
    """Cut faces anew from their photographs, each where it is said to lie, under the keys they had.

    Where photographs are taken whole, their eyes lie where somebody else has put them: a face whose
    eyes are given is cut to that frame (`crop_frame`). What is there no longer, or has changed, or
    shows no face now, is in ``skipped``.
    """
    given = [each for each in wanted if each[1] is not None and each[1].eyes is not None]
    if not (preparation.already_cropped and 0 < len(given) < len(wanted)):
        return _cut(wanted, preparation, tick)
    whole = [each for each in wanted if each[1] is None or each[1].eyes is None]
    crops = _cut(whole, preparation, part_of(tick, 0, 3))
    frame = frame_of(crops, part_of(tick, 1, 3))
    like = preparation if frame is None else frame.preparation(preparation)
    return crops.join(_cut(given, like, part_of(tick, 2, 3)))


def _cut(wanted: Wanted, preparation: Preparation, tick: Tick) -> FaceSet:
    photos = [Photo(face.path, face.person, where) for face, where in wanted]
    kept, skipped = list[Cut](), list[Skipped]()
    results = map_photos(lambda photo: read_face(photo, preparation), photos, tick)
    for (face, _), photo, reading in zip(wanted, photos, results, strict=True):
        if isinstance(reading, PhotoError):
            skipped.append(Skipped.from_error(reading, photo))
        elif reading.levels is None or file_key(face.key) != reading.key:
            changed = PhotoError("Its file has changed since it was added.", "changed")
            skipped.append(Skipped.from_error(reading.refusal or changed, photo))
        else:
            photo_now = recropped(face, reading.described(face.person))
            kept.append((photo_now, reading.levels))
    return FaceSet.of(kept, preparation.shape, skipped)
