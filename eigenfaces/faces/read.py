"""Reading one photograph: the faces found in it, the main face, and its crop."""

from __future__ import annotations

import math
import os
from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from eigenfaces.errors import PhotoError, Tick, no_tick
from eigenfaces.faces.choose import FaceChoice, candidates, choose_faces, described
from eigenfaces.faces.detect import LONGEST_SIDE, FoundFace, align, find_faces, main_face
from eigenfaces.faces.face_set import FacePhoto, FaceSet, as_levels, crop_hash
from eigenfaces.faces.general_model import general_faces
from eigenfaces.faces.prepare import Preparation
from eigenfaces.photographs.decode import content_hash, decode, read_bytes
from eigenfaces.photographs.photos import Box, Eyes, Photo, Placement
from eigenfaces.space.arrays import Bytes, Floats
from eigenfaces.space.pca import as_grey

_CLOSEST = 4
"""Pixels between two eyes, at least."""


@dataclass(frozen=True, eq=False)
class FaceReading:
    """The result of reading one photograph.

    Parameters
    ----------
    photo
        The photograph; its placement is that of the main face, or None: no face was found, or it
        is unclear which of several is the main one.
    key
        SHA-256 of the file.
    size
        (h, w) in pixels, upright, and turned as asked for.
    faces
        The faces found, the most certain first; none if the placement was given.
    crop
        (h, w): the main face, or None.
    crops
        (m, h, w) all faces, in grey levels 0…255; None unless several were found.
    choice
        Which of several faces was taken since it recurs, or None.
    """

    photo: Photo
    key: str
    size: tuple[int, int]
    faces: tuple[FoundFace, ...]
    crop: Floats | None
    crops: Bytes | None = None
    choice: FaceChoice | None = None

    @property
    def doubtful(self) -> bool:
        """Whether the main face is only the best guess."""
        if self.crop is None or not self.faces:
            return False
        eyes = self.photo.placement.eyes if self.photo.placement else None
        return next((f for f in self.faces if f.eyes == eyes), self.faces[0]).doubtful

    @property
    def refusal(self) -> PhotoError | None:
        """The reason why there is no crop, or None."""
        if self.crop is not None:
            return None
        if not self.faces:
            return PhotoError(NO_FACE, "no face")
        return PhotoError(SEVERAL_FACES.format(len(self.faces)), "several faces")

    @property
    def can_recur(self) -> bool:
        """Whether one of its faces may recur on other photographs of the same person."""
        return self.crops is not None and self.photo.person is not None

    def taking(self, choice: FaceChoice) -> FaceReading:
        """Return the reading with the face that was chosen; without any if a person has to."""
        if self.crops is None or choice.kind == "ask":
            return replace(self, photo=replace(self.photo, placement=None), crop=None)
        placement = Placement(self.faces[choice.face].eyes, choice.source, self.photo.turned)
        photo = replace(self.photo, placement=placement)
        return replace(self, photo=photo, crop=as_grey(self.crops[choice.face]), choice=choice)

    @property
    def face(self) -> Floats:
        """The crop of the main face; raises the `refusal` if there is none."""
        if self.crop is None:
            raise self.refusal or AssertionError
        return self.crop


NO_FACE = (
    "No face was found in it. Show where the eyes are, or mark it as cropped already if the whole "
    "photograph is a face."
)
SEVERAL_FACES = "There are {} faces in it that may be meant. Choose the one that is."


def read_face(photo: Photo, preparation: Preparation, content: bytes | None = None) -> FaceReading:
    """Read a photograph and crop its main face, found by detection if no placement is given.

    Parameters
    ----------
    photo
        The photograph; its placement, if any, is used.
    preparation
        How faces are cropped.
    content
        Of its file, if that has been read.

    Raises
    ------
    PhotoError
        With the reason: it cannot be read, or the given eyes are impossible.
    """
    return face_on(_opened(photo, content), photo, preparation)


def _opened(photo: Photo, content: bytes | None) -> Picture:
    turned = photo.turned if photo.placement is None else photo.placement.turned
    return Picture(read_bytes(photo.path) if content is None else content, turned)


def face_on(
    picture: Picture,
    photo: Photo,
    preparation: Preparation,
    found: tuple[FoundFace, ...] | None = None,
) -> FaceReading:
    """Return the reading of a photograph that is already decoded: see `read_face`.

    ``found``: the faces on it, if it was searched before.
    """
    placement = photo.placement
    if placement is None and preparation.already_cropped:
        placement = Placement(turned=picture.turned)
    faces: tuple[FoundFace, ...] = ()
    if placement is None:
        faces = picture.faces() if found is None else found
        meant = main_face(faces)
        placement = Placement(meant.eyes, "found", picture.turned) if meant else None
    crop = None if placement is None else picture.crop(placement.eyes, preparation)
    placed = replace(photo, placement=placement)
    crops = picture.crops(faces, preparation) if len(faces) > 1 else None
    return FaceReading(placed, picture.key, picture.size, faces, crop, crops)


