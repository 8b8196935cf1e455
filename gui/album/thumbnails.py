"""Thumbnails of photographs, made in background threads and kept in the system's cache folder.

Thumbnails of visible photographs are made first. If a photograph is scrolled out of sight before
its turn comes, its thumbnail is not made. A thumbnail is a JPEG file named after the SHA-256 of its
photograph, its rotation and its size. The modification time of the file shows roughly when it was
last used. If the folder is full, the least recently used thumbnails are deleted first.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from threading import Lock, Thread, current_thread, get_ident
from time import time
from typing import NamedTuple

import numpy as np
from PIL import Image
from PySide6.QtCore import QObject, QStandardPaths, QTimer, Signal
from PySide6.QtGui import QImage

from eigenfaces.errors import PhotoError
from eigenfaces.faces.portraits import PORTRAITS
from eigenfaces.photographs.decode import colours, content_hash, read_bytes
from eigenfaces.project.album import AlbumPhoto
from eigenfaces.space.arrays import Bytes
from ..style.images import rgb_image

SIDES = (256, 512)
"""The longer side of a thumbnail in pixels, for screens at 100 % and at 200 %."""

MOST_ON_DISK = 300_000_000  # bytes
MOST_IN_MEMORY = 96_000_000  # bytes

_WORKERS = max(2, min(4, (os.cpu_count() or 2) - 1))  # one thread may wait for a network drive
_LOOK_AFTER = 8_000_000  # bytes written before the size of the folder is checked again
_SPARE = 2 * _LOOK_AFTER  # bytes to stay below the limit, because other windows also write
_KEPT = 0.9  # share of the limit that is kept when a full folder is cleaned up
_USED_AGAIN = 3600.0  # seconds after which another use updates the time of the file
_QUALITY = 82
_PATIENCE = 2.0  # seconds to wait for each thread when closing
_TOLD_EACH = 16  # milliseconds: one signal reports all thumbnails made in this time

_disk = Lock()
"""Lock held while a thumbnail is written, and while thumbnails are deleted."""


class _Folder:
    """State of the cache folder, shared by all grids in the program."""

    written = 0
    looked = False
    forgettings = 0  # how many times thumbnails have been deleted for good


def cache_folder() -> Path:
    """Return the cache folder of the thumbnails, which may not exist yet."""
    place = QStandardPaths.StandardLocation.CacheLocation
    return Path(QStandardPaths.writableLocation(place)) / "thumbnails"


def forget(shas: Iterable[str]) -> None:
    """Delete all thumbnails of these photographs, including any that are being made now."""
    folder = cache_folder()
    with _disk:
        _Folder.forgettings += 1
        for sha in shas:
            for turned in range(4):
                for side in SIDES:
                    with suppress(OSError):
                        (folder / _file_name(sha, turned, side)).unlink()


def _file_name(sha: str, turned: int, side: int) -> str:
    return f"{sha}-{turned}-{side}.jpg"


class Key(NamedTuple):
    """Key that identifies a thumbnail by its photograph, rotation and size."""

    sha: str
    turned: int
    side: int

    @classmethod
    def of(cls, photo: AlbumPhoto, side: int) -> Key:
        """Return the key of a photograph's thumbnail."""
        return cls(photo.photograph.sha, photo.photograph.turned % 4, side)


class Thumbnail(NamedTuple):
    """Thumbnail image or None, with a reason if it does not show the photograph as it was added."""

    image: QImage | None
    reason: str = ""
    is_face: bool = False  # whether it shows a face instead of the photograph


