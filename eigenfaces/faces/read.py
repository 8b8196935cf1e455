"""Reading photographs: decode one, find and align its faces, choose the right one, and cut it."""

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

UPRIGHT = 12.0  # a face in a box drawn by hand is tilted by at most this, in degrees …
_ASIDE = 0.5  # … and its eyes lie at most this far from their usual place, in eye distances
_CLOSEST = 4  # the smallest distance between two eyes, in pixels
_SIDES_TURNED = (640,)  # sizes at which the second detector searches a turned photograph
_FILLS = 0.6  # in a picture that is just a face, the least share of the usual eye distance
_FINER = 2  # a thorough search finds faces this many times smaller …
_FINER_SIDE = 1600  # … and runs the second detector at this size


class Picture:
    """A photograph, decoded once and no larger than needed.

    Only a small face on a large photograph, which was reduced, needs a second decoding.
    """

    def __init__(self, content: bytes, turned: int | None = None) -> None:
        """Decode a photograph; ``turned``: quarter turns clockwise, None if nobody turned it."""
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
        """Return a photograph as a picture; ``content``: its bytes, if they were already read."""
        content = read_bytes(photo.path) if content is None else content
        return cls(content, photo.turned or None)

    def colours(self, longest: int) -> Bytes:
        """Return the picture in colour, (h, w, 3), its longer side at most ``longest`` pixels."""
        return np.rot90(self._decoded.colours(longest), -self.turned)

    def faces(self, *, thorough: bool = False) -> Faces:
        """Return the faces that the first detector finds, the most certain first.

        They are in pixels of the full-size photograph; see `find_faces`. ``thorough``: search for
        smaller faces, too.
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
        """Return faces in pixels of the full-size photograph, except those with impossible eyes."""
        full_size = (face.scaled(1 / scale) for face in faces)
        return tuple(face for face in full_size if self._can_hold(face.eyes))

    def upright_faces(self, *, thorough: bool = False) -> Faces:
        """Return the faces, searching the picture on its side if it shows no likely face upright.

        The second detector, if installed, searches if the first finds no certain face. A picture
        that a person has turned is not turned again. If a turn reveals a certain face, the picture
        stays turned that way.

        ``thorough``: use both detectors, search for smaller faces, and search upside down as well.
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
        """Return the faces at the first turn that shows a certain one; empty if turned by hand."""
        if not self._by_hand:
            for quarters in turns:
                self._turn(quarters)
                faces = search()
                if any(face.certain for face in faces):
                    return faces
            self._turn(0)
        return ()

    def may_be_cut_out(self, preparation: Preparation) -> bool:
        """Return whether the whole picture may be a ready crop, judging by its content.

        That is so if one face fills it as in a crop, or if no face is found in it.
        """
        apart = [face.eyes.distance for face in self.faces() if face.likely]
        usual = preparation.eye_distance / min(preparation.shape) * min(self.size)
        return not apart or sum(distance >= _FILLS * usual for distance in apart) == 1

    def _can_hold(self, eyes: Eyes) -> bool:
        """Return whether these eyes are possible in this picture."""
        (height, width), middle = self.size, eyes.middle
        inside = 0 <= middle.real <= width and 0 <= middle.imag <= height
        return inside and _CLOSEST <= eyes.distance <= 2 * max(self.size)

    def eyes_in_box(self, box: Box) -> Eyes:
        """Return the eyes of the face in a box drawn by hand.

        The aligner finds them. If its result is far from where an upright face that fills the box
        has its eyes, that usual place is used: the aligner does not know faces seen from the side.
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
        """Return the face with these eyes, (h, w) in grey levels 0…255, from the full resolution.

        Without eyes, the whole photograph is the face. With eyes, the network describes its `chip`
        at once, which takes 10 ms a face, even if nobody needs it later. The portrait is cut, too.
        """
        if eyes is None:
            levels = as_levels(preparation.crop(self._at_share(1.0)[0]))
            PORTRAITS.make(_hash_of(levels), lambda: portrait(self.colours(PORTRAIT_SIDE), None))
            return levels
        if not self._can_hold(eyes):
            height, width = self.size
            raise PhotoError(
                f"The eyes stated for it lie outside its {width} × {height} pixels, or less than "
                f"{_CLOSEST} pixels apart. Correct them, or let the program find the face."
            )
        grey, scale = self._at_share(preparation.eye_distance / eyes.distance)
        levels = as_levels(preparation.crop(grey, eyes.scaled(scale)))
        PORTRAITS.make(_hash_of(levels), lambda: portrait(*self._reduced_to(eyes)))
        if network.is_installed():
            DESCRIPTORS.of([_hash_of(levels)], lambda _: self.chip(eyes, exact=exact))
        return levels

    def chip(self, eyes: Eyes, *, exact: bool = False) -> Bytes:
        """Return the picture that the network sees of the face with these eyes: `network.chip`."""
        colours, reduced = self._reduced_to(eyes)
        return network.chip(colours, reduced, exact=exact)

    def _reduced_to(self, eyes: Eyes) -> tuple[Bytes, Eyes]:
        """Return the picture in colour, no larger than a chip needs, and the eyes in it."""
        share = min(1.0, network.EYES_APART / eyes.distance)
        colours = self.colours(math.ceil(max(self.size) * share))
        return colours, eyes.scaled(max(colours.shape[:2]) / max(self.size))

    def _at_share(self, share: float) -> tuple[Floats, float]:
        """Return the picture in grey at this share of its size or more, and the actual share."""
        pixels = max(self.size) * min(share, 1.0)
        grey = self._grey
        if max(grey.shape) < pixels - 1:
            # Several small faces can usually be cut from the same finer copy.
            if not pixels - 1 <= max(self._finer.shape) < 2 * pixels:
                self._finer = np.rot90(decode(self._content, math.ceil(pixels)).grey, -self.turned)
            grey = self._finer
        return grey, max(grey.shape) / max(self.size)


_DETECTED = ("found", "guess", "middle")  # sources of a placement by the program itself

NO_FACE_FOUND = "No face was found in it. Show where the face is."
SEVERAL_FACES = "It shows {} faces. Choose the one that is meant."


def middle_face(faces: Faces, size: tuple[int, int]) -> int:
    """Return the index of the face nearest to the middle of a photograph of (h, w)."""
    height, width = size
    middle = complex(width / 2, height / 2)
    return min(range(len(faces)), key=lambda at: abs(faces[at].eyes.middle - middle))


@dataclass(frozen=True, eq=False)
class FaceReading:
    """The result of reading one photograph."""

    # the photograph, with the placement of the main face; None if no face was found, or if it is
    # unclear which of several is meant
    photo: Photo
    sha: str = ""  # SHA-256 of the file
    size: tuple[int, int] = (0, 0)  # (h, w) in pixels, upright and turned
    faces: Faces = ()  # the faces found, from left to right; empty if the placement was given
    crops: tuple[Bytes, ...] = ()  # (h, w) each face that was cut, in grey levels 0…255 …
    main: int | None = None  # … and the index of the main one; None if there is no placement
    # the choice by comparison with other photographs; None if no comparison was made
    choice: FaceChoice | None = None
    truncated: str = ""  # this and the next two are sentences of `Decoded`
    rescaled: str = ""
    pages: str = ""
    __repr__ = short_repr

    @property
    def several(self) -> bool:
        """Whether several faces were found and cut, so that a person can choose one."""
        return len(self.crops) > 1

    @property
    def levels(self) -> Bytes | None:
        """The main face (h, w) in grey levels 0…255, or None."""
        return None if self.main is None else self.crops[self.main]

    @property
    def eyes(self) -> Eyes | None:
        """The eyes of the main face; None if there is no face, or the whole photo is the face."""
        return self.photo.placement.eyes if self.photo.placement else None

    @property
    def turned(self) -> int:
        """How many quarter turns clockwise the photograph was turned."""
        return self.photo.turned

    @property
    def was_detected(self) -> bool:
        """Whether the program found the faces itself, so that the main one may be wrong."""
        placement = self.photo.placement
        return bool(self.faces) and (placement is None or placement.source in _DETECTED)

    @property
    def score(self) -> float | None:
        """The detector's score for the main face; None if the detector was not used."""
        return self.faces[self.main].score if self.was_detected and self.main is not None else None

    @property
    def placed(self) -> bool:
        """Whether the eyes of the main face are known, and not just the place of the face."""
        return not self.was_detected or self.main is None or self.faces[self.main].placed

    @property
    def doubtful(self) -> bool:
        """Whether the main face is only the best guess."""
        return self.score is not None and self.score <= LIKELY_SCORE

    @property
    def face_can_be_inferred(self) -> bool:
        """Whether other photographs of the person can tell which face is meant.

        For a single face, only the network can tell whether it is that person's.
        """
        return self.was_detected and (self.several or network.is_installed())

    @property
    def refusal(self) -> PhotoError | None:
        """The reason why there is no main face, or None if there is one."""
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
        """The main face (h, w) in grey values 0…1; raises the `refusal` if there is none."""
        if self.levels is None:
            raise self.refusal or AssertionError
        return as_grey(self.levels)

    @cached_property
    def crop_name(self) -> str:
        """The `crop_hash` of the main face, or "" if there is none."""
        return "" if self.levels is None else crop_hash(self.face)

    def candidates(self, person: str) -> Candidates:
        """Return the faces as candidates, from which the one of this person can be chosen."""
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

        True also if one of them has no main face, or takes the whole photograph for the face.
        """
        if self.main is None or other.main is None:
            return True
        return self.face_photo(None).is_same_face(other.face_photo(None))

    def with_middle_face(self) -> Self:
        """Return the reading with the middle face as the main one, if it has no main face yet."""
        if self.main is not None or not self.several:
            return self
        return self.with_main(middle_face(self.faces, self.size), "middle")

    def with_choice(self, choice: FaceChoice) -> Self:
        """Return the reading with the chosen face as the main one."""
        if self.several and choice is not EVERY_FACE:
            self = self.with_main(choice.face, choice.source)
        return replace(self, choice=choice)

    def each_face(self) -> list[Self]:
        """Return one reading per face, with that face as the main one, from left to right."""
        if not self.several:
            return [self]
        return [self.with_main(number, "found") for number in range(len(self.crops))]

    def with_main(self, number: int, source: Source, turned: int | None = None) -> Self:
        """Return the reading with one of several faces as the main one."""
        turned = self.turned if turned is None else turned
        placement = Placement(self.faces[number].eyes, source)
        photo = replace(self.photo, placement=placement, turned=turned)
        return replace(self, photo=photo, main=number)

    @property
    def photograph(self) -> Photograph:
        """The photograph, turned as it was read."""
        return Photograph(self.photo.path, self.sha, self.size, self.turned)

    def face_photo(self, person: str | None, number: int = 1) -> FacePhoto:
        """Return the main face as an entry of the gallery, with this name."""
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
        The photograph; its placement, or else its first marked region, is used.
    preparation
        How faces are cropped.
    picture
        The photograph, if it is decoded already.
    found
        The faces on it, if they were detected before.
    thorough
        Whether to search for small and hidden faces, too; see `Picture.upright_faces`.

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
    """Return whether the whole photograph is the face, so that no search is needed."""
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
        The photograph cannot be read, or there is no face on it.
    """
    first = read_face(photo, preparation, picture)
    if first.refusal is not None and not first.several:
        raise first.refusal
    return first.each_face()


