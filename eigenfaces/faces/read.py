"""Read photographs: decode them, find and align the faces, and crop the right one."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Self, TypeVar

import numpy as np

from eigenfaces.errors import PhotoError, Tick, no_tick
from eigenfaces.faces import network
from eigenfaces.faces.detect import (
    LIKELY_SCORE,
    LONGEST_SIDE,
    SIDES,
    FoundFace,
    align,
    find_faces,
    find_hidden_faces,
    joined,
    main_face,
)
from eigenfaces.faces.face_choice import EVERY_FACE, Candidates, FaceChoice, choose_faces, saliency
from eigenfaces.faces.face_set import FaceSet, crop_hash
from eigenfaces.faces.general_model import general_faces
from eigenfaces.faces.identity import FacePhoto, Photograph
from eigenfaces.faces.network import DESCRIPTORS
from eigenfaces.faces.portraits import PORTRAITS, portrait
from eigenfaces.faces.portraits import SIDE as PORTRAIT_SIDE
from eigenfaces.faces.prepare import Preparation
from eigenfaces.photographs.decode import content_hash, decode, read_bytes
from eigenfaces.photographs.find import Photo, Region
from eigenfaces.photographs.placement import WHOLE_PHOTO, Box, Eyes, Placement, Source
from eigenfaces.space.arrays import Bytes, Floats
from eigenfaces.space.pca import as_grey, as_levels
from eigenfaces.text import short_repr
from eigenfaces.threads import import_before_threads, one_blas_thread

Faces = tuple[FoundFace, ...]

UPRIGHT = 12.0  # the largest tilt of a face in a box drawn by hand, in degrees …
_ASIDE = 0.5  # … and the largest distance of its eyes from the usual place, in eye distances
_CLOSEST = 4  # the smallest possible eye distance, in pixels
_SIDES_TURNED = (640,)  # sizes at which the second detector searches a turned photograph
_FILLS = 0.6  # the smallest share of the usual eye distance in a picture of just a face
_FINER = 2  # a thorough search finds faces this many times smaller …
_FINER_SIDE = 1600  # … and runs the second detector at this size


class Picture:
    """Photograph that is decoded only once if possible, and no larger than needed.

    A second decoding is needed only for a small face in a large photograph that was reduced.
    """

    def __init__(self, content: bytes, turned: int | None = None) -> None:
        """Decode a photograph; ``turned`` is the number of clockwise quarter turns set by hand."""
        self.sha = content_hash(content)
        self._content, self._decoded = content, decode(content, LONGEST_SIDE)
        self.truncated, self.rescaled = self._decoded.truncated, self._decoded.rescaled
        self.pages = self._decoded.pages
        self._by_hand = turned is not None
        self._turn(turned or 0)

    def _turn(self, turned: int) -> None:
        self.turned = turned
        self._grey = self._finer = np.rot90(self._decoded.grey, -turned)
        height, width = self._decoded.size
        self.size = (width, height) if turned % 2 else (height, width)

    @classmethod
    def of(cls, photo: Photo, content: bytes | None = None) -> Picture:
        """Return a photograph's picture, decoded from ``content`` if the file was already read."""
        content = read_bytes(photo.path) if content is None else content
        return cls(content, photo.turned or None)

    def colours(self, longest: int) -> Bytes:
        """Return the colour picture (h, w, 3), at most ``longest`` pixels on its longer side."""
        return np.rot90(self._decoded.colours(longest), -self.turned)

    def faces(self, *, thorough: bool = False) -> Faces:
        """Return the faces that the first detector finds, the most certain first.

        Coordinates are pixels of the full-size photograph; see `find_faces`. If ``thorough``,
        smaller faces are also found.
        """
        if not thorough:
            grey, scale = self._at_share(0.0)
            return self._held(find_faces(grey), scale)
        grey, scale = self._at_share(_FINER * LONGEST_SIDE / max(self.size))
        return self._held(find_faces(grey, _FINER), scale)

    def hidden_faces(self, sides: Sequence[int] = SIDES) -> Faces:
        """Return the faces that the second detector finds; see `find_hidden_faces`."""
        grey, scale = self._at_share(0.0)
        return self._held(find_hidden_faces(grey, self.colours, sides), scale)

    def _held(self, faces: Faces, scale: float) -> Faces:
        """Return faces in full-size coordinates, without those with impossible eye positions."""
        full_size = (face.scaled(1 / scale) for face in faces)
        return tuple(face for face in full_size if self._can_hold(face.eyes))

    def upright_faces(self, *, thorough: bool = False) -> Faces:
        """Return the faces, after rotating the picture if no likely face is found upright.

        The second detector, if installed, is used if the first one finds no certain face. A picture
        that the user has rotated is not rotated again. If a rotation reveals a certain face, the
        picture stays rotated.

        If ``thorough``, both detectors are used, smaller faces are found, and the picture is also
        searched upside down.
        """
        both = network.is_installed()
        faces = self.faces(thorough=thorough)
        if thorough and both:
            faces = joined(faces, self.hidden_faces((_FINER_SIDE,)))
        if any(face.certain for face in faces):
            return faces
        likely = any(face.likely for face in faces)
        turns = (2, 1, 3) if thorough else (1, 3)  # photographs are rarely stored upside down
        if not likely and (upright := self._when_turned(turns, self.faces)):
            return upright
        if not both:
            return faces
        faces = joined(faces, self.hidden_faces())
        if any(face.likely for face in faces):
            return faces
        hidden = self._when_turned((2, 1, 3), partial(self.hidden_faces, _SIDES_TURNED))
        return joined(self.faces(), hidden) if hidden else faces

    def _when_turned(self, turns: Sequence[int], search: Callable[[], Faces]) -> Faces:
        """Return the faces at the first rotation that reveals a certain face, or none."""
        if not self._by_hand:
            for quarters in turns:
                self._turn(quarters)
                faces = search()
                if any(face.certain for face in faces):
                    return faces
            self._turn(0)
        return ()

    def may_be_cut_out(self, preparation: Preparation) -> bool:
        """Return whether the content of the picture suggests that it is already a face crop.

        This is the case if one face fills the picture as in a crop, or if no face is found.
        """
        apart = [face.eyes.distance for face in self.faces() if face.likely]
        usual = preparation.eye_distance / min(preparation.shape) * min(self.size)
        return not apart or sum(distance >= _FILLS * usual for distance in apart) == 1

    def _can_hold(self, eyes: Eyes) -> bool:
        """Return whether eyes at these positions are possible in this picture."""
        (height, width), middle = self.size, eyes.middle
        inside = 0 <= middle.real <= width and 0 <= middle.imag <= height
        return inside and _CLOSEST <= eyes.distance <= 2 * max(self.size)

    def eyes_in_box(self, box: Box) -> Eyes:
        """Return the eyes of the face in a box drawn by hand.

        The aligner finds the eyes. If they are far from the usual eye positions of an upright face
        that fills the box, those usual positions are used instead, because the aligner cannot
        handle faces seen from the side.
        """
        usual = Eyes.in_box(*box)
        grey, scale = self._at_share(min(1.0, LONGEST_SIDE / max(self.size)))
        eyes = align(grey, usual.scaled(scale), general_faces().regressors).scaled(1 / scale)
        near = abs(eyes.middle - usual.middle) <= _ASIDE * usual.distance
        return eyes if near and abs(eyes.angle) <= UPRIGHT else usual

    def marked_at(self, region: Region) -> Placement:
        """Return the placement of a face that another program has marked."""
        return Placement(self.eyes_in_box(region.box), "from a file")

    def crop(self, eyes: Eyes | None, preparation: Preparation, *, exact: bool = False) -> Bytes:
        """Return the crop (h, w) of the face with these eyes, at full resolution, as grey levels.

        Without eyes, the whole photograph is the face. With eyes, the network also describes the
        `chip` of the face. This takes 10 ms per face, even if the descriptor is never used. The
        portrait is cropped as well.
        """
        if eyes is None:
            levels = as_levels(preparation.crop(self._at_share(1.0)[0]))
            PORTRAITS.make(_hash_of(levels), lambda: portrait(self.colours(PORTRAIT_SIDE), None))
            return levels
        if not self._can_hold(eyes):
            height, width = self.size
            raise PhotoError(
                f"The eyes given for it are outside its {width} × {height} pixels, or less than "
                f"{_CLOSEST} pixels apart. Correct them, or let the program find the face."
            )
        grey, scale = self._at_share(preparation.eye_distance / eyes.distance)
        levels = as_levels(preparation.crop(grey, eyes.scaled(scale)))
        PORTRAITS.make(_hash_of(levels), lambda: portrait(*self._reduced_to(eyes)))
        if network.is_installed():
            DESCRIPTORS.of([_hash_of(levels)], lambda _: self.chip(eyes, exact=exact))
        return levels

    def chip(self, eyes: Eyes, *, exact: bool = False) -> Bytes:
        """Return the network's input picture of the face with these eyes; see `network.chip`."""
        colours, reduced = self._reduced_to(eyes)
        return network.chip(colours, reduced, exact=exact)

    def _reduced_to(self, eyes: Eyes) -> tuple[Bytes, Eyes]:
        """Return the colour picture and the eyes, both scaled down to the size a chip needs."""
        share = min(1.0, network.EYES_APART / eyes.distance)
        colours = self.colours(math.ceil(max(self.size) * share))
        return colours, eyes.scaled(max(colours.shape[:2]) / max(self.size))

    def _at_share(self, share: float) -> tuple[Floats, float]:
        """Scale the grey picture by at least this factor, and return it with the actual factor."""
        pixels = max(self.size) * min(share, 1.0)
        grey = self._grey
        if max(grey.shape) < pixels - 1:
            # Several small faces can usually be cropped from the same finer copy.
            if not pixels - 1 <= max(self._finer.shape) < 2 * pixels:
                self._finer = np.rot90(decode(self._content, math.ceil(pixels)).grey, -self.turned)
            grey = self._finer
        return grey, max(grey.shape) / max(self.size)