def read_every_face(
    photo: Photo, preparation: Preparation, content: bytes | None = None
) -> list[FaceReading]:
    """Read a photograph and return a reading for each of its faces, from left to right.

    Raises
    ------
    PhotoError
        With the reason: it cannot be read, or there is no face in it.
    """
    picture = _opened(photo, content)
    first = face_on(picture, photo, preparation)
    if first.crops is None:
        return [first] if first.face is not None else []
    across = np.argsort([face.eyes.middle.real for face in first.faces], kind="stable")
    return [
        replace(
            first,
            photo=replace(photo, placement=Placement(first.faces[at].eyes, "found", photo.turned)),
            crop=as_grey(first.crops[at]),
        )
        for at in across
    ]


class Picture:
    """A photograph, decoded once and no larger than needed.

    It is decoded a second time only to crop a small face from a large photograph that was reduced.
    """

    def __init__(self, content: bytes, turned: int = 0) -> None:
        self.key, self.turned = content_hash(content), turned
        self._content = content
        self._decoded = decode(content, LONGEST_SIDE)
        self._grey = self._finer = np.rot90(self._decoded.grey, -turned)
        height, width = self._decoded.size
        self.size = (width, height) if turned % 2 else (height, width)

    def colours(self, longest: int) -> Bytes:
        """Return it in colour, (h, w, 3), its longer side at most ``longest`` pixels."""
        return np.rot90(self._decoded.colours(longest), -self.turned)

    def faces(self) -> tuple[FoundFace, ...]:
        """Return the faces, in pixels of the full-size photograph; none is searched twice."""
        return FOUND.of(self.key, self.turned, self._search)

    def _search(self) -> tuple[FoundFace, ...]:
        grey, scale = self._reduced_to(0.0)
        return tuple(face.scaled(1 / scale) for face in find_faces(grey))

    def eyes_in_box(self, box: Box) -> Eyes:
        """Return the eyes of the face in a box that a person has drawn."""
        start = Eyes.in_box(*box)
        grey, scale = self._reduced_to(min(1.0, LONGEST_SIDE / max(self.size)))
        return align(grey, start.scaled(scale), general_faces().regressors).scaled(1 / scale)

    def crop(self, eyes: Eyes | None, preparation: Preparation) -> Floats:
        """Return the crop of the face with these eyes, in the full resolution of the photograph."""
        if eyes is None:
            grey, _ = self._reduced_to(1.0)
            return preparation.crop(grey)
        self._check(eyes)
        grey, scale = self._reduced_to(preparation.eye_distance / eyes.distance)
        return preparation.crop(grey, eyes.scaled(scale))

    def crops(self, faces: Sequence[FoundFace], preparation: Preparation) -> Bytes:
        """Return the crops of several faces, (m, h, w) in grey levels 0…255."""
        return np.stack([as_levels(self.crop(face.eyes, preparation)) for face in faces])

    def _reduced_to(self, share: float) -> tuple[Floats, float]:
        """Return it in grey at this share of its size, or larger, and the actual share."""
        wanted = max(self.size) * min(share, 1.0)
        grey = self._grey
        if max(grey.shape) < wanted - 1:
            # Several small faces are mostly cut from one and the same finer copy.
            if not wanted - 1 <= max(self._finer.shape) < 2 * wanted:
                self._finer = np.rot90(decode(self._content, math.ceil(wanted)).grey, -self.turned)
            grey = self._finer
        return grey, max(grey.shape) / max(self.size)

    def _check(self, eyes: Eyes) -> None:
        height, width = self.size
        inside = 0 <= eyes.middle.real <= width and 0 <= eyes.middle.imag <= height
        if not inside or not _CLOSEST <= eyes.distance <= 2 * max(self.size):
            raise PhotoError(
                f"Its eyes are said to lie outside its {width} × {height} pixels, or less than "
                f"{_CLOSEST} pixels apart. Correct that, or let the program find the face."
            )


Loaded = tuple[FacePhoto, Floats]
"""A photograph and its face (h, w)."""

Look = Callable[[FaceReading], object]
Read = tuple[FacePhoto, Bytes, object] | FaceReading
"""A photograph, its face (h, w) in grey levels 0…255 and what ``look`` has returned of it; or one
with several faces to choose from."""


def face_of(reading: FaceReading) -> Loaded:
    """Return the face that a photograph is of; raise `PhotoError` where there is none."""
    crop, photo = reading.face, reading.photo
    assert photo.placement is not None  # there is a crop
    described = FacePhoto(
        photo.path,
        photo.person,
        reading.key,
        reading.size,
        placement=photo.placement,
        crop=crop_hash(crop),
    )
    return described, crop


