"""Probes: faces in photographs, prepared like the faces of a gallery."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from eigenfaces.errors import PhotoError, Tick, no_tick
from eigenfaces.faces.crop_frame import FramedPreparation, eyes_in_crops
from eigenfaces.faces.face_set import crop_hash, number_known
from eigenfaces.faces.identity import FaceId, FacePhoto
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import Concern, concerns
from eigenfaces.faces.read import map_photos, read_every_face, read_face
from eigenfaces.importing.correct import EditableFace, ReviewReading
from eigenfaces.photographs.find import Photo, Skipped
from eigenfaces.recognition.gallery import NO_ANSWER, Gallery
from eigenfaces.space.arrays import Floats
from eigenfaces.space.pca import as_grey, as_levels


@dataclass(frozen=True, eq=False)
class Probe:
    """A face (h, w) to recognise, prepared like the faces of the gallery.

    ``photo.crop`` is always the hash of the image.
    """

    photo: FacePhoto  # numbered as in the gallery, if the face is there: `with_known_numbers`
    image: Floats
    number: int = 1  # the place of the face in the photograph, from the left …
    faces: int = 1  # … out of this many
    concerns: tuple[Concern, ...] = ()

    def __post_init__(self) -> None:
        crop = crop_hash(self.image)
        if crop != self.photo.crop:
            object.__setattr__(self, "photo", replace(self.photo, crop=crop))

    @property
    def box(self) -> tuple[float, float, float] | None:
        """The left edge, top edge and size of the face; see `FacePhoto.box`."""
        return self.photo.box

    def fits(self, gallery: Gallery) -> bool:
        """Return whether the probe has the size of the gallery's faces and so can be compared."""
        return self.image.shape == gallery.faces.shape


def probe_preparation(gallery: Gallery, tick: Tick = no_tick) -> Preparation:
    """Return the preparation that makes a face comparable with the faces of a gallery.

    In a gallery of ready-made crops, a photograph of the same size is itself used as a crop. In any
    other photograph, faces are detected, and cropped with the eyes positioned as in the crops.
    """
    plain = gallery.preparation
    photos = gallery.index.photos
    whole = {photo.size for photo in photos if photo.placement.eyes is None}
    if not (plain.already_cropped and whole):
        return replace(plain, already_cropped=False)
    eyes = eyes_in_crops(gallery.faces, tick)
    sizes = frozenset(whole | {plain.shape})
    return plain if eyes is None else FramedPreparation(*plain.shape, eyes=eyes, sizes=sizes)


def preparation_for_adding(
    gallery: Gallery, plain: Preparation, tick: Tick = no_tick
) -> Preparation:
    """Return the preparation for new photographs, with eyes positioned as in ready-made crops."""
    framed = probe_preparation(gallery, tick)
    if not isinstance(framed, FramedPreparation) or plain.shape != framed.shape:
        return plain
    return replace(framed, already_cropped=plain.already_cropped, sizes=frozenset())


def probes_on(photo: Photo, preparation: Preparation) -> list[Probe]:
    """Return every face in a photograph as a probe, or raise `PhotoError` if there is none.

    The faces are ordered and numbered from left to right.
    """
    seen = read_every_face(photo, preparation)
    probes = []
    for number, reading in enumerate(seen, start=1):
        described = reading.face_photo(photo.person, number)
        doubts = concerns(reading, preparation)
        probes.append(Probe(described, reading.face, number, len(seen), doubts))
    return probes


def probes_on_each(
    photos: Sequence[Photo], preparation: Preparation, tick: Tick = no_tick
) -> Iterator[list[Probe] | Skipped]:
    """Yield the faces in each photograph, or the reason why it cannot be used; see `probes_on`."""
    looked = map_photos(lambda photo: probes_on(photo, preparation), photos, tick)
    for photo, seen in zip(photos, looked, strict=True):
        yield Skipped.from_error(seen, photo) if isinstance(seen, PhotoError) else seen


def main_face_on(path: Path, gallery: Gallery, tick: Tick = no_tick) -> Floats:
    """Return the main face (h, w) in a photograph, cropped like a probe, or raise `PhotoError`."""
    return read_face(Photo(path), probe_preparation(gallery, tick)).face


def with_known_numbers(
    gallery: Gallery, probes: Sequence[Probe], listed: Sequence[Probe] = ()
) -> list[Probe]:
    """Return the probes with the face numbers that they have, or would be given, in the gallery.

    ``listed``: other probes, whose numbers are already taken.
    """
    photos = tuple(probe.photo for probe in probes)
    known = [probe.photo for probe in listed]
    described = number_known(photos, gallery.index, known)
    return [replace(p, photo=photo) for p, photo in zip(probes, described, strict=True)]


