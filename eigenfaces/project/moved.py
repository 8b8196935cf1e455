"""Find the new paths of moved photographs, so that faces, answers and other data are kept.

A photograph is identified by its content (SHA-256), not by its path. It has moved if the same
picture is at a new path and nothing is at the old path. Otherwise, the new file is a copy.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from eigenfaces.errors import EigenfacesError, PhotoError, Tick, no_tick, part_of, reason_of
from eigenfaces.files import is_there
from eigenfaces.photographs.decode import content_hash, read_bytes
from eigenfaces.photographs.find import Skipped, pictures_in
from eigenfaces.photographs.known import KnownFile, WatchedFolder
from eigenfaces.project.content import Content
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.probes import ProbeList
from eigenfaces.text import count, was_or_were

Moves = Mapping[Path, Path]
"""New paths of photographs, by their old paths."""


def photograph_paths(content: Content) -> dict[Path, str]:
    """Return the SHA-256 of each photograph in a project, or "" if unknown, keyed by path."""
    shas = dict.fromkeys((file.path for file in content.unused), "")
    shas |= dict.fromkeys(content.probe_list.without_face, "")
    shas |= {file.path: file.sha for file in content.files}
    faces = (*content.gallery.index.photos, *(one.photo for one in content.probe_list.probes))
    shas |= {face.path: face.photograph.sha for face in faces if not face.lost}
    return {path: sha for path, sha in shas.items() if path.is_absolute()}


def missing_paths(content: Content, tick: Tick = no_tick) -> frozenset[Path]:
    """Return the paths of a project's photographs that do not exist on disk."""
    paths = photograph_paths(content)
    missing = set[Path]()
    for done, path in enumerate(paths):
        tick(done, len(paths))
        if not is_there(path):
            missing.add(path)
    return frozenset(missing)


def found_words(number: int) -> str:
    """Return a sentence that says how many photographs were found at a new location."""
    whose = "its" if number == 1 else "their"
    return f"{count(number)} {was_or_were(number)} found in {whose} new location."


def relinked(content: Content, moves: Moves) -> Content:
    """Return the project with moved photographs at their new paths, but otherwise unchanged.

    A file known at both paths is listed once, as a favourite if it was a favourite at either path.
    """
    if not moves:
        return content
    return replace(
        content,
        gallery=_gallery_moved(content.gallery, moves),
        probe_list=_probes_moved(content.probe_list, moves),
        unused=_unused_moved(content.unused, moves),
        files=_files_moved(content.files, moves),
        folders=tuple(_folder_moved(folder, content, moves) for folder in content.folders),
    )


def _gallery_moved(gallery: Gallery, moves: Moves) -> Gallery:
    changed = {
        face.id: replace(face, photograph=replace(face.photograph, path=moves[face.path]))
        for face in gallery.index.photos
        if face.path in moves
    }
    return replace(gallery, faces=gallery.faces.with_photos(changed)) if changed else gallery


def _probes_moved(listed: ProbeList, moves: Moves) -> ProbeList:
    probes = []
    for probe in listed.probes:
        where = probe.photo.photograph
        if where.path in moves:
            photo = replace(probe.photo, photograph=replace(where, path=moves[where.path]))
            probe = replace(probe, photo=photo)
        probes.append(probe)
    without_face = frozenset(moves.get(path, path) for path in listed.without_face)
    return replace(listed, probes=tuple(probes), without_face=without_face)


def _unused_moved(unused: tuple[Skipped, ...], moves: Moves) -> tuple[Skipped, ...]:
    """Return the unused photographs with new paths, replacing earlier entries at these paths."""
    new = {*moves.values()}
    kept = (file for file in unused if file.path not in new or file.path in moves)
    return tuple(
        replace(file, path=moves[file.path]) if file.path in moves else file for file in kept
    )


def _files_moved(files: tuple[KnownFile, ...], moves: Moves) -> tuple[KnownFile, ...]:
    there = {file.path: file for file in files}
    moved = list[KnownFile]()
    gone = set[Path]()
    for file in files:
        if (path := moves.get(file.path)) is None:
            continue
        now = there.get(path, file)
        favourite = file.favourite or now.favourite
        moved.append(replace(now, path=path, gone=False, favourite=favourite))
        gone |= {file.path, path}
    return (*(file for file in files if file.path not in gone), *moved)


def _folder_moved(folder: WatchedFolder, content: Content, moves: Moves) -> WatchedFolder:
    """Return the folder with its new path if all its photographs have moved there together."""
    inside = [path for path in photograph_paths(content) if path.is_relative_to(folder.path)]
    places = set[Path | None]()
    for path in inside:
        parts = path.relative_to(folder.path).parts
        now = moves.get(path)
        as_before = now is not None and now.parts[-len(parts) :] == parts
        places.add(now.parents[len(parts) - 1] if now and as_before else None)
    (place,) = places if len(places) == 1 else (None,)
    return folder if place is None else replace(folder, path=place)