def load_face(path: Path | str, preparation: Preparation) -> Loaded:
    """Read one photograph and cut its face; raise `PhotoError` with the reason."""
    return face_of(read_face(Photo(Path(path)), preparation))


@dataclass(frozen=True, eq=False)
class FaceReader:
    """How photographs are read into faces: see `eigenfaces.importing.load.load_faces`."""

    preparation: Preparation
    enrolled: FaceSet
    already: Callable[[Photo], Loaded | None] | None
    look: Look | None
    guess: bool

    def __call__(self, photo: Photo) -> Read:
        """Return what a photograph shows; raise `PhotoError` if it cannot be used."""
        if self.already is not None and (loaded := self.already(photo)) is not None:
            described, crop = loaded
            return described, as_levels(crop), None
        return self.reading(photo, read_bytes(photo.path))

    def reading(self, photo: Photo, content: bytes) -> Read:
        """Return the same of a photograph whose file has been read."""
        row = self.enrolled.index.row_of(content_hash(content)) if len(self.enrolled) else None
        if row is not None:
            described = replace(self.enrolled.index.photos[row], person=photo.person)
            return described, as_levels(self.enrolled.image(row)), None
        reading = read_face(photo, self.preparation, content)
        return reading if self.guess and reading.can_recur else self.taking(reading)

    def taking(self, reading: FaceReading) -> Read:
        """Return the face of a reading; raise `PhotoError` where there is none."""
        described, crop = face_of(reading)
        return described, as_levels(crop), None if self.look is None else self.look(reading)


def take_meant(several: Sequence[FaceReading], held: Sequence[FaceSet]) -> list[FaceReading]:
    """Return readings that `can_recur`, each with the face that is meant, if that can be told.

    ``held``: as for `choose_faces`.
    """
    photos = []
    for reading in several:
        assert reading.crops is not None
        assert reading.photo.person is not None
        textures = described(reading.crops)
        photos.append(candidates(reading.photo.person, reading.faces, textures, reading.size))
    choices = choose_faces(photos, held)
    return [reading.taking(choice) for reading, choice in zip(several, choices, strict=True)]


S = TypeVar("S")
T = TypeVar("T")


def each_of(
    work: Callable[[S], T], photos: Sequence[S], tick: Tick = no_tick
) -> Iterator[Callable[[], T]]:
    """Work on photographs in parallel; yield for each, in order, a function with its result.

    Threads are enough: decoding and detection, which take the time, release Python's lock.
    """
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tick(0, len(photos))
        futures = deque(pool.submit(work, photo) for photo in photos)
        try:
            while futures:
                future = futures.popleft()  # what has been taken is not kept
                future.exception()  # waits
                yield future.result
                tick(len(photos) - len(futures), len(photos))
        finally:
            pool.shutdown(cancel_futures=True)


SEARCH = 1
"""Raise it where faces are found otherwise, though `FoundFace` and ``faces.npz`` are as before."""

Faces = tuple[FoundFace, ...]
Finding = tuple[str, int]
"""SHA-256 of a file, and the quarter turns before the search."""


@cache
def version() -> str:
    """Return what findings depend on besides the photograph: the search and what it knows."""
    known = content_hash((files("assets") / "faces.npz").read_bytes())
    said = (SEARCH, [(each.name, str(each.type)) for each in fields(FoundFace)], known)
    return content_hash(repr(said).encode())[:16]


class FoundByFile:
    """Found faces as text by file and turn; of any thread."""

    def __init__(self) -> None:
        self._texts: dict[Finding, str] = {}

    def of(self, key: str, turned: int, search: Callable[[], Faces]) -> Faces:
        """Return the faces in a photograph; ``search`` for them if they are not known."""
        finding = (key, turned % 4)
        text = self._texts.get(finding)
        if text is not None and (known := as_faces(text)) is not None:
            return known
        faces = search()
        self._texts[finding] = as_text(faces)
        return faces

    def texts(self, keys: Collection[str]) -> dict[Finding, str]:
        """Return what was found in these files."""
        found = ((key, turned) for key in keys for turned in range(4))
        return {each: self._texts[each] for each in found if each in self._texts}

    def remember(self, texts: dict[Finding, str]) -> None:
        """Remember what was found before; what is not readable is searched again."""
        self._texts |= texts

    def forget(self) -> None:
        """Forget everything."""
        self._texts.clear()


FOUND = FoundByFile()
"""What this process knows."""


def as_text(faces: Faces) -> str:
    """Return found faces as JSON."""
    return msgspec.json.encode(faces, enc_hook=lambda number: number.item()).decode()


def as_faces(text: str) -> Faces | None:
    """Return the found faces in a JSON text, or None if there are no such faces in it."""
    try:
        return msgspec.json.decode(text, type=Faces)
    except (msgspec.MsgspecError, RecursionError):
        return None
