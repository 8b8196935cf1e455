"""Find the changes in the folders of a project since they were last checked.

Files are compared by path, size and time. Their content (SHA-256) is read only if these differ, or
if a file may be a photograph that is missing elsewhere. Checking 10,000 known files therefore takes
a tenth of a second.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from eigenfaces.errors import Tick, no_tick
from eigenfaces.photographs.decode import NOT_READ, PICTURES
from eigenfaces.photographs.find import FoundPhotos, Photo, is_of_the_system, is_picture
from eigenfaces.photographs.known import KnownFile, WatchedFolder, known_files, with_files
from eigenfaces.photographs.regions import with_marked_faces
from eigenfaces.project.content import Content
from eigenfaces.project.moved import (
    Moves,
    found_words,
    moves_to,
    photograph_paths,
    relinked,
    sha_of,
)
from eigenfaces.text import count

FileState = tuple[int, int]
"""Size of a file in bytes, and the time of its last change in nanoseconds."""

_NO_PICTURES = (
    *("aae", "avi", "csv", "db", "doc", "docx", "htm", "html", "ini", "json", "lnk", "log", "md"),
    *("mov", "mp3", "mp4", "mkv", "mts", "pdf", "ppt", "pptx", "txt", "url", "wav", "xls", "xlsx"),
    *("xml", "xmp", "zip"),
)
"""Extensions of files that are certainly not pictures, and are not opened to check."""


@dataclass(frozen=True)
class Look:
    """Result of checking the folders of a project for changes.

    ``new`` and ``changed`` are photographs to read. ``gone`` are photographs found missing for the
    first time, and ``moves`` gives the new paths of moved photographs. ``unreachable`` are folders
    that cannot be read. ``listed_again`` are changed photographs whose faces are to be recognised.
    ``renewed`` are known files to update without telling the user.
    """

    new: tuple[Photo, ...] = ()
    changed: tuple[Photo, ...] = ()
    gone: tuple[Path, ...] = ()
    moves: Moves = field(default_factory=dict)
    unreachable: tuple[Path, ...] = ()
    listed_again: tuple[Path, ...] = ()
    renewed: tuple[KnownFile, ...] = ()

    @property
    def found(self) -> FoundPhotos:
        """The photographs to read, both new and changed."""
        return FoundPhotos((*self.new, *self.changed))

    @property
    def has_found(self) -> bool:
        """Whether anything was found that the user should know about."""
        return bool(self.new or self.changed or self.listed_again or self.gone or self.moves)

    @property
    def sentence(self) -> str:
        """The result in sentences, such as “12 new photos, 3 changed, 1 gone”."""
        changed = len(self.changed) + len(self.listed_again)
        numbers = (len(self.new), "new"), (changed, "changed"), (len(self.gone), "gone")
        parts = [f"{number:,} {word}" for number, word in numbers if number]
        if parts:
            number, word = next(pair for pair in numbers if pair[0])
            parts[0] = count(number, f"{word} photo") if word != "gone" else f"{count(number)} gone"
        sentences = [f"{', '.join(parts)}."] if parts else []
        if self.moves:
            sentences.append(found_words(len(self.moves)))
        if self.unreachable:
            names = ", ".join(f"“{folder.name or folder}”" for folder in self.unreachable[:3])
            more = len(self.unreachable) - 3
            names += f" and {count(more, 'other folder')}" if more > 0 else ""
            sentences.append(f"The photos in {names} cannot be reached.")
        return " ".join(sentences) or "No new photos."


@dataclass(frozen=True)
class _Seen:
    """Files found in the folders, and folders that cannot be read."""

    files: dict[str, FileState] = field(default_factory=dict)
    home: dict[str, WatchedFolder] = field(default_factory=dict)
    """The watched folder that contains each file, or the innermost one if there are several."""

    unreadable: list[str] = field(default_factory=list)


def look(content: Content, tick: Tick = no_tick) -> Look:
    """Find changes in a project's folders, and to its photographs outside those folders.

    Nothing is changed; see `after_look`. A folder that is missing, or in which all photographs are
    missing, is treated as unreachable, so that disconnecting a disk loses nothing.
    """
    known = {os.fspath(file.path): file for file in content.files}
    paths = photograph_paths(content)
    shas = {os.fspath(path): sha for path, sha in paths.items()}
    seen = _look_into(_folders_once(content.folders), tick)
    _look_at_others(seen, shas)
    missing = {path for path in shas if path not in seen.files}
    unknown = [path for path in seen.files if path not in shas]
    moves = _moves(paths, known, missing, _candidates(unknown, seen, known, missing), tick)
    new_places = {os.fspath(path) for path in moves.values()}
    stayed = shas.keys() - {os.fspath(path) for path in moves}
    folders = relinked(content, moves).folders
    unreachable, behind = _unreachable(seen, folders, stayed, missing & stayed)
    differing = [
        path
        for path, state in seen.files.items()
        if path in shas and not _is_as_known(known.get(path), state)
    ]
    renewed, other = _read_again(differing, known, shas, tick)
    changed, listed, passed_over = _changed_photos(content, other, seen)
    fresh = [path for path in unknown if path not in new_places and _is_picture(path)]
    found = [Photo(Path(path), seen.home[path].person_on(Path(path))) for path in fresh]
    gone = [
        Path(path)
        for path in sorted((missing & stayed) - behind)
        if path not in known or not known[path].gone
    ]
    return Look(
        with_marked_faces(FoundPhotos(tuple(found)), tick).photos,
        changed,
        tuple(gone),
        moves,
        tuple(unreachable),
        listed,
        (*renewed, *passed_over),
    )


def renewed(content: Content, found: Look) -> Content:
    """Return the project with its known files updated. The user need not be told."""
    return replace(content, files=with_files(content.files, found.renewed))


def after_look(content: Content, found: Look) -> Content:
    """Return the project with the new paths of moved photographs and with missing files marked.

    Nothing is deleted. New and changed photographs still have to be read.
    """
    after = relinked(renewed(content, found), found.moves)
    files = {file.path: file for file in after.files}
    shas = photograph_paths(after)
    for path in found.gone:
        file = files.get(path, KnownFile(path, shas.get(path, ""), 0, 0))
        files[path] = replace(file, gone=True)
    return replace(after, files=tuple(files.values()))


# The files in the folders


def _folders_once(folders: Iterable[WatchedFolder]) -> list[WatchedFolder]:
    """Return each folder once, as it was last added. Inner folders precede outer folders."""
    once = {folder.path: folder for folder in folders}
    return sorted(once.values(), key=lambda folder: -len(folder.path.parts))


def _look_into(folders: Sequence[WatchedFolder], tick: Tick) -> _Seen:
    """Return the files below the folders and their states, without opening the files."""
    seen = _Seen()
    entered = set[tuple[int, int]]()
    for folder in folders:
        stack = [os.fspath(folder.path)]
        while stack:
            here = stack.pop()
            tick(0, 0)
            try:
                state = os.stat(here)  # noqa: PTH116 - no Path a folder
                if (state.st_dev, state.st_ino) in entered:
                    continue
                entered.add((state.st_dev, state.st_ino))
                with os.scandir(here) as entries:
                    for entry in entries:
                        if entry.name[0] == "." or is_of_the_system(entry.name):
                            continue
                        if entry.is_dir():
                            stack.append(entry.path)
                        elif not entry.name.lower().endswith(_ENDINGS_PASSED_OVER):
                            _note(seen, entry, folder)
            except OSError:
                seen.unreadable.append(here)
    return seen


_ENDINGS_PASSED_OVER = tuple(f".{ending}" for ending in (*sorted(_NO_PICTURES), *NOT_READ))
_ENDINGS = tuple(f".{ending}" for ending in PICTURES)


def _note(seen: _Seen, entry: os.DirEntry[str], folder: WatchedFolder) -> None:
    try:
        state = entry.stat()
    except OSError:  # the file has just been deleted, or is a broken link
        return
    seen.files[entry.path] = state.st_size, state.st_mtime_ns
    seen.home[entry.path] = folder


def _look_at_others(seen: _Seen, shas: Collection[str]) -> None:
    """Add the project's photographs that are outside its folders, if they exist."""
    for path in shas:
        if path not in seen.files:
            try:
                state = os.stat(path)  # noqa: PTH116
            except (OSError, ValueError):
                continue
            seen.files[path] = state.st_size, state.st_mtime_ns