_DETECTED = ("found", "guess", "middle")  # the sources of placements by the program itself

NO_FACE_FOUND = "No face was found in it. Show where the face is."
SEVERAL_FACES = "It shows {} faces. Choose the right one."


def middle_face(faces: Faces, size: tuple[int, int]) -> int:
    """Return the index of the face nearest the centre of a photograph of size (h, w)."""
    height, width = size
    middle = complex(width / 2, height / 2)
    return min(range(len(faces)), key=lambda at: abs(faces[at].eyes.middle - middle))


@dataclass(frozen=True, eq=False)
class FaceReading:
    """Result of reading one photograph."""

    # the photograph, with the placement of the main face: None if no face was found, or if it is
    # unclear which of several faces is the right one
    photo: Photo
    sha: str = ""  # SHA-256 of the file
    size: tuple[int, int] = (0, 0)  # (h, w) in pixels, upright and after rotation
    faces: Faces = ()  # the faces found, from left to right; empty if the placement was given
    crops: tuple[Bytes, ...] = ()  # (h, w) the crop of each face, in grey levels 0…255 …
    main: int | None = None  # … and the index of the main one; None if there is no placement
    # the choice by comparison with other photographs; None if no comparison was made
    choice: FaceChoice | None = None
    truncated: str = ""  # this and the next two are the sentences in `Decoded`
    rescaled: str = ""
    pages: str = ""
    __repr__ = short_repr

    @property
    def several(self) -> bool:
        """Whether several faces were found and cropped, so that the user can choose one."""
        return len(self.crops) > 1

    @property
    def levels(self) -> Bytes | None:
        """The main face (h, w) as grey levels 0…255, or None if there is none."""
        return None if self.main is None else self.crops[self.main]

    @property
    def eyes(self) -> Eyes | None:
        """The eyes of the main face, or None if there is no face or its eyes are unknown."""
        return self.photo.placement.eyes if self.photo.placement else None

    @property
    def turned(self) -> int:
        """The number of quarter turns by which the photograph was rotated clockwise."""
        return self.photo.turned

    @property
    def was_detected(self) -> bool:
        """Whether the program found the faces itself, in which case the main face may be wrong."""
        placement = self.photo.placement
        return bool(self.faces) and (placement is None or placement.source in _DETECTED)

    @property
    def score(self) -> float | None:
        """The detector's score for the main face; None if the detector was not used."""
        return self.faces[self.main].score if self.was_detected and self.main is not None else None

    @property
    def placed(self) -> bool:
        """Whether the eyes of the main face were located, and not just the face."""
        return not self.was_detected or self.main is None or self.faces[self.main].placed

    @property
    def doubtful(self) -> bool:
        """Whether the main face is only the detector's best guess."""
        return self.score is not None and self.score <= LIKELY_SCORE

    @property
    def face_can_be_inferred(self) -> bool:
        """Whether other photographs of the person can show which face is the right one.

        If there is only one face, the network is needed to tell whether it is that person's.
        """
        return self.was_detected and (self.several or network.is_installed())

    @property
    def refusal(self) -> PhotoError | None:
        """The error that explains why there is no main face, or None if there is a main face."""
        if self.main is not None:
            return None
        if not self.faces:
            return PhotoError(NO_FACE_FOUND, "no face")
        reason = SEVERAL_FACES.format(len(self.faces))
        if self.choice is not None:
            reason = self.choice.reason(self.photo.person or "this person")
        return PhotoError(reason, "several faces")

    @property
    def face(self) -> Floats:
        """The main face (h, w) as grey values 0…1; raises the `refusal` if there is none."""
        if self.levels is None:
            raise self.refusal or AssertionError
        return as_grey(self.levels)

    @cached_property
    def crop_name(self) -> str:
        """The `crop_hash` of the main face, or "" if there is none."""
        return "" if self.levels is None else crop_hash(self.face)

    def candidates(self, person: str) -> Candidates:
        """Return the faces in the photograph as candidates for this person's face."""
        numbers = np.empty((len(self.faces), 0), np.float32)
        if network.is_installed():
            hashes = [_hash_of(levels) for levels in self.crops]
            known = DESCRIPTORS.known(hashes)
            numbers = np.array([known[crop] for crop in hashes])
        eyes, scores = [face.eyes for face in self.faces], [face.score for face in self.faces]
        main = main_face(self.faces)
        number = None if main is None else self.faces.index(main)
        sizes = np.array([pair.distance for pair in eyes])
        return Candidates(person, numbers, saliency(eyes, scores, self.size), sizes, number)

    def is_same_face(self, other: FaceReading) -> bool:
        """Return whether two readings of one photograph have the same main face.

        The result is also true if either reading has no main face or uses the whole photograph.
        """
        if self.main is None or other.main is None:
            return True
        return self.face_photo(None).is_same_face(other.face_photo(None))

    def with_middle_face(self) -> Self:
        """Return the reading with the most central face as its main face if it has none yet."""
        if self.main is not None or not self.several:
            return self
        return self.with_main(middle_face(self.faces, self.size), "middle")

    def with_choice(self, choice: FaceChoice) -> Self:
        """Return the reading with the chosen face as its main face."""
        if self.several and choice is not EVERY_FACE:
            self = self.with_main(choice.face, choice.source)
        return replace(self, choice=choice)

    def each_face(self) -> list[Self]:
        """Return one reading per face, from left to right, each with that face as its main face."""
        if not self.several:
            return [self]
        return [self.with_main(number, "found") for number in range(len(self.crops))]

    def with_main(self, number: int, source: Source, turned: int | None = None) -> Self:
        """Return the reading with the face at this index as its main face."""
        turned = self.turned if turned is None else turned
        placement = Placement(self.faces[number].eyes, source)
        photo = replace(self.photo, placement=placement, turned=turned)
        return replace(self, photo=photo, main=number)

    @property
    def photograph(self) -> Photograph:
        """The photograph, with the rotation at which it was read."""
        return Photograph(self.photo.path, self.sha, self.size, self.turned)

    def face_photo(self, person: str | None, number: int = 1) -> FacePhoto:
        """Return the main face as a gallery entry with this name."""
        placement = self.photo.placement
        assert placement is not None  # there is a face
        return FacePhoto(self.photograph, person, number, placement=placement, crop=self.crop_name)


