"""Reading photographs: each is decoded, its faces are found, aligned, chosen among, and cut."""

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

UPRIGHT = 12.0  # degrees by which a face in a box drawn by hand is tilted, at most
_ASIDE = 0.5  # eye distances by which its eyes may lie beside their usual place
_CLOSEST = 4  # pixels between two eyes, at least
_SIDES_TURNED = (640,)  # sizes at which the second detector looks at a photograph that is turned
_FILLS = 0.6  # of the usual eye distance, at least, in a picture that is a face and no more
_FINER = 2  # a thorough search finds faces this many times smaller …
_FINER_SIDE = 1600  # … and looks with the second detector at this size


class Picture:
    """A photograph, decoded once and no larger than needed.

    It is decoded a second time only to crop a small face from a large photograph that was reduced.
    """

    def __init__(self, content: bytes, turned: int | None = None) -> None:
        """Decode it; ``turned``: quarter turns clockwise, or None: nobody has turned it."""
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
        """Return a photograph, turned as it says; ``content``: of its file, if it was read."""
        content = read_bytes(photo.path) if content is None else content
        return cls(content, photo.turned or None)

    def colours(self, longest: int) -> Bytes:
        """Return it in colour, (h, w, 3), its longer side at most ``longest`` pixels."""
        return np.rot90(self._decoded.colours(longest), -self.turned)

    def faces(self, *, thorough: bool = False) -> Faces:
        """Return the faces, in pixels of the full-size photograph, the most certain first.

        Those that the first detector finds: see `find_faces`. ``thorough``: smaller ones, too.
        """
        if not thorough:
            grey, scale = self._at_share(0.0)
            return self._held(find_faces(grey), scale)
        grey, scale = self._at_share(_FINER * LONGEST_SIDE / max(self.size))
        return self._held(find_faces(grey, _FINER), scale)

    def hidden_faces(self, sides: Sequence[int] = SIDES) -> Faces:
        """Return the faces that the second detector finds: see `find_hidden_faces`."""
        grey, scale = self._at_share(0.0)
        return self._held(find_hidden_faces(grey, self.colours, sides), scale)

    def _held(self, faces: Faces, scale: float) -> Faces:
        """Return faces in pixels of the full-size photograph, but those with their eyes lost."""
        full_size = (face.scaled(1 / scale) for face in faces)
        return tuple(face for face in full_size if self._can_hold(face.eyes))

    def upright_faces(self, *, thorough: bool = False) -> Faces:
        """Return the faces on it; if none is likely, and nobody has turned it, on its side as well.

        The first detector looks, then, if nothing certain is found, the second one, if it is there.
        Where a face is certain after a quarter turn or two, it is turned like that from now on.

        ``thorough``: both look, for smaller faces, too, and also upside down.
        """
        both = network.is_installed()
        faces = self.faces(thorough=thorough)
        if thorough and both:
            faces = joined(faces, self.hidden_faces((_FINER_SIDE,)))
        if any(face.certain for face in faces):
            return faces
        likely = any(face.likely for face in faces)
        turns = (2, 1, 3) if thorough else (1, 3)  # upside down it is rarely kept
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
        """Return the faces found when it is turned so that one is certain, if nobody turned it."""
        if not self._by_hand:
            for quarters in turns:
                self._turn(quarters)
                faces = search()
                if any(face.certain for face in faces):
                    return faces
            self._turn(0)
        return ()

    def may_be_cut_out(self, preparation: Preparation) -> bool:
        """Return whether all of it may be a face that was cut out before, not only by its size.

        So it is if one face fills it as those do that are cut so, or if none is found in it.
        """
        apart = [face.eyes.distance for face in self.faces() if face.likely]
        usual = preparation.eye_distance / min(preparation.shape) * min(self.size)
        return not apart or sum(distance >= _FILLS * usual for distance in apart) == 1

    def _can_hold(self, eyes: Eyes) -> bool:
        """Return whether eyes can lie in it like this."""
        (height, width), middle = self.size, eyes.middle
        inside = 0 <= middle.real <= width and 0 <= middle.imag <= height
        return inside and _CLOSEST <= eyes.distance <= 2 * max(self.size)

    def eyes_in_box(self, box: Box) -> Eyes:
        """Return the eyes of the face in a box drawn by hand.

        They are aligned; but if that moves them far from where an upright face that fills the box
        has them, they lie there: the aligner does not know faces that are turned far to the side.
        """
        usual = Eyes.in_box(*box)
        grey, scale = self._at_share(min(1.0, LONGEST_SIDE / max(self.size)))
        eyes = align(grey, usual.scaled(scale), general_faces().regressors).scaled(1 / scale)
        near = abs(eyes.middle - usual.middle) <= _ASIDE * usual.distance
        return eyes if near and abs(eyes.angle) <= UPRIGHT else usual

    def marked_at(self, region: Region) -> Placement:
        """Return where a face is that another program has marked."""
        return Placement(self.eyes_in_box(region.box), "from a file")

    def crop(self, eyes: Eyes | None, preparation: Preparation, *, exact: bool = False) -> Bytes:
        """Return the face with these eyes, (h, w) in grey levels 0…255, from the full resolution.

        Without eyes, all of the photograph is the face. Else the network describes it at once, by
        its `chip`: 10 ms a face, whether or not it is asked for later. Its portrait is made, too.
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
        """Return what the network looks at of the face with these eyes: see `network.chip`."""
        colours, reduced = self._reduced_to(eyes)
        return network.chip(colours, reduced, exact=exact)

    def _reduced_to(self, eyes: Eyes) -> tuple[Bytes, Eyes]:
        """Return it in colour, so small that eyes are as far apart as a chip needs; and these."""
        share = min(1.0, network.EYES_APART / eyes.distance)
        colours = self.colours(math.ceil(max(self.size) * share))
        return colours, eyes.scaled(max(colours.shape[:2]) / max(self.size))

    def _at_share(self, share: float) -> tuple[Floats, float]:
        """Return it in grey at this share of its size, or larger, and the actual share."""
        pixels = max(self.size) * min(share, 1.0)
        grey = self._grey
        if max(grey.shape) < pixels - 1:
            # Several small faces are mostly cut from one and the same finer copy.
            if not pixels - 1 <= max(self._finer.shape) < 2 * pixels:
                self._finer = np.rot90(decode(self._content, math.ceil(pixels)).grey, -self.turned)
            grey = self._finer
        return grey, max(grey.shape) / max(self.size)


_DETECTED = ("found", "guess", "middle")  # sources of a placement that the program has made

NO_FACE_FOUND = "No face was found in it. Show where the face is."
SEVERAL_FACES = "It shows {} faces. Choose the one that is meant."


def middle_face(faces: Faces, size: tuple[int, int]) -> int:
    """Return which of some faces is nearest to the middle of a photograph of (h, w)."""
    height, width = size
    middle = complex(width / 2, height / 2)
    return min(range(len(faces)), key=lambda at: abs(faces[at].eyes.middle - middle))


@dataclass(frozen=True, eq=False)
class FaceReading:
    """The result of reading one photograph."""

    # the photograph; its placement is that of the main face, or None: no face was found, or it
    # is unclear which of several is the main one
    photo: Photo
    sha: str = ""  # SHA-256 of the file
    size: tuple[int, int] = (0, 0)  # (h, w) in pixels, upright and turned
    faces: Faces = ()  # the faces found, from left to right; none if the placement was given
    crops: tuple[Bytes, ...] = ()  # (h, w) each face that was cut, in grey levels 0…255 …
    main: int | None = None  # … and which of them is the main one; None with its placement
    # which face was taken since it recurs, or why none was; None: they were not compared
    choice: FaceChoice | None = None
    truncated: str = ""  # as of `Decoded`
    rescaled: str = ""
    pages: str = ""
    __repr__ = short_repr

    @property
    def several(self) -> bool:
        """Whether several faces were found and cut, among which a person can choose."""
        return len(self.crops) > 1

    @property
    def levels(self) -> Bytes | None:
        """The main face, (h, w) in grey levels 0…255, or None."""
        return None if self.main is None else self.crops[self.main]

    @property
    def eyes(self) -> Eyes | None:
        """The eyes of the main face; None if there is no face, or all of the photo is the face."""
        return self.photo.placement.eyes if self.photo.placement else None

    @property
    def turned(self) -> int:
        """By how many quarter turns clockwise it was turned."""
        return self.photo.turned

    @property
    def was_detected(self) -> bool:
        """Whether the program has found its faces: the main one may be none, or another's."""
        placement = self.photo.placement
        return bool(self.faces) and (placement is None or placement.source in _DETECTED)

    @property
    def score(self) -> float | None:
        """How certain the detector was of the main face; None if it was not asked."""
        return self.faces[self.main].score if self.was_detected and self.main is not None else None

    @property
    def placed(self) -> bool:
        """Whether the eyes of the main face are known, not only where it is."""
        return not self.was_detected or self.main is None or self.faces[self.main].placed

    @property
    def doubtful(self) -> bool:
        """Whether the main face is only the best guess."""
        return self.score is not None and self.score <= LIKELY_SCORE

    @property
    def face_can_be_inferred(self) -> bool:
        """Whether its face can be chosen by the person's other photographs.

        If it is alone, it takes the network to tell whether it is theirs.
        """
        return self.was_detected and (self.several or network.is_installed())

    @property
    def refusal(self) -> PhotoError | None:
        """The reason why there is no face, or None."""
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
        """The main face, (h, w) in 0…1; raises the `refusal` if there is none."""
        if self.levels is None:
            raise self.refusal or AssertionError
        return as_grey(self.levels)

    @cached_property
    def crop_name(self) -> str:
        """The hash of the main face; "" if there is none."""
        return "" if self.levels is None else crop_hash(self.face)

    def candidates(self, person: str) -> Candidates:
        """Return its faces, to choose the one that is this person."""
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
        """Return whether the main face of another reading of its photograph is its own, too.

        So it is where there is none, or all of the photograph is the face of one.
        """
        if self.main is None or other.main is None:
            return True
        return self.face_photo(None).is_same_face(other.face_photo(None))

    def with_middle_face(self) -> Self:
        """Return the reading with the face nearest the middle, if it is unclear which is meant."""
        if self.main is not None or not self.several:
            return self
        return self.with_main(middle_face(self.faces, self.size), "middle")

    def with_choice(self, choice: FaceChoice) -> Self:
        """Return the reading with the face that was chosen."""
        if self.several and choice is not EVERY_FACE:
            self = self.with_main(choice.face, choice.source)
        return replace(self, choice=choice)

    def each_face(self) -> list[Self]:
        """Return the reading with each of its faces as the main one, from left to right."""
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
        """Its photograph, as it was looked at."""
        return Photograph(self.photo.path, self.sha, self.size, self.turned)

    def face_photo(self, person: str | None, number: int = 1) -> FacePhoto:
        """Return its main face, of this person, as it will be in the gallery."""
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
    """Read a photograph and crop its main face, found by detection if no placement is given.

    Parameters
    ----------
    photo
        The photograph; its placement, or else its first marked region, is used.
    preparation
        How faces are cropped.
    picture
        The photograph decoded, if it is already.
    found
        The faces on it, if it was searched before.
    thorough
        Whether to search for small and hidden faces, too: see `Picture.upright_faces`.

    Raises
    ------
    PhotoError
        With the reason: it cannot be read, or the given eyes are impossible.
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
    """Return whether all of a photograph is the face, so that none is searched for in it."""
    # A size alone proves nothing: any photograph may be saved in that of the crops.
    sure = preparation.already_cropped
    return preparation.takes_whole(picture.size) and (sure or picture.may_be_cut_out(preparation))


def read_every_face(
    photo: Photo, preparation: Preparation, picture: Picture | None = None
) -> list[FaceReading]:
    """Read a photograph and return a reading for each of its faces, from left to right.

    Raises
    ------
    PhotoError
        With the reason: it cannot be read, or there is no face in it.
    """
    first = read_face(photo, preparation, picture)
    if first.refusal is not None and not first.several:
        raise first.refusal
    return first.each_face()


def load_face(path: Path | str, preparation: Preparation) -> Floats:
    """Return the face on one photograph, to be identified.

    Parameters
    ----------
    path
        The photograph.
    preparation
        How the face is cut: that of the gallery it is to be compared with.

    Returns
    -------
    Floats
        The face (h, w), grey values 0…1.

    Raises
    ------
    PhotoError
        With the reason: the photograph cannot be read, shows no face, or several of which it is
        not clear which is meant.

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
    """Return the reading of a photograph that is enrolled in this row, unread."""
    face = enrolled.index.photos[row]
    photo = replace(photo, placement=face.placement, turned=face.photograph.turned)
    crops = (as_levels(enrolled.image(row)),)
    return FaceReading(photo, face.photograph.sha, face.size, crops=crops, main=0)


def with_target_faces(
    readings: Sequence[FaceReading], settled: Sequence[FaceSet]
) -> list[FaceReading]:
    """Return readings that `face_can_be_inferred`, each with the face that is meant, if it is told.

    ``settled``: as for `choose_faces`. A file that is there twice is no other photograph.
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
    """Work on photographs in parallel; yield the result for each, in order, or why there is none.

    Threads are enough: decoding, detection and description, which take the time, release Python's
    lock.
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
