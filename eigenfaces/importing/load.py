"""What photographs bring to a gallery: their faces, none of them twice, and what each replaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

from eigenfaces.errors import Fault, PhotoError, Tick, no_tick, part_of
from eigenfaces.faces.crop_frame import FramedPreparation, eyes_in_crops
from eigenfaces.faces.face_choice import EVERY
from eigenfaces.faces.face_set import FacePhoto, FaceSet, PhotoIndex, file_key, recropped
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import doubt_of
from eigenfaces.faces.read import (
    FaceReading,
    Picture,
    describe_faces,
    enrolled_reading,
    map_photos,
    read_face,
    with_target_faces,
)
from eigenfaces.photographs.decode import content_hash, read_bytes
from eigenfaces.photographs.photos import FoundPhotos, Photo, Placement, Skipped
from eigenfaces.space.arrays import Bytes

DESCRIBED_AT_ONCE = 32  # photographs whose faces are described together: meanwhile none is read

Cut = tuple[FacePhoto, Bytes]
"""A face in its photograph, and its crop (h, w) in grey levels 0…255."""


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
    middle: bool = False,
    groups: Mapping[Path, FaceReading] | None = None,
) -> FaceSet:
    """Read photographs into faces; every one that cannot be used is listed, never fatal.

    Of photographs with the same content the first is kept.

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
    middle
        Take, where it is unclear which of several faces is meant, the one nearest the middle.
    groups
        Readings, with all faces, of photographs of which the others are taken too, without a name.
    """
    enrolled = FaceSet.empty(preparation.shape) if known is None else known
    outcomes: dict[int, list[FaceReading] | PhotoError] = {}
    undecided: dict[int, FaceReading] = {}

    def read(photo: Photo) -> list[FaceReading]:
        first, *beside = _read(photo, preparation, enrolled, (already or {}).get(photo.path))
        return [first.with_middle_face() if middle else first, *beside]

    def usable(photo: Photo, readings: Sequence[FaceReading]) -> list[FaceReading] | PhotoError:
        if every and photo.person is None and readings[0].was_detected:
            readings = readings[0].each_face()
        elif (group := (groups or {}).get(photo.path)) is not None:
            nameless = replace(group, photo=replace(group.photo, person=None))
            beside = (one for one in nameless.each_face() if not _is_same_face(one, readings[0]))
            readings = [*readings, *beside]
        return _usable_readings(readings, photo.person, preparation if guess else None)

    def describe(readings: Sequence[FaceReading], done: int) -> None:
        describe_faces(readings, lambda *_: tick(done, len(found.photos)))  # which may stop it

    for row, outcome in enumerate(map_photos(read, found.photos, tick)):
        if isinstance(outcome, PhotoError):
            outcomes[row] = outcome
        elif guess and outcome[0].face_can_be_inferred:
            undecided[row] = outcome[0]
            if len(undecided) % DESCRIBED_AT_ONCE == 0:
                describe([*undecided.values()][-DESCRIBED_AT_ONCE:], row)
        else:
            outcomes[row] = usable(found.photos[row], outcome)
    if undecided:
        describe([*undecided.values()], len(found.photos))
        settled = [
            cut
            for row, outcome in outcomes.items()
            if isinstance(outcome, list)
            for cut in _cuts(outcome, found.photos[row].person)
        ]
        named = {row: one for row, one in undecided.items() if one.photo.person is not None}
        sets = enrolled, FaceSet.of(settled, preparation.shape)
        chosen = dict(zip(named, with_target_faces([*named.values()], sets), strict=True))
        for row, reading in (undecided | chosen).items():
            outcomes[row] = usable(found.photos[row], [reading])

    if notice is not None:
        for _, outcome in sorted(outcomes.items()):
            for reading in outcome if isinstance(outcome, list) else ():
                notice(reading)
    cuts, skipped = _once_each(found.photos, outcomes, enrolled.index)
    return FaceSet.of(cuts, preparation.shape, [*found.skipped, *skipped])


def _read(
    photo: Photo, preparation: Preparation, enrolled: FaceSet, before: FaceReading | None
) -> list[FaceReading]:
    """Return the reading of a photograph, and of the other faces that are marked on it, each once.

    It is read only if it was not before, and is not enrolled.
    """
    if before is not None and before.choice is EVERY:
        return [before]
    beside = photo.marked[1:]
    if before is not None and before.levels is not None:
        first = replace(before, faces=(), crops=(before.levels,), main=0)
        if not beside or enrolled.index.row_of(before.key) is not None:
            return [first]
        picture = Picture(read_bytes(photo.path))
    else:
        content = read_bytes(photo.path)
        row = enrolled.index.row_of(content_hash(content)) if len(enrolled) else None
        if row is not None:
            return [enrolled_reading(photo, enrolled, row)]
        picture = Picture.of(photo, content)
        first = read_face(photo, preparation, picture)
    readings = [first]
    for region in beside:
        placed = replace(photo, person=region.person, placement=picture.marked_at(region))
        with suppress(PhotoError):  # it is marked where no face can be
            reading = read_face(placed, preparation, picture)
            if not any(_is_same_face(one, reading) for one in readings):
                readings.append(reading)
    return readings


def _usable_readings(
    readings: Sequence[FaceReading], person: str | None, doubted: Preparation | None
) -> list[FaceReading] | PhotoError:
    """Return the faces of a photograph that are used, or why there is none.

    If a person is named, the first must be usable: the others come with it. ``doubted``: how they
    are cut, if what may be no face is not used either.
    """
    refusals = [reading.refusal for reading in readings]
    for row, reading in enumerate(readings):
        if doubted and refusals[row] is None and (doubt := doubt_of(reading, doubted)):
            refusals[row] = PhotoError(doubt.reason, cast("Fault", doubt.kind))
    faces = [one for one, refusal in zip(readings, refusals, strict=True) if refusal is None]
    if refusals[0] is not None and (person is not None or not faces):
        return refusals[0]
    return faces


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
    for number, reading in enumerate(readings, start=1):
        photo = reading.face_photo(person if number == 1 else reading.photo.person)
        assert reading.levels is not None
        key = photo.key if number == 1 else f"{photo.key}-{number}"
        cuts.append((replace(photo, key=key), reading.levels))
    return cuts


def _once_each(
    photos: Sequence[Photo],
    outcomes: Mapping[int, list[FaceReading] | PhotoError],
    enrolled: PhotoIndex,
) -> tuple[list[Cut], list[Skipped]]:
    """Return the faces of photographs, the first ones before all others; and what is not used.

    Of photographs with the same file the first is used.
    """
    seen: dict[str, FacePhoto] = {}
    cuts, more, skipped = list[Cut](), list[Cut](), list[Skipped]()
    for row, photo in enumerate(photos):
        outcome = outcomes[row]
        if isinstance(outcome, list):
            face, *beside = _cuts(outcome, photo.person)
            if (first := find_original(face[0], enrolled, seen)) is None:
                cuts.append(face)
                more += beside
                continue
            outcome = PhotoError(duplicate_reason(first, photo.person), "duplicate")
        skipped.append(Skipped.from_error(outcome, photo))
    return cuts + more, skipped


def find_original(
    photo: FacePhoto, enrolled: PhotoIndex, seen: dict[str, FacePhoto]
) -> FacePhoto | None:
    """Return the photograph with the same file, or None; then this one is ``seen`` from now on.

    An enrolled file may come again once, under the same name or none: that is no repetition.
    """
    row = enrolled.row_of(photo.key)
    if row is not None:
        known = enrolled.photos[row]
        if photo.key in seen or photo.person not in (None, known.person):
            return known
    first = seen.setdefault(photo.key, photo)
    return None if first is photo else first


def duplicate_reason(first: FacePhoto, person: str | None) -> str:
    """Return the sentence that a photograph of a person repeats the first."""
    sentence = f"It is the same file as “{first.path.name}”, which is"
    if first.person == person:
        return f"{sentence} kept."
    return (
        f"{sentence} filed under “{first.person or 'nobody'}”. That one is kept: move it if the "
        "other name is right."
    )


def match_enrolled(faces: FaceSet, index: PhotoIndex) -> tuple[FaceSet, dict[str, FacePhoto]]:
    """Return the faces that an import brings to a gallery, and those that they replace, by key.

    What replaces a face is described as that was: by its name, and excluded if it was.
    """
    coming = {photo.key for photo in faces.index.photos}
    replaced, described = dict[str, FacePhoto](), dict[str, FacePhoto]()
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
    return faces.with_photos(described), replaced


def unmoved_faces(faces: FaceSet, photos: Sequence[Photo]) -> FaceSet:
    """Return the faces of a gallery whose photograph is not given another placement."""
    placed = {photo.path: photo.placement for photo in photos if photo.placement is not None}
    places = [(placed.get(face.path), face.placement) for face in faces.index.photos]
    return faces.select([row for row, (new, old) in enumerate(places) if new in (None, old)])


PlacedFaces = Sequence[tuple[FacePhoto, Placement | None]]
"""Faces, and where each lies in its photograph now; None: it is searched for."""


def recrop_faces(faces: PlacedFaces, preparation: Preparation, tick: Tick = no_tick) -> FaceSet:
    """Cut faces again from their photographs, under the keys they had.

    If photographs are taken whole, their eyes lie where somebody else has put them: a face whose
    eyes are given is cut to that frame (`crop_frame`). What is gone or has changed, or shows no
    face now, is in ``skipped``.
    """
    with_eyes = [pair for pair in faces if pair[1] is not None and pair[1].eyes is not None]
    if preparation.already_cropped and 0 < len(with_eyes) < len(faces):
        whole = [pair for pair in faces if pair[1] is None or pair[1].eyes is None]
        crops = recrop_faces(whole, preparation, part_of(tick, 0, 3))
        eyes = eyes_in_crops(crops, part_of(tick, 1, 3))
        framed = FramedPreparation(*preparation.shape, eyes=eyes)
        return crops.join(recrop_faces(with_eyes, framed, part_of(tick, 2, 3)))
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
            cuts.append((recropped(face, reading.face_photo(face.person)), reading.levels))
    return FaceSet.of(cuts, preparation.shape, skipped)
