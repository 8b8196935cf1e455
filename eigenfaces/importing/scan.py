"""Scan the files chosen by the user for photographs, people and the size of the faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Literal

from eigenfaces.errors import PhotoError, Tick
from eigenfaces.faces.prepare import Preparation
from eigenfaces.faces.read import Picture
from eigenfaces.photographs.decode import SMALLEST_SIDE
from eigenfaces.photographs.find import (
    FoundPhotos,
    Photo,
    Skipped,
    find_photos,
    is_picture,
    photos_of,
)
from eigenfaces.photographs.known import WatchedFolder
from eigenfaces.photographs.names import as_name, suggest_pattern
from eigenfaces.photographs.regions import with_marked_faces

Kind = Literal["folder", "manifest", "files"]
Source = Path | Sequence[Path] | FoundPhotos
"""A folder or list, several files and folders, or photographs that were already found."""

_SMALL = 200  # photographs of at most this many pixels per side are probably face crops …
_LOOKED_AT = 8  # … unless most of this many samples show much more than a face


@dataclass(frozen=True, eq=False)
class Scan:
    """Photographs found by a scan, with the suggested name pattern and preparation."""

    kind: Kind
    found: FoundPhotos  # with the names given by folders or a list
    pattern: str | None  # a pattern that fits the names of the files, if there is one
    suggested: Preparation  # see `_are_faces`

    @property
    def unnamed(self) -> list[Photo]:
        """The photographs without a name."""
        return [photo for photo in self.found.photos if photo.person is None]


def scan(source: Source, tick: Tick) -> Scan:
    """Scan the chosen files and folders, and return the photographs found."""
    kind: Kind = "files"
    paths = [source] if isinstance(source, Path) else source
    if isinstance(paths, FoundPhotos):
        found = paths
    elif len(paths) == 1 and (paths[0].is_dir() or not is_picture(paths[0])):
        kind = "folder" if paths[0].is_dir() else "manifest"
        found = find_photos(paths[0])
    else:  # each of several folders is a person, unless it has sub-folders of people
        found = photos_of(paths, folders_are_people=True)
    first: dict[Path, Photo] = {}  # a list may name a file twice
    again = [photo for photo in found.photos if first.setdefault(photo.path, photo) is not photo]
    reason = "It is listed twice."
    twice = tuple(Skipped(photo.path, reason, photo.person, "duplicate") for photo in again)
    found = replace(found, photos=tuple(first.values()), skipped=found.skipped + twice)
    found = with_marked_faces(found, tick)
    unnamed = [photo.path.name for photo in found.photos if photo.person is None]
    pattern = suggest_pattern(unnamed) if kind == "folder" else None
    size = _common_size(found.photos)
    cropped = size is not None and _are_faces(found.photos)
    suggested = Preparation(*size, already_cropped=True) if size and cropped else Preparation()
    return Scan(kind, found, pattern, suggested)


def _common_size(photos: Sequence[Photo]) -> tuple[int, int] | None:
    """Return the size (h, w) shared by all readable photographs if it is small, or else None."""
    sizes = {photo.stored for photo in photos if photo.stored is not None}
    if len(sizes) != 1:
        return None
    (common,) = sizes
    return None if max(common) > _SMALL or min(common) < SMALLEST_SIDE else common


def _are_faces(photos: Sequence[Photo]) -> bool:
    """Return whether small photographs of one size are probably face crops.

    A small square photograph might also show a person in a room, so a few photographs are checked.
    """
    cut, seen = 0, 0
    for photo in photos[:: len(photos) // _LOOKED_AT + 1]:
        with suppress(PhotoError):
            cut += Picture.of(photo).may_be_cut_out(Preparation())
            seen += 1
    return 2 * cut >= seen


def named_as(found: FoundPhotos, person: str) -> FoundPhotos:
    """Return the photographs after giving this name to those without a name."""
    name = as_name(person)
    photos = tuple(replace(photo, person=photo.person or name) for photo in found.photos)
    return replace(found, photos=photos)


ONE_PERSON = 0.6  # smallest median share of a folder's photographs in which one face recurs
_FEWEST_JUDGED = 4  # the photographs needed to judge whether a folder shows one person


def several_people(seen: Mapping[str, Sequence[float]]) -> tuple[list[str], list[str]]:
    """Return the names of folders that seem to show several people, and of those showing only one.

    Parameters
    ----------
    seen
        For each folder name, one number per photograph: the share of the others in which its face
        recurs; see `FaceChoice.recurrence`. Folders with few photographs are not judged.

    >>> several_people({"Ada": (1, 0.9, 1, 0.8), "Christmas": (0.3, 0.3, 0.1, 0.3), "Bob": (0,)})
    (['Christmas'], ['Ada'])
    """
    several, one = list[str](), list[str]()
    for name, shares in seen.items():
        if len(shares) >= _FEWEST_JUDGED:
            (one if median(shares) >= ONE_PERSON else several).append(name)
    return several, one


def with_events(found: FoundPhotos, events: Collection[str]) -> FoundPhotos:
    """Return photographs with some folder names treated as events instead of people.

    An event folder names nobody, and every face in its photographs is added. Names given by another
    program are kept. The folders are remembered for photographs that are added later.
    """
    wanted = {*events}
    if not wanted:
        return found
    photos = tuple(
        replace(photo, person=None)
        if photo.person in wanted and is_named_by_folder(photo)
        else photo
        for photo in found.photos
    )
    folders = tuple(
        replace(folder, events=tuple(sorted({*folder.events, *_events_in(folder, found, wanted)})))
        for folder in found.folders
    )
    return replace(found, photos=photos, folders=folders)


def is_named_by_folder(photo: Photo) -> bool:
    """Return whether the person is named only by the folder, and not by another program."""
    marked = any(region.person == photo.person for region in photo.regions)
    return photo.person is not None and not marked


def _events_in(folder: WatchedFolder, found: FoundPhotos, events: Collection[str]) -> set[str]:
    """Return the names of the sub-folders that are among these events."""
    names = set[str]()
    for photo in found.photos:
        if photo.person in events and photo.path.is_relative_to(folder.path):
            first, *deeper = photo.path.relative_to(folder.path).parts
            if deeper:
                names.add(first)
    return names


def people_found(found: FoundPhotos) -> list[tuple[str | None, int]]:
    """Return the number of photographs per person in order of appearance, unnamed ones last."""
    counted = Counter(photo.person for photo in found.photos)
    return sorted(counted.items(), key=lambda row: row[0] is None)
