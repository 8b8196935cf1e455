"""Load faces from photographs for a gallery, without duplicates, or crop its faces again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import cast

from eigenfaces.errors import Fault, PhotoError, Tick, no_tick, part_of
from eigenfaces.faces.crop_frame import FramedPreparation, eyes_in_crops
from eigenfaces.faces.face_choice import EVERY_FACE
from eigenfaces.faces.face_set import FaceSet, PhotoIndex
from eigenfaces.faces.identity import FacePhoto, match_faces
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import doubt_of
from eigenfaces.faces.read import (
    FaceReading,
    Picture,
    enrolled_reading,
    map_photos,
    read_face,
    with_target_faces,
)
from eigenfaces.photographs.decode import content_hash, read_bytes
from eigenfaces.photographs.find import FoundPhotos, Photo, Skipped
from eigenfaces.photographs.placement import WHOLE_PHOTO, Placement
from eigenfaces.space.arrays import Bytes

Cut = tuple[FacePhoto, Bytes]
"""A face in its photograph, and its crop (h, w) as grey levels 0…255."""


def load_faces(
    found: FoundPhotos,
    preparation: Preparation,
    tick: Tick = no_tick,
    *,
    known: FaceSet | None = None,
    already: Mapping[Path, FaceReading] | None = None,
    kept: Mapping[Photo, Sequence[FaceReading]] | None = None,
    keep: Callable[[Photo, Sequence[FaceReading]], object] | None = None,
    notice: Callable[[FaceReading], object] | None = None,
    guess: bool = False,
    every: bool = False,
    middle: bool = False,
    thorough: bool = False,
    groups: Mapping[Path, FaceReading] | None = None,
) -> FaceSet:
    """Load the faces in photographs, and list unusable photographs with the reasons.

    An unusable photograph never prevents the others from being loaded. If several photographs have
    the same content, the first is used.

    Parameters
    ----------
    found
        The photographs, and the files that were skipped in the search.
    preparation
        The settings for cropping faces.
    tick
        A function that is called after each photograph.
    known
        The faces that the result will be joined with. They come first, and are not read again. A
        known file given again under the same name, or without a name, is still returned, and
        `FaceSet.join` leaves it out. If a file has been saved again since, all its known faces are
        searched for.
    already
        The readings of photographs that need not be read again.
    kept
        Earlier readings of photographs in their original form, without any decisions.
    keep
        A function that is called in order for each photograph that is neither known nor kept, with
        its readings in their original form.
    notice
        A function that is called in order with the reading of each photograph that has a face.
    guess
        If a person's photograph shows several faces, whether to use the one that recurs in the
        person's other photographs. The reading says whether it is a guess. A face that is doubtful,
        or perhaps somebody else's, is left out.
    every
        Whether to use every face in a photograph without a name; all but the first are put last.
    middle
        Whether to use the face nearest the centre if it is unclear which of several faces is right.
    thorough
        Whether to search for small and hidden faces as well, which takes many times as long.
    groups
        Readings with all faces of photographs whose other faces are to be added without names.

    Returns
    -------
    FaceSet
        The faces (n, h·w), with the photographs that were not used in ``skipped``.

    Raises
    ------
    Cancelled
        Raised by ``tick`` to stop loading.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from PIL import Image
    >>> from eigenfaces import find_photos
    >>> with TemporaryDirectory() as folder:
    ...     Path(folder, "Ada").mkdir()
    ...     Image.linear_gradient("L").save(Path(folder, "Ada", "1.png"))
    ...     _ = Path(folder, "Ada", "2.png").write_bytes(b"no picture")
    ...     cut = Preparation(20, 16, already_cropped=True)
    ...     faces = load_faces(find_photos(folder), cut)
    >>> faces.pixels.shape, faces.index.people, len(faces.skipped)
    ((1, 320), ('Ada',), 1)
    """
    enrolled = FaceSet.empty(preparation.shape) if known is None else known
    outcomes: dict[int, list[FaceReading] | PhotoError] = {}
    undecided: dict[int, FaceReading] = {}
    known_beside: dict[int, list[FaceReading]] = {}  # in a photograph that was saved again

    def is_known(reading: FaceReading) -> bool:
        return bool(enrolled.index.rows_on(reading.photograph))

    def read(photo: Photo) -> list[FaceReading]:
        before = (already or {}).get(photo.path)
        as_it_came = (kept or {}).get(photo)
        if as_it_came and before is None and not is_known(as_it_came[0]):
            return [*as_it_came]
        first, *beside = _read(photo, preparation, enrolled, before, thorough=thorough)
        return [first.with_middle_face() if middle else first, *beside]

    def usable(photo: Photo, readings: Sequence[FaceReading]) -> list[FaceReading] | PhotoError:
        if every and photo.person is None and readings[0].was_detected:
            readings = readings[0].each_face()
        elif (group := (groups or {}).get(photo.path)) is not None:
            nameless = replace(group, photo=replace(group.photo, person=None))
            beside = (one for one in nameless.each_face() if not one.is_same_face(readings[0]))
            readings = [*readings, *beside]
        return _usable_readings(readings, photo.person, preparation if guess else None)

    for row, outcome in enumerate(map_photos(read, found.photos, tick)):
        photo = found.photos[row]
        if isinstance(outcome, PhotoError):
            outcomes[row] = outcome
            continue
        if keep and photo not in (kept or {}) and not is_known(outcome[0]):
            keep(photo, outcome)
        if guess and outcome[0].face_can_be_inferred:
            undecided[row], *known_beside[row] = outcome
        else:
            outcomes[row] = usable(photo, outcome)
    if undecided:
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
            beside = [one for one in known_beside[row] if not one.is_same_face(reading)]
            outcomes[row] = usable(found.photos[row], [reading, *beside])

    if notice is not None:
        for _, outcome in sorted(outcomes.items()):
            for reading in outcome if isinstance(outcome, list) else ():
                notice(reading)
    cuts, skipped = _without_copies(found.photos, outcomes, enrolled.index)
    return FaceSet.of(cuts, preparation.shape, [*found.skipped, *skipped])


def _read(
    photo: Photo,
    preparation: Preparation,
    enrolled: FaceSet,
    before: FaceReading | None,
    *,
    thorough: bool = False,
) -> list[FaceReading]:
    """Return the readings of a photograph: its main face, then the other marked or known faces.

    A photograph that has been read before, or is enrolled, is decoded again only if necessary.
    """
    if before is not None and before.choice is EVERY_FACE:
        return [before]
    index = enrolled.index
    beside = photo.marked_faces[1:]
    if before is not None and before.levels is not None:
        first = _settled(before)
        saved_again = bool(_known_before(first, index))
        if index.rows_in_file(photo.path, before.sha) or not (beside or saved_again):
            return [first]
        picture = Picture(read_bytes(photo.path), before.turned)
        if picture.sha != before.sha:
            raise PhotoError("Its file has changed since it was read. Add it again.", "changed")
        search = before
    else:
        content = read_bytes(photo.path)
        if rows := index.rows_in_file(photo.path, content_hash(content)):
            named = [row for row in rows if index.photos[row].person == photo.person]
            return [enrolled_reading(photo, enrolled, (named or rows)[0])]
        picture = Picture.of(photo, content)
        first = search = read_face(photo, preparation, picture, thorough=thorough)
    readings = [first]
    for region in beside:
        placed = replace(photo, person=region.person, placement=picture.marked_at(region))
        with suppress(PhotoError):  # the mark is where there cannot be a face
            reading = read_face(placed, preparation, picture)
            if not any(one.is_same_face(reading) for one in readings):
                readings.append(reading)
    known = _known_before(first, index)
    return _with_known(readings, known, search, picture, preparation) if known else readings


def _settled(reading: FaceReading) -> FaceReading:
    """Return the reading reduced to its main face, which is known to be the right one."""
    assert reading.levels is not None
    return replace(reading, faces=(), crops=(reading.levels,), main=0)


def _known_before(reading: FaceReading, index: PhotoIndex) -> list[FacePhoto]:
    """Return the known faces in a photograph if its file has since been saved again, else none."""
    if index.rows_in_file(reading.photo.path, reading.sha):
        return []
    return [index.photos[row] for row in index.rows_on(reading.photograph)]


def _with_known(
    readings: list[FaceReading],
    known: Sequence[FacePhoto],
    search: FaceReading,
    picture: Picture,
    preparation: Preparation,
) -> list[FaceReading]:
    """Return the readings of a photograph that was saved again, with all its known faces.

    Each face is searched for at its old position. The first face is that of the named person.
    """
    here = match_faces(known, [one.face_photo(None) for one in readings if one.main is not None])
    missing = [face for place, face in enumerate(known) if place not in here.values()]
    if all(face.placement.eyes is None for face in missing):
        return readings
    if not search.faces:
        anywhere = replace(preparation, already_cropped=False)
        plain = Photo(search.photo.path, turned=picture.turned)
        search = read_face(plain, anywhere, picture)
    seen = [one for one in search.each_face() if one.main is not None]
    again = list[FaceReading]()
    for new, old in match_faces(missing, [one.face_photo(None) for one in seen]).items():
        photo = replace(seen[new].photo, person=missing[old].person)
        again.append(_settled(replace(seen[new], photo=photo)))
    person = readings[0].photo.person
    named = [one for one in again if person is not None and one.photo.person == person]
    others = [one for one in again if one not in named]
    if not named:
        return [*readings, *others]
    return [*named, *(one for one in readings if one.main is not None), *others]


def _usable_readings(
    readings: Sequence[FaceReading], person: str | None, doubted: Preparation | None
) -> list[FaceReading] | PhotoError:
    """Return the usable faces of a photograph, or the reason why there are none.

    If a person is named, no face is used unless the first one is usable. If ``doubted``
    gives the preparation of the faces, doubtful faces are rejected as well.
    """
    refusals = [reading.refusal for reading in readings]
    for row, reading in enumerate(readings):
        if doubted and refusals[row] is None and (doubt := doubt_of(reading, doubted)):
            refusals[row] = PhotoError(doubt.reason, cast("Fault", doubt.kind))
    faces = [one for one, refusal in zip(readings, refusals, strict=True) if refusal is None]
    if refusals[0] is not None and (person is not None or not faces):
        return refusals[0]
    return faces


def _cuts(readings: Sequence[FaceReading], person: str | None) -> list[Cut]:
    """Return the faces in one photograph, numbered in order.

    The first face gets the name ``person``; the others keep their names.
    """
    cuts = list[Cut]()
    for number, reading in enumerate(readings, start=1):
        photo = reading.face_photo(person if number == 1 else reading.photo.person, number)
        assert reading.levels is not None
        cuts.append((photo, reading.levels))
    return cuts


def _without_copies(
    photos: Sequence[Photo],
    outcomes: Mapping[int, list[FaceReading] | PhotoError],
    enrolled: PhotoIndex,
) -> tuple[list[Cut], list[Skipped]]:
    """Return the faces in photographs, main faces first, and the photographs that were not used.

    If two photographs are the same file, the first is used.
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
    """Return an earlier photograph with the same content, or else add this one to ``seen``.

    An enrolled file may occur once more, under the name of somebody in it or without a name; that
    does not count as a duplicate.
    """
    sha = photo.photograph.sha
    if known := [enrolled.photos[row] for row in enrolled.rows_in_file(photo.path, sha)]:
        names = {None, *(face.person for face in known)}
        if sha in seen or photo.person not in names:
            return known[0]
    first = seen.setdefault(sha, photo)
    return None if first is photo else first