def probes_to_hold_out(gallery: Gallery) -> list[Probe]:
    """Return as probes the last photograph of each of five people who have at least three."""
    people = [gallery.index.photos[row].person for row in gallery.enrolled]
    last = dict(zip(people, gallery.enrolled, strict=True))
    number = Counter(people)
    spare = [row for person, row in last.items() if number[person] > 2]
    rows = [spare[at * len(spare) // 5] for at in range(5)] if len(spare) > 5 else spare
    return [Probe(gallery.index.photos[row], gallery.faces.image(row)) for row in rows]


Line = FaceId | Path
"""The key of an entry in a list of probes: a face, or the path of a photograph without one."""


@dataclass(frozen=True)
class ProbeList:
    """The list of faces to recognise, and the photographs in which no face was found."""

    probes: tuple[Probe, ...] = ()
    without_face: frozenset[Path] = frozenset()

    def add(self, probes: Collection[Probe], without_face: Collection[Path] = ()) -> ProbeList:
        """Return the list with probes added; a new probe replaces an old one of the same face.

        It also replaces a probe of the same face from an older version of the photograph.
        """
        new = {(p.photo.path, p.photo.number): p.photo for p in probes}
        stay = [p for p in self.probes if not _is_older(p.photo, new)]
        by_face = {probe.photo.id: probe for probe in (*stay, *probes)}
        left = self.without_face - {probe.photo.path for probe in probes}
        return ProbeList(tuple(by_face.values()), left.union(without_face))

    def remove(self, lines: Collection[Line]) -> ProbeList:
        """Return the list without these entries: faces of probes, or photographs without a face."""
        probes = tuple(probe for probe in self.probes if probe.photo.id not in lines)
        return ProbeList(probes, self.without_face.difference(lines))


NO_PROBES = ProbeList()


def _is_older(photo: FacePhoto, now: Mapping[tuple[Path, int], FacePhoto]) -> bool:
    """Return whether ``now`` (faces keyed by path and number) holds a newer version of a face."""
    other = now.get((photo.path, photo.number))
    return other is not None and photo.photograph.is_same(other.photograph) and photo.id != other.id


def with_answers_carried_over(
    gallery: Gallery, before: Sequence[Probe], now: Sequence[Probe]
) -> Gallery:
    """Return the gallery with answers carried over to faces in photographs saved again.

    ``before``: the probes that were listed. ``now``: the probes that replace them.
    """
    new = {(p.photo.path, p.photo.number): p.photo for p in now}
    known = [*gallery.index.photos, *(probe.photo for probe in before)]
    for old in known if gallery.answers else ():
        if old.id in gallery.answers and _is_older(old, new):
            answered = gallery.answers[old.id]
            gallery = gallery.with_answer(old.id, NO_ANSWER)
            gallery = gallery.with_answer(new[old.path, old.number].id, answered)
    return gallery


def editable_faces(probe_list: ProbeList) -> list[EditableFace]:
    """Return the faces that can be corrected: all probes, then photographs without a face."""
    faces = []
    for probe in probe_list.probes:
        face = probe.photo
        photo = Photo(face.path, None, face.placement, face.photograph.turned)
        faces.append(EditableFace(photo, face.id, as_levels(probe.image)))
    return [*faces, *(EditableFace(Photo(path)) for path in sorted(probe_list.without_face))]


def corrected_probes(
    gallery: Gallery, probe_list: ProbeList, readings: Mapping[int, ReviewReading]
) -> list[Probe]:
    """Return the corrected and new probes, given readings keyed by index in `editable_faces`.

    Raises `PhotoError` if a file has changed or shows no face.
    """
    faces = editable_faces(probe_list)
    corrected = list[Probe]()
    new = list[Probe]()
    for place, reading in readings.items():
        image = as_grey(faces[place].levels(reading))
        described = reading.face_photo(None)
        if place < len(probe_list.probes):
            old = probe_list.probes[place]
            photo = replace(described, number=old.photo.number, person=old.photo.person)
            made = replace(old, photo=photo, image=image, concerns=reading.concerns)
            corrected.append(made)
        else:
            new.append(Probe(described, image, 1, 1, reading.concerns))
    return [*corrected, *with_known_numbers(gallery, new, probe_list.probes)]