def _unreachable(
    seen: _Seen, folders: Iterable[WatchedFolder], paths: Collection[str], missing: set[str]
) -> tuple[list[Path], set[str]]:
    """Return the folders that cannot be read, and the missing photographs in them."""
    watched = {os.fspath(folder.path) for folder in folders}
    unreadable = {path for path in seen.unreadable if path in watched or os.path.lexists(path)}
    roots = unreadable | watched
    inside = {root: os.path.join(root, "") for root in roots}  # noqa: PTH118 - no Path a file
    behind = set[str]()
    shut = list[Path]()
    for root in sorted(roots, key=len):
        there = [path for path in missing if path.startswith(inside[root])]
        all_of_it = sum(path.startswith(inside[root]) for path in paths)
        if root in unreadable or (there and len(there) == all_of_it):
            if not any(Path(root).is_relative_to(known) for known in shut):
                shut.append(Path(root))
            behind.update(there)
    # Photographs that were added one by one, and whose whole folder is missing.
    parents = {os.path.dirname(path) for path in missing - behind}  # noqa: PTH120
    for parent in sorted(parents):
        within = any(parent.startswith(root) or parent == root[:-1] for root in inside.values())
        if not within and not os.path.isdir(parent):  # noqa: PTH112
            shut.append(Path(parent))
            behind.update(path for path in missing if os.path.dirname(path) == parent)  # noqa: PTH120
    return shut, behind