def duplicate_reason(first: FacePhoto, person: str | None) -> str:
    """Return a sentence saying that a photograph is a copy of an earlier one."""
    sentence = f"It is the same file as “{first.path.name}”, which is"
    if first.person == person:
        return f"{sentence} kept."
    return (
        f"{sentence} filed under “{first.person or 'nobody'}”. That one is kept. Move it if that "
        "name is wrong."
    )


def unmoved_faces(
    faces: FaceSet, photos: Sequence[Photo], readings: Mapping[Path, FaceReading] | None = None
) -> FaceSet:
    """Return the faces of a gallery whose placements are unchanged in these photographs.

    ``readings`` contains the readings of those photographs that have been read. In a file that was
    saved again, no face counts as moved.
    """
    index = faces.index
    moved = set[int]()
    for photo in photos:
        rows = index.rows_by_path.get(photo.path, []) if photo.placement is not None else []
        reading = (readings or {}).get(photo.path)
        if reading is not None:
            rows = [row for row in rows if index.photos[row].id.sha == reading.sha]
        known = [index.photos[row] for row in rows]
        place = photo.placement, photo.turned
        if all((face.placement, face.photograph.turned) != place for face in known):
            moved.update(rows)
    return faces.select([row for row in range(len(faces)) if row not in moved])