class Thumbnails(QObject):
    """Thumbnails for one grid, with a signal that reports which ones are ready."""

    made = Signal(object)
    """Emitted with the set of SHA-256 hashes of photographs whose thumbnails are ready."""
    _came = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._known = OrderedDict[Key, Thumbnail]()  # the most recently used is last
        self._bytes = 0
        self._wanted = OrderedDict[Key, AlbumPhoto]()  # the next to be made is first
        self._in_work = set[Key]()
        self._threads = set[Thread]()
        self._lock = Lock()  # guards the three attributes above
        self._closed = False
        self._news = set[str]()
        self._soon = QTimer(self, singleShot=True, interval=_TOLD_EACH)
        self._soon.timeout.connect(self._tell)
        self._came.connect(self._take)

    def get(self, photo: AlbumPhoto, side: int) -> Thumbnail | None:
        """Return the thumbnail of a photograph, or None if it is not ready yet."""
        key = Key.of(photo, side)
        if (known := self._known.get(key)) is not None:
            self._known.move_to_end(key)
        return known

    def want(self, photos: Sequence[AlbumPhoto], side: int) -> None:
        """Make the thumbnails of these photographs in this order, replacing earlier requests."""
        with self._lock:
            self._wanted.clear()
            if self._closed:
                return
            for photo in photos:
                key = Key.of(photo, side)
                if key not in self._known and key not in self._in_work:
                    self._wanted[key] = photo
            while len(self._threads) < min(_WORKERS, len(self._wanted)):
                thread = Thread(None, self._work, "thumbnails", daemon=True)
                self._threads.add(thread)
                thread.start()

    def try_again(self) -> None:
        """Discard the thumbnails that had problems, because their files may be readable now."""
        for key in [key for key, made in self._known.items() if made.reason]:
            self._drop(key)

    def forget_images(self) -> None:
        """Discard all thumbnails in memory."""
        self._known.clear()
        self._bytes = 0

    def close(self) -> None:
        """Stop making thumbnails, and wait briefly for any in progress."""
        with self._lock:
            self._closed = True
            self._wanted.clear()
            threads = [*self._threads]
        for thread in threads:
            thread.join(_PATIENCE)
        self._soon.stop()

    # In the GUI thread: thumbnails that are ready

    def _take(self, key: Key, made: Thumbnail) -> None:
        with self._lock:
            self._in_work.discard(key)  # only after delivery, or it would be made again
        self._drop(key)
        self._known[key] = made
        self._bytes += _size(made)
        while self._bytes > MOST_IN_MEMORY and len(self._known) > 1:
            self._drop(next(iter(self._known)))
        self._news.add(key.sha)
        if not self._soon.isActive():
            self._soon.start()

    def _drop(self, key: Key) -> None:
        if (old := self._known.pop(key, None)) is not None:
            self._bytes -= _size(old)

    def _tell(self) -> None:
        news, self._news = self._news, set()
        self.made.emit(news)

    # In the threads

    def _work(self) -> None:
        """Make the requested thumbnails in order until none are left."""
        while True:
            with self._lock:
                if not self._wanted:
                    self._threads.discard(current_thread())
                    return
                key, photo = self._wanted.popitem(last=False)
                self._in_work.add(key)
            made = thumbnail(photo, key.side)
            if not self._closed:
                self._came.emit(key, made)


def _size(thumbnail: Thumbnail) -> int:
    return 0 if thumbnail.image is None else thumbnail.image.sizeInBytes()


def thumbnail(photo: AlbumPhoto, side: int) -> Thumbnail:
    """Return the thumbnail of a photograph from the cache, or make one and store it there.

    If the photograph cannot be read, return the picture of a face in it, if there is one.
    """
    key, forgettings = Key.of(photo, side), _Folder.forgettings
    if (kept := _kept(key)) is not None:
        return Thumbnail(rgb_image(kept))
    try:
        content = read_bytes(photo.photograph.path)
        pixels = np.ascontiguousarray(colours(content, side, key.turned))
    except PhotoError as error:
        return Thumbnail(_portrait(photo), str(error), is_face=True)
    if content_hash(content) != key.sha:
        return Thumbnail(rgb_image(pixels), "The file has changed since it was added.")
    _keep(key, pixels, forgettings)
    return Thumbnail(rgb_image(pixels))


def _portrait(photo: AlbumPhoto) -> QImage | None:
    """Return the first colour picture of a face in a photograph, or None if there is none."""
    for face in photo.faces:
        if (portrait := PORTRAITS.get(face.crop)) is not None:
            with suppress(PhotoError):  # a project may come from an untrusted source
                return rgb_image(colours(portrait, SIDES[0]))
    return None


# The files


def _kept(key: Key) -> Bytes | None:
    """Return a thumbnail from the cache, or None if it is missing or damaged."""
    path = cache_folder() / _file_name(*key)
    try:
        pixels = colours(read_bytes(path), key.side)
        if time() - path.stat().st_mtime > _USED_AGAIN:
            os.utime(path)
    except (OSError, PhotoError):
        return None
    return pixels


def _keep(key: Key, pixels: Bytes, forgettings: int) -> None:
    """Write a thumbnail to the cache, unless thumbnails were deleted while it was being made.

    If writing fails, the thumbnail will be made again the next time it is needed.
    """
    file = BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=_QUALITY)
    folder = cache_folder()
    part = folder / f"{os.getpid()}-{get_ident()}.part"
    with _disk:
        if _Folder.forgettings != forgettings:
            return
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                part.write_bytes(file.getvalue())
                part.replace(folder / _file_name(*key))
            finally:
                part.unlink(missing_ok=True)
        _Folder.written += len(file.getvalue())
        if not _Folder.looked or _Folder.written >= _LOOK_AFTER:
            _Folder.looked = True
            _Folder.written = 0
            make_room(folder, MOST_ON_DISK - _SPARE)


def make_room(folder: Path, most: int) -> None:
    """Delete the least recently used files if a folder contains more than ``most`` bytes."""
    files = list[tuple[float, int, str]]()
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(OSError):
                status = entry.stat()
                files.append((status.st_mtime, status.st_size, entry.path))
    total = sum(size for _, size, _ in files)
    if total <= most:
        return
    for _, size, path in sorted(files):
        if total <= _KEPT * most:
            return
        with suppress(OSError):
            Path(path).unlink()
            total -= size