def load_face(path: Path | str, preparation: Preparation) -> Floats:
    """Return the face on one photograph, ready to be identified.

    Parameters
    ----------
    path
        The photograph.
    preparation
        How the face is cut; use that of the gallery that it will be compared with.

    Returns
    -------
    Floats
        The face (h, w), grey values 0…1.

    Raises
    ------
    PhotoError
        The photograph cannot be read, shows no face, or shows several and it is unclear which one
        is meant.

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
    """Return the readings, each with the face that other photographs show to be meant, if clear.

    All readings must be `face_can_be_inferred`; ``settled`` is as for `choose_faces`. Two copies of
    a file count as one photograph.
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
    """Work on photographs in parallel, and yield each result or its `PhotoError`, in order.

    Threads are enough: most of the time goes into decoding, detection and description, which all
    release Python's lock.
    """

    def outcome(photo: S) -> T | PhotoError:
        try:
            return work(photo)
        except PhotoError as error:
            return error

    if len(photos) > 1:  # a single thread has nobody to import at the same time
        import_before_threads()
    with one_blas_thread(), ThreadPoolExecutor(os.cpu_count()) as pool:
        tick(0, len(photos))
        try:
            for done, result in enumerate(pool.map(outcome, photos), start=1):
                yield result
                tick(done, len(photos))
        finally:
            pool.shutdown(cancel_futures=True)