PlacedFaces = Sequence[tuple[FacePhoto, Placement | None]]
"""Faces, each with its current placement in the photograph, or None to search for it."""


def placements_for_recrop(
    index: PhotoIndex, before: Preparation, after: Preparation
) -> PlacedFaces:
    """Return the placement of each face for cropping it again with a new preparation.

    Detected placements are usually kept. If photographs are now treated as crops, a lone detected
    face becomes the whole photograph. If they are no longer treated as crops, whole photographs
    are searched for a face. Placements given by the user or a file never change.
    """
    placed = list[tuple[FacePhoto, Placement | None]]()
    for face in index.photos:
        where: Placement | None = face.placement
        if before.already_cropped != after.already_cropped and face.placement.source == "found":
            whole = face.placement.eyes is None
            if after.already_cropped and len(index.rows_by_sha[face.photograph.sha]) == 1:
                where = WHOLE_PHOTO
            elif whole and not after.already_cropped:
                where = None
        placed.append((face, where))
    return placed


def recrop_faces(faces: PlacedFaces, preparation: Preparation, tick: Tick = no_tick) -> FaceSet:
    """Return the same faces, cropped again from their photographs.

    If the photographs are already crops, their eyes are not at the standard positions, so a face
    with given eyes is cropped to match (`crop_frame`). Files that are missing, have changed, or no
    longer show a face are listed in ``skipped``.
    """
    with_eyes = [pair for pair in faces if pair[1] is not None and pair[1].eyes is not None]
    if preparation.already_cropped and 0 < len(with_eyes) < len(faces):
        whole = [pair for pair in faces if pair[1] is None or pair[1].eyes is None]
        crops = recrop_faces(whole, preparation, part_of(tick, 0, 3))
        eyes = eyes_in_crops(crops, part_of(tick, 1, 3))
        framed = FramedPreparation(*preparation.shape, eyes=eyes)
        return crops.join(recrop_faces(with_eyes, framed, part_of(tick, 2, 3)))
    photos = [
        Photo(face.path, face.person, placement, face.photograph.turned)
        for face, placement in faces
    ]
    cuts, skipped = list[Cut](), list[Skipped]()
    readings = map_photos(lambda photo: read_face(photo, preparation), photos, tick)
    for (face, _), photo, reading in zip(faces, photos, readings, strict=True):
        if isinstance(reading, PhotoError):
            skipped.append(Skipped.from_error(reading, photo))
        elif reading.levels is None or reading.sha != face.photograph.sha:
            changed = PhotoError("Its file has changed since it was added.", "changed")
            skipped.append(Skipped.from_error(reading.refusal or changed, photo))
        else:
            cuts.append((face.cut_again(reading.face_photo(face.person)), reading.levels))
    return FaceSet.of(cuts, preparation.shape, skipped)