def read_face(
    photo: Photo,
    preparation: Preparation,
    picture: Picture | None = None,
    found: Faces | None = None,
    *,
    thorough: bool = False,
) -> FaceReading:
    """Read a photograph and crop its main face, which is detected if no placement is given.

    Parameters
    ----------
    photo
        The photograph. Its placement is used or, if there is none, its first marked region.
    preparation
        The settings for cropping faces.
    picture
        The photograph as a `Picture`, if it has already been decoded.
    found
        The faces in the photograph, if they have already been detected.
    thorough
        Whether to search for small and hidden faces as well; see `Picture.upright_faces`.

    Raises
    ------
    PhotoError
        The photograph cannot be read, or the given eyes are impossible.
    """
    picture = picture or Picture.of(photo)
    placement = photo.placement
    if placement is None and photo.marked_faces and picture.turned == 0:
        placement = picture.marked_at(photo.marked_faces[0])
    if placement is None and _is_face(picture, preparation):
        placement = WHOLE_PHOTO
    faces = Faces()
    main = 0 if placement else None
    if placement is not None:
        exact = placement.source == "by hand"
        crops = [picture.crop(placement.eyes, preparation, exact=exact)]
    else:
        faces = picture.upright_faces(thorough=thorough) if found is None else found
        faces = tuple(sorted(faces, key=lambda face: face.eyes.middle.real))
        crops = [picture.crop(face.eyes, preparation) for face in faces]
        if (target := main_face(faces)) is not None:
            main = faces.index(target)
            placement = Placement(target.eyes)
    return FaceReading(
        replace(photo, placement=placement, turned=picture.turned),
        picture.sha,
        picture.size,
        faces,
        tuple(crops),
        main=main,
        truncated=picture.truncated,
        rescaled=picture.rescaled,
        pages=picture.pages,
    )


