"""The command ``faces``: what was found in each photograph, as pictures and as tables."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np
import typer
from numpy.typing import NDArray
from PIL import Image

from eigenfaces.cli import options
from eigenfaces.cli.face_sources import PhotoOptions, note_remarks
from eigenfaces.cli.plaintext import kinds_text, shown, unused_text
from eigenfaces.cli.running import (
    DONE,
    SOME_UNUSED,
    check_new_folder,
    command,
    progress,
    terminal_width,
)
from eigenfaces.errors import EigenfacesError, PhotoError, Tick
from eigenfaces.faces.face_set import Crops, FacePhoto, FaceSet, PhotoIndex
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.quality import concerns, sharpness
from eigenfaces.faces.read import (
    FaceReading,
    each_of,
    face_of,
    read_every_face,
    read_face,
    take_meant,
)
from eigenfaces.photographs.decode import resolved
from eigenfaces.photographs.photos import FoundPhotos, Photo, Skipped, find_photos
from eigenfaces.project.exports import grey_levels
from eigenfaces.project.file import atomic_write
from eigenfaces.text import as_table, count

COLUMNS = (
    *("photo", "person", "face", "box_left", "box_top", "box_size"),
    *("left_x", "left_y", "right_x", "right_y", "angle", "sharpness"),
    *("found", "concerns", "reason"),
)
"""Of ``faces.csv``; lengths in pixels of the upright photograph, the angle in degrees clockwise."""

EYE_COLUMNS = ("file", "left_x", "left_y", "right_x", "right_y")
"""Of ``eyes.csv``: what `eigenfaces.photographs.photos.read_eyes` reads."""

T = TypeVar("T")
Row = dict[str, object]


@command
def faces(
    folder: options.Source,
    *,
    output: options.NewFolder,
    photos: PhotoOptions,
    every: options.Every = False,
) -> int:
    """Write the face of each photograph as PNG, and a table of what was found.

    DIR gets a sub-folder a person. Of several faces on a photograph the one is taken that recurs on
    the person's others, and marked as a guess; where that is not sure, the photograph is passed
    over. With --all every face is written, from left to right.

    faces.csv has a line for each face, and for each photograph that was passed over: photo, person,
    face (its picture), box_left, box_top, box_size, left_x, left_y, right_x, right_y (the eyes),
    angle, sharpness, found (found, guess, doubtful, from a file, cropped), concerns, reason (why it
    was passed over). Pixels of the upright photograph; degrees, clockwise.

    eyes.csv holds the eyes alone. Where a face is wrong, correct its line; for a photograph that
    was passed over, add one; and build with these eyes. With --all there is no such file: it has
    one line for a photograph.

    ```
    eigenfaces faces people/ -o cut
    eigenfaces build people/ --eyes cut/eyes.csv -o people.eigenfaces
    ```
    """
    preparation = photos.preparation
    check_new_folder(output)
    found = find_photos(resolved(folder), photos.pattern, photos.eyes)
    note_remarks(found)
    with progress("Looking for faces") as tick, atomic_write(output) as part:
        rows, skipped = _write_faces(part, found, preparation, every=every, tick=tick)
        rows += [
            {"photo": each.path, "person": each.person or "", "reason": each.reason}
            for each in skipped
        ]
        _write_table(part / "faces.csv", COLUMNS, rows)
        if not every:
            placed = (row | {"file": row["photo"]} for row in rows if "left_x" in row)
            _write_table(part / "eyes.csv", EYE_COLUMNS, placed)
    _report(output, rows, skipped)
    return SOME_UNUSED if skipped else DONE


@dataclass(frozen=True, eq=False)
class _Cut:
    """A face in grey levels (h, w), its photograph, and its row in ``faces.csv``."""

    levels: NDArray[np.uint8]
    photo: FacePhoto
    row: Row


def _write_faces(
    part: Path, found: FoundPhotos, preparation: Preparation, *, every: bool, tick: Tick
) -> tuple[list[Row], list[Skipped]]:
    """Write every face; return a row for each, and the skipped photographs."""
    outcomes = _read_faces(found.photos, preparation, every=every, tick=tick)
    rows: list[Row] = []
    skipped = list(found.skipped)
    places = _PicturePaths(part)
    for photo, outcome in zip(found.photos, outcomes, strict=True):
        if isinstance(outcome, PhotoError):
            skipped.append(Skipped.from_error(outcome, photo))
            continue
        for cut in outcome:
            path = places.of(photo)
            Image.fromarray(cut.levels).save(path, "PNG")
            rows.append(cut.row | {"face": path.relative_to(part).as_posix()})
    if not rows:
        raise EigenfacesError(_no_face(skipped))
    return rows, skipped


def _no_face(skipped: Sequence[Skipped]) -> str:
    reasons = skipped[0].reason if len(skipped) == 1 else f"{kinds_text(skipped)}."
    several = any(each.kind == "several faces" for each in skipped)
    remedy = " With --all every face of each is written." * several
    return f"No photograph has a face that can be used: {reasons}{remedy}"


def _read_faces(
    photos: Sequence[Photo], preparation: Preparation, *, every: bool, tick: Tick
) -> list[list[_Cut] | PhotoError]:
    """Return the faces of each photograph, or why there is none; of several, the one meant."""

    def read(photo: Photo) -> list[_Cut] | FaceReading:
        if every:
            return _cuts(read_every_face(photo, preparation), preparation)
        reading = read_face(photo, preparation)
        return reading if reading.can_recur else _cuts([reading], preparation)

    outcomes: list[list[_Cut] | PhotoError] = []
    several: dict[int, FaceReading] = {}
    for number, result in enumerate(each_of(read, photos, tick)):
        read_one = _outcome(result)
        if isinstance(read_one, FaceReading):
            several[number], read_one = read_one, []
        outcomes.append(read_one)
    alone = [cut for each in outcomes if not isinstance(each, PhotoError) for cut in each]
    for number, reading in zip(several, _meant(several.values(), alone), strict=True):
        outcomes[number] = _outcome(partial(_cuts, [reading], preparation))
    return outcomes


def _outcome(work: Callable[[], T]) -> T | PhotoError:
    try:
        return work()
    except PhotoError as error:
        return error


def _meant(several: Collection[FaceReading], alone: Sequence[_Cut]) -> list[FaceReading]:
    """Return readings of several faces with the one that is meant, if that can be told."""
    held = []
    if alone and several:
        levels = np.stack([cut.levels for cut in alone])
        photos = tuple(cut.photo for cut in alone)
        crops = Crops(levels.reshape(len(alone), -1))
        held.append(FaceSet(crops, (levels.shape[1], levels.shape[2]), PhotoIndex(photos)))
    return take_meant([*several], held)


def _cuts(readings: Iterable[FaceReading], preparation: Preparation) -> list[_Cut]:
    return [
        _Cut(grey_levels(crop), photo, _row(reading, preparation))
        for reading in readings
        for photo, crop in [face_of(reading)]
    ]


def _row(reading: FaceReading, preparation: Preparation) -> Row:
    """Return the row of a face in ``faces.csv``, without the path of its picture."""
    photo, placement = reading.photo, reading.photo.placement
    eyes = placement.eyes if placement else None
    row: Row = {"photo": photo.path, "person": photo.person or "", "found": "cropped"}
    if placement is not None and eyes is not None:
        row["found"] = "doubtful" if reading.doubtful else placement.source
        numbers = *eyes.box, *eyes.left, *eyes.right, eyes.angle
        row |= dict(zip(COLUMNS[3:11], (f"{each:.2f}" for each in numbers), strict=True))
    row["sharpness"] = f"{sharpness(reading.face):.3f}"
    row["concerns"] = ", ".join(each.kind for each in concerns(reading, preparation))
    return row


def _write_table(path: Path, heading: Sequence[str], rows: Iterable[Row]) -> None:
    cells = ([row.get(name, "") for name in heading] for row in rows)
    path.write_text(as_table(heading, cells), "utf-8", newline="")


def _report(output: Path, rows: Sequence[Row], skipped: Sequence[Skipped]) -> None:
    cut = [row for row in rows if "face" in row]
    concerned = sum(bool(row["concerns"]) for row in cut)
    doubtful, guesses = (sum(row["found"] == kind for row in cut) for kind in ("doubtful", "guess"))
    typer.echo(
        f"{shown(output)}: {count(len(cut), 'face')}, {doubtful:,} of them doubtful"
        f"{f' and {guesses:,} guesses among several' * bool(guesses)}; "
        f"{concerned} with concerns, which faces.csv states."
    )
    if skipped:
        typer.echo(unused_text(skipped, terminal_width(), "faces.csv lists them all."))


class _PicturePaths:
    """Paths of the pictures: a folder per person, the photograph's name, each used once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._folder.mkdir()
        self._home: dict[str | None, Path] = {None: folder}
        self._taken = {"faces.csv", "eyes.csv"}

    def of(self, photo: Photo) -> Path:
        """Return an unused path for a face of this photograph."""
        if photo.person not in self._home:
            home = self._folder / self._free("", str(photo.person), "")
            home.mkdir()
            self._home[photo.person] = home
        home, name = self._home[photo.person], photo.path.name
        known = photo.path.suffix.lower() in Image.registered_extensions()
        return home / self._free(f"{home.name}/", photo.path.stem if known else name, ".png")

    def _free(self, home: str, name: str, suffix: str) -> str:
        """Return a name that every file system accepts, with a number if it is already used."""
        safe = re.sub(r'[\x00-\x1f\ud800-\udfff<>:"/\\|?*]', "_", name).strip(" .")[:80] or "_"
        free, number = safe + suffix, 1
        while (home + free).casefold() in self._taken:
            number += 1
            free = f"{safe}-{number}{suffix}"
        self._taken.add((home + free).casefold())
        return free