def moves_to(
    paths: Mapping[Path, str], missing: Collection[Path], found: Mapping[Path, str]
) -> Moves:
    """Return the new paths of missing photographs: paths of pictures with the same SHA-256.

    Parameters
    ----------
    paths
        The paths of a project's photographs with their SHA-256, from `photograph_paths`.
    missing
        The paths that do not exist. Other photographs keep their paths.
    found
        The SHA-256 of pictures by path. The project's own photographs are ignored.
    """
    places = defaultdict[str, list[Path]](list)
    for path, sha in found.items():
        if sha and (path not in paths or path in missing):
            places[sha].append(path)
    moves = dict[Path, Path]()
    for path, sha in paths.items():
        if path in missing and sha in places:
            same_name = [place for place in places[sha] if place.name == path.name]
            moves[path] = (same_name or places[sha])[0]
    return moves


def find_moves(content: Content, lost: Path, folder: Path, tick: Tick = no_tick) -> Moves:
    """Return the new paths of a project's photographs that have moved to a folder.

    First, the photographs are searched for at the same relative paths as in the old folder, which
    one ``lost`` photograph identifies. The rest are searched for by the SHA-256 of all pictures in
    the folder. Only identical pictures are accepted.

    Raises
    ------
    EigenfacesError
        The folder cannot be read.
    """
    known = {file.path: file for file in content.files}
    paths = photograph_paths(content)
    missing = missing_paths(content, part_of(tick, 0, 3))
    moves = dict(_moves_below(paths, known, missing, (lost, folder), part_of(tick, 1, 3)))
    rest = missing - moves.keys()
    shas = {paths[path] for path in rest} - {""}
    if not shas:
        return moves
    sizes = {known[path].size for path in rest if path in known}
    any_size = not all(path in known for path in rest)
    found = dict[Path, str]()
    try:
        pictures = [path for path, reason in pictures_in(folder) if not reason]
    except OSError as error:
        raise EigenfacesError(f"“{folder}” cannot be read: {reason_of(error)}.") from error
    tick = part_of(tick, 2, 3)
    for done, path in enumerate(pictures):
        tick(done, len(pictures))
        if any_size or _size_of(path) in sizes:
            found[path] = sha_of(path)
    return moves | {**moves_to(paths, rest, found)}


def _moves_below(
    paths: Mapping[Path, str],
    known: Mapping[Path, KnownFile],
    missing: Collection[Path],
    where: tuple[Path, Path],
    tick: Tick,
) -> Iterator[tuple[Path, Path]]:
    """Yield moves from the old folder of a lost photograph to the same relative paths in a new one.

    The old folder is the nearest parent of the lost photograph for which the photograph is found.
    """
    lost, folder = where
    for old in lost.parents:
        place = folder / lost.relative_to(old)
        if is_there(place) and is_same_picture(place, known.get(lost), paths.get(lost, "")):
            break
    else:
        return
    for done, path in enumerate(missing):
        tick(done, len(missing))
        if path.is_relative_to(old):
            place = folder / path.relative_to(old)
            if is_same_picture(place, known.get(path), paths[path]):
                yield path, place


def is_same_picture(place: Path, known: KnownFile | None, sha: str) -> bool:
    """Return whether a known picture is at a path, comparing size and time or else the SHA-256."""
    try:
        state = place.stat()
    except OSError:
        return False
    if known is not None and known.is_unchanged(state.st_size, state.st_mtime_ns):
        return True
    if known is not None and known.size != state.st_size:
        return False
    return bool(sha) and sha_of(place) == sha


def sha_of(path: Path) -> str:
    """Return the SHA-256 of a file, or "" if it cannot be read."""
    try:
        return content_hash(read_bytes(path))
    except PhotoError:
        return ""


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


# A project beside its photographs


def folders_of(project: Path) -> tuple[Path, ...]:
    """Return the folder of a project file, both as given and with links resolved."""
    plain = project.absolute().parent
    return tuple(dict.fromkeys((plain, Path(os.path.realpath(plain)))))


def beside(content: Content, old: Collection[Path], project: Path) -> Content:
    """Return the project with the photographs that were moved or copied together with its file.

    If a photograph below one of the ``old`` folders also exists below the new folder, that one
    is used, even if the old file still exists. A project copied to a memory stick, for example,
    uses the photographs on the stick. All other photographs keep their paths.
    """
    new = project.absolute().parent
    homes = [folder for folder in old if folder.is_absolute() and not _is_same_folder(folder, new)]
    if len(homes) < len(old):
        return content  # the project is in the same folder, perhaps by another name
    known = {file.path: file for file in content.files}
    moves = dict[Path, Path]()
    for path, sha in photograph_paths(content).items():
        place = _below(path, homes, new)
        if place is not None and _has_come_along(place, path, known.get(path), sha):
            moves[path] = place
    moved = relinked(content, moves)
    folders = []
    for folder in moved.folders:
        place = _below(folder.path, homes, new)
        came_along = place is not None and place.is_dir()
        folders.append(replace(folder, path=place) if place and came_along else folder)
    return replace(moved, folders=tuple(folders))


def _below(path: Path, homes: Collection[Path], new: Path) -> Path | None:
    """Return the path below the new folder that matches a path below an old folder, or None."""
    for home in homes:
        if path.is_relative_to(home):
            return new / path.relative_to(home)
    return None


def _has_come_along(place: Path, old: Path, known: KnownFile | None, sha: str) -> bool:
    size = _size_of(place)
    if known is not None and known.size > 0:
        return size == known.size
    return size >= 0 and (not is_there(old) or sha_of(place) == sha)


def _is_same_folder(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one of them does not exist
        return one == other