def _is_face(picture: Picture, preparation: Preparation) -> bool:
    """Return whether the whole photograph is a face crop, so that no search is needed."""
    # The size alone proves nothing: any photograph may happen to have the size of the crops.
    sure = preparation.already_cropped
    return preparation.takes_whole(picture.size) and (sure or picture.may_be_cut_out(preparation))


def read_every_face(
    photo: Photo, preparation: Preparation, picture: Picture | None = None
) -> list[FaceReading]:
    """Read a photograph and return one reading per face, from left to right.

    Raises
    ------
    PhotoError
        The photograph cannot be read, or shows no face.
    """
    first = read_face(photo, preparation, picture)
    if first.refusal is not None and not first.several:
        raise first.refusal
    return first.each_face()


def load_face(path: Path | str, preparation: Preparation) -> Floats:
    """Return the face in a photograph, ready for recognition.

    Parameters
    ----------
    path
        The photograph.
    preparation
        The settings for cropping the face. Use those of the gallery that it is compared with.

    Returns
    -------
    Floats
        The face (h, w), grey values 0…1.

    Raises
    ------
    PhotoError
        The photograph cannot be read, shows no face, or shows several faces and it is unclear which
        is the right one.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from PIL import Image
    >>> with TemporaryDirectory() as folder:
    ...     Image.new("L", (40, 40), 51).save(Path(folder, "ready.png"))
    ...     face = load_face(Path(folder, "ready.png"), Preparation(20, 16, already_cropped=True))
    >>> face.shape, round(float(face.mean()), 3)
    ((20, 16), 0.2)
    """
    return read_face(Photo(Path(path)), preparation).face