# New, moved and changed photographs


def _candidates(
    unknown: Iterable[str],
    seen: _Seen,
    known: Mapping[str, KnownFile],
    missing: Collection[str],
) -> list[str]:
    """Return the unknown files that, judging by size, may be photographs missing elsewhere."""
    sizes = {known[path].size for path in missing if path in known and known[path].size}
    any_size = any(path not in known or not known[path].size for path in missing)
    return [path for path in unknown if any_size or seen.files[path][0] in sizes]


def _moves(
    paths: Mapping[Path, str],
    known: Mapping[str, KnownFile],
    missing: Collection[str],
    candidates: Sequence[str],
    tick: Tick,
) -> Moves:
    found = dict[Path, str]()
    for done, path in enumerate(candidates):
        tick(done, len(candidates))
        found[Path(path)] = sha_of(Path(path))
    return moves_to(paths, {Path(path) for path in missing}, found)


def _is_as_known(file: KnownFile | None, state: FileState) -> bool:
    return file is not None and not file.gone and file.is_unchanged(*state)


def _read_again(
    differing: Sequence[str],
    known: Mapping[str, KnownFile],
    shas: Mapping[str, str],
    tick: Tick,
) -> tuple[list[KnownFile], list[KnownFile]]:
    """Read files whose size or time differs, and return the unchanged and the changed pictures."""
    same, other = list[KnownFile](), list[KnownFile]()
    for file in known_files(map(Path, differing), {}, tick):
        path = os.fspath(file.path)
        before = known[path].sha if path in known else shas[path]
        # For unused photographs the hash may be unknown.
        (same if before in ("", file.sha) else other).append(file)
    return same, other


def _changed_photos(
    content: Content, other: Sequence[KnownFile], seen: _Seen
) -> tuple[tuple[Photo, ...], tuple[Path, ...], list[KnownFile]]:
    """Return changed photographs to read, changed probes, and files that are not in the project.

    If a file is no longer in the project, because it was left out or removed, only its state is
    stored. Photographs that are not read now will be found again next time.
    """
    index = content.gallery.index
    unused = {file.path: file for file in content.unused}
    listed = {probe.photo.path for probe in content.probe_list.probes}
    listed |= content.probe_list.without_face
    photos, again, passed_over = list[Photo](), list[Path](), list[KnownFile]()
    for file in other:
        path = file.path
        home = seen.home.get(os.fspath(path))
        rows = index.rows_by_path.get(path, ())
        if rows:
            turned = index.photos[rows[0]].photograph.turned
            photos.append(Photo(path, None if home is None else home.person_on(path), None, turned))
        elif path in unused:
            photos.append(Photo(path, unused[path].person))
        elif path in listed:
            again.append(path)
        else:
            passed_over.append(file)
    return tuple(photos), tuple(again), passed_over


def _is_picture(path: str) -> bool:
    return path.lower().endswith(_ENDINGS) or is_picture(Path(path))
