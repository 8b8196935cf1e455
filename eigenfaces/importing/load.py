"""What photographs bring to a gallery: their faces, none of them twice, and what each replaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import cast

from eigenfaces.errors import Fault, PhotoError, Tick, no_tick, part_of
from eigenfaces.faces.crop_frame import frame_of
from eigenfaces.faces.face_choice import EVERY
from eigenfaces.faces.face_set import FacePhoto, FaceSet, PhotoIndex, file_key, recropped
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import doubt_of
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

DESCRIBED_AT_ONCE = 32  # photographs whose faces are described together: meanwhile none is read


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
    doubted = preparation if guess else None
    undecided: dict[int, FaceReading] = {}
    outcomes: dict[int, list[FaceReading] | PhotoError] = {}

    def read(photo: Photo) -> list[FaceReading]:
        return _read(photo, preparation, enrolled, (already or {}).get(photo.path))

    def decide(row: int, reading: FaceReading, marked: Sequence[FaceReading] = ()) -> None:
        photo = found.photos[row]
        readings = [reading, *marked]
        if every and photo.person is None and reading.found:
            readings = reading.each_face()
        if len(readings) == 1 and (group := (others or {}).get(photo.path)) is not None:
            nameless = replace(group, photo=replace(group.photo, person=None))
            readings += [one for one in nameless.each_face() if not _is_same_face(one, reading)]
        outcomes[row] = _usable(readings, photo.person, doubted)

    def describe(done: int) -> None:
        latest = [*undecided.values()][-DESCRIBED_AT_ONCE:]
        describe_faces(latest, lambda *_: tick(done, len(found.photos)))  # which may stop it

    for row, readings in enumerate(map_photos(read, found.photos, tick)):
        if isinstance(readings, PhotoError):
            outcomes[row] = readings
        elif guess and readings[0].can_recur:
            undecided[row] = readings[0]
            if len(undecided) % DESCRIBED_AT_ONCE == 0:
                describe(row)
        else:
            decide(row, readings[0], readings[1:])
    if undecided:
        describe(len(found.photos))
        cuts = [
            cut
            for row, outcome in outcomes.items()
            if isinstance(outcome, list)
            for cut in _cuts(outcome, found.photos[row].person)
        ]
        rows = [row for row, reading in undecided.items() if reading.photo.person is not None]
        settled = enrolled, FaceSet.of(cuts, preparation.shape)
        chosen = with_target_faces([undecided[row] for row in rows], settled)
        for row, reading in (undecided | dict(zip(rows, chosen, strict=True))).items():
            decide(row, reading)
    if notice is not None:
        lists = (outcome for _, outcome in sorted(outcomes.items()) if isinstance(outcome, list))
        for reading in chain.from_iterable(lists):
            notice(reading)
    return _joined(found, outcomes, Originals(enrolled.index), preparation.shape)


Outcomes = Mapping[int, list[FaceReading] | PhotoError]
"""What came of photographs, by their number: the readings of their faces, or why there is none."""


def _joined(
    found: FoundPhotos, outcomes: Outcomes, originals: Originals, shape: tuple[int, int]
) -> FaceSet:
    """Return all faces, first one of each photograph, then the others; each content once."""
    cuts, more, skipped = list[Cut](), list[Cut](), list(found.skipped)
    for row, photo in enumerate(found.photos):
        outcome = outcomes[row]
        if isinstance(outcome, list):
            face, *beside = _cuts(outcome, photo.person)
            if (first := originals.of(face[0])) is None:
                cuts.append(face)
                more += beside
                continue
            outcome = PhotoError(repeated(first, face[0]), "duplicate")
        skipped.append(Skipped.from_error(outcome, photo))
    return FaceSet.of(cuts + more, shape, skipped)


Cut = tuple[FacePhoto, Bytes]
"""A face in its photograph, and its crop (h, w) in grey levels 0…255."""


def _read(
    photo: Photo, preparation: Preparation, enrolled: FaceSet, before: FaceReading | None
) -> list[FaceReading]:
    """Return the reading of a photograph, and of the other faces that are marked on it.

    It is read only if it was not before, and is not enrolled.
    """
    if before is not None and before.choice is EVERY:
        return [before]
    beside = photo.marked[1:]
    file_is_enrolled = before is not None and enrolled.index.row_of(before.key) is not None
    if before is not None and before.levels is not None:
        settled = replace(before, faces=(), crops=None)
        if not beside or file_is_enrolled:
            return [settled]
        return _with_marked(settled, photo, preparation, Picture(read_bytes(photo.path)))
    content = read_bytes(photo.path)
    row = enrolled.index.row_of(content_hash(content)) if len(enrolled) else None
    if row is not None:
        return [as_enrolled(photo, enrolled, row)]
    picture = Picture.of(photo, content)
    first = read_face(photo, preparation, picture)
    return _with_marked(first, photo, preparation, picture)


def _with_marked(
    first: FaceReading, photo: Photo, preparation: Preparation, picture: Picture
) -> list[FaceReading]:
    """Return the reading of a photograph, and of the other faces marked on it, each face once."""
    readings = [first]
    for region in photo.marked[1:]:
        placed = replace(photo, person=region.person, placement=picture.marked_at(region))
        with suppress(PhotoError):  # it is marked where no face can be
            reading = read_face(placed, preparation, picture)
            if not any(_is_same_face(one, reading) for one in readings):
                readings.append(reading)
    return readings


def _usable(
    readings: Sequence[FaceReading], person: str | None, doubted: Preparation | None
) -> list[FaceReading] | PhotoError:
    """Return the faces of a photograph that are used; or why its first one, which is named, is not.

    ``doubted``: how they are cut, if what may be no face is not used either.
    """
    faces, refusals = list[FaceReading](), list[PhotoError]()
    for reading in readings:
        doubt = doubt_of(reading, doubted) if doubted and reading.levels is not None else None
        refusal = reading.refusal
        if doubt is not None:
            refusal = PhotoError(doubt.reason, cast("Fault", doubt.kind))
        if refusal is None:
            faces.append(reading)
        elif person is not None and reading is readings[0]:
            return refusal  # the others come with the one that is named
        else:
            refusals.append(refusal)
    return faces or refusals[0]


def _is_same_face(one: FaceReading, other: FaceReading) -> bool:
    """Return whether eyes are less than half their distance apart; or all is the face of one."""
    if one.eyes is None or other.eyes is None:
        return True
    return abs(one.eyes.middle - other.eyes.middle) < one.eyes.distance / 2


def _cuts(readings: Sequence[FaceReading], person: str | None) -> list[Cut]:
    """Return the faces of one photograph, the first of this person, the others as they are named.

    Those after the first have a number in their key.
    """
    cuts = list[Cut]()
    for reading in readings:
        who = reading.photo.person if cuts else person
        photo, levels = reading.described(who), reading.levels
        assert levels is not None
        key = f"{photo.key}-{len(cuts) + 1}" if cuts else photo.key
        cuts.append((replace(photo, key=key), levels))
    return cuts


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
        known = same_picture if row is None else self._enrolled.photos[row]
        if known is not None and (
            known.key != photo.key
            or photo.key in self._first
            or photo.person not in (None, known.person)
        ):
            return known
        first = self._first.get(photo.key) or self._first.get(photo.crop)
        if first is None:
            self._first[photo.key] = self._first[photo.crop] = photo
        return first

    def of_file(self, photo: FacePhoto) -> FacePhoto | None:
        """Return the other photograph with the same file, if the face is still to be chosen."""
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
    def of(cls, faces: FaceSet, index: PhotoIndex) -> Enrolment:
        """Return what faces change in a gallery: new ones, and the ones they replace."""
        coming = {photo.key for photo in faces.index.photos}
        replaced, described = {}, {}
        for new in faces.index.photos:
            row = index.row_of(new.key)
            first = file_key(new.key) == new.key  # of several faces, one takes an old one's place
            by_path = index.by_path.get(new.path) if first else None
            old = by_path if row is None else index.photos[row]
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


def unmoved_faces(faces: FaceSet, photos: Sequence[Photo]) -> FaceSet:
    """Return the faces of a gallery whose photograph is not given another placement."""
    placed = {photo.path: photo.placement for photo in photos if photo.placement is not None}
    rows = [
        row
        for row, face in enumerate(faces.index.photos)
        if placed.get(face.path) in (None, face.placement)
    ]
    return faces if len(rows) == len(faces) else faces.select(rows)


PlacedFaces = Sequence[tuple[FacePhoto, Placement | None]]
"""Faces, and where each lies in its photograph now; None: it is searched for."""


def recrop_faces(faces: PlacedFaces, preparation: Preparation, tick: Tick = no_tick) -> FaceSet:
    """Cut faces again from their photographs, under the keys they had.

    If photographs are taken whole, their eyes lie where somebody else has put them: a face whose
    eyes are given is cut to that frame (`crop_frame`). What is gone or has changed, or shows no
    face now, is in ``skipped``.
    """
    with_eyes = [pair for pair in faces if pair[1] is not None and pair[1].eyes is not None]
    if not (preparation.already_cropped and 0 < len(with_eyes) < len(faces)):
        return _recrop(faces, preparation, tick)
    whole = [pair for pair in faces if pair[1] is None or pair[1].eyes is None]
    crops = _recrop(whole, preparation, part_of(tick, 0, 3))
    frame = frame_of(crops, part_of(tick, 1, 3))
    framed = preparation if frame is None else frame.preparation(preparation)
    return crops.join(_recrop(with_eyes, framed, part_of(tick, 2, 3)))


def _recrop(faces: PlacedFaces, preparation: Preparation, tick: Tick) -> FaceSet:
    photos = [Photo(face.path, face.person, placement) for face, placement in faces]
    cuts, skipped = list[Cut](), list[Skipped]()
    readings = map_photos(lambda photo: read_face(photo, preparation), photos, tick)
    for (face, _), photo, reading in zip(faces, photos, readings, strict=True):
        if isinstance(reading, PhotoError):
            skipped.append(Skipped.from_error(reading, photo))
        elif reading.levels is None or file_key(face.key) != reading.key:
            changed = PhotoError("Its file has changed since it was added.", "changed")
            skipped.append(Skipped.from_error(reading.refusal or changed, photo))
        else:
            cuts.append((recropped(face, reading.described(face.person)), reading.levels))
    return FaceSet.of(cuts, preparation.shape, skipped)