def _hash_of(levels: Bytes) -> str:
    return content_hash(levels.tobytes())


def enrolled_reading(photo: Photo, enrolled: FaceSet, row: int) -> FaceReading:
    """Return a reading of the photograph in this row of a gallery, without opening its file."""
    face = enrolled.index.photos[row]
    photo = replace(photo, placement=face.placement, turned=face.photograph.turned)
    crops = (as_levels(enrolled.image(row)),)
    return FaceReading(photo, face.photograph.sha, face.size, crops=crops, main=0)


def with_target_faces(
    readings: Sequence[FaceReading], settled: Sequence[FaceSet]
) -> list[FaceReading]:
    """Return the readings with the main faces inferred from each person's other photographs.

    A reading has no main face if the choice is unclear. For all readings, `face_can_be_inferred`
    must be true. ``settled`` is as in `choose_faces`. Two copies of a file count as one photograph.
    """
    once = {reading.sha: reading for reading in reversed(readings)}
    photos = [reading.candidates(reading.photo.person or "") for reading in once.values()]
    choices = dict(zip(once, choose_faces(photos, settled), strict=True))
    chosen = []
    for reading in readings:
        choice = choices[reading.sha]
        if choice.kind == "ask" and reading.several:
            photo = replace(reading.photo, placement=None)
            chosen.append(replace(reading, photo=photo, main=None, choice=choice))
        else:
            chosen.append(reading.with_choice(choice))
    return chosen


S = TypeVar("S")
T = TypeVar("T")


def map_photos(
    work: Callable[[S], T], photos: Sequence[S], tick: Tick = no_tick
) -> Iterator[T | PhotoError]:
    """Process photographs in parallel, and yield each result or `PhotoError` in order.

    Threads are sufficient because most of the time is spent on decoding, detection and description,
    which all release the GIL.
    """

    def outcome(photo: S) -> T | PhotoError:
        try:
            return work(photo)
        except PhotoError as error:
            return error

    if len(photos) > 1:  # two threads must not import at the same time
        import_before_threads()
    with one_blas_thread(), ThreadPoolExecutor(os.cpu_count()) as pool:
        tick(0, len(photos))
        try:
            for done, result in enumerate(pool.map(outcome, photos), start=1):
                yield result
                tick(done, len(photos))
        finally:
            pool.shutdown(cancel_futures=True)
