"""Regions: faces marked by other programs, in the photographs or in files next to them.

digiKam, Lightroom and others store regions as XMP, in the photograph or in a ``.xmp`` file next to
it (`xmp`). Picasa stores regions in ``.picasa.ini``.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from eigenfaces.errors import EigenfacesError, PhotoError, Tick, no_tick
from eigenfaces.files import is_regular
from eigenfaces.photographs.decode import read_content
from eigenfaces.photographs.find import FoundPhotos, Region
from eigenfaces.photographs.header import Area, Header, read_header, same_place, upright_area
from eigenfaces.photographs.names import as_name, is_ignored, is_nobody
from eigenfaces.photographs.placement import Eyes
from eigenfaces.photographs.xmp import MOST_XMP, XmpDocument, read_xmp, xmp_text
from eigenfaces.text import first_few, name_key

_SMALLEST = 16  # the smallest region that can show a face, in pixels
_SAME_ASPECT = 0.02  # two aspect ratios of one picture differ by less than this
_UNKNOWN_CONTACT = "ffffffffffffffff"  # Picasa's contact for unnamed and ignored faces

_CUT_SINCE = "Its faces were marked in a picture with other proportions. They are skipped."
_TURNED = "Picasa has rotated some photos. The faces that it marked in them are skipped."
_NO_RECTANGLES = "The positions of some faces cannot be read. These faces are skipped."


class Marked(NamedTuple):
    """Face that was marked in the upright picture, and the name that it was given."""

    area: Area
    name: str
    confirmed: bool = False  # whether the user confirmed the name in this program


def with_marked_faces(found: FoundPhotos, tick: Tick = no_tick) -> FoundPhotos:
    """Return photographs with the faces that other programs have marked in them.

    The first marked name becomes the name of the person in the photograph, regardless of its folder
    and file name. If a table gives the eyes, no marks are read. `FoundPhotos.note` says which marks
    could not be read. The header of each photograph is read once, and its size is stored.
    """
    spellings = {name_key(p.person): p.person for p in found.photos if p.person is not None}
    folder_of = cache(_Folder)
    unread: dict[str, dict[str, None]] = {}  # the files that each sentence is about
    photos = []
    for done, photo in enumerate(found.photos):
        tick(done, len(found.photos))
        header = read_header(photo.path)
        faces = list[Region]()
        if header is not None and photo.placement is None:
            for face in _faces_on(header, folder_of(photo.path.parent), unread):
                name = face.person and spellings.setdefault(name_key(face.person), face.person)
                faces.append(Region(face.box, name))
        faces.sort(key=lambda face: face.person is None)
        person = photo.person
        if faces and faces[0].person is not None:
            person = faces[0].person
        stored = header.stored[::-1] if header is not None else None
        photos.append(replace(photo, person=person, regions=tuple(faces), stored=stored))
    notes = [found.note]
    for sentence, files in unread.items():
        notes.append(f"{first_few([f'“{name}”' for name in files])}: {sentence}")
    return replace(found, photos=tuple(photos), note=" ".join(filter(None, notes)))


def _faces_on(header: Header, folder: _Folder, unread: dict[str, dict[str, None]]) -> list[Region]:
    """Return the marked faces in a photograph, from the first source that names anybody.

    If no source names anybody, the first source with marks is used. Faces confirmed in this program
    are added from all sources. A face that digiKam calls ignored, unknown or unconfirmed has no
    name. Ignored faces are dropped and, if no other face is named, all other faces as well.
    """
    confirmed, used = list[Marked](), list[Marked]()
    for marks in _marks(header, folder, unread):
        confirmed += (mark for mark in marks if mark.confirmed)
        others = [mark for mark in marks if not mark.confirmed]
        if not used:
            used = others
        if not all(is_nobody(mark.name) for mark in others):
            used = others
            break
    used = [m for m in used if not any(same_place(m.area, own.area) for own in confirmed)]
    faces = list[Region]()
    for mark in (*used, *confirmed):
        if not is_ignored(mark.name):
            name = None if is_nobody(mark.name) else as_name(mark.name)
            faces += _region(mark.area, header.size, name)
    ignored = any(is_ignored(mark.name) for mark in used)
    return [] if ignored and not any(face.person for face in faces) else faces


def _marks(
    header: Header, folder: _Folder, unread: dict[str, dict[str, None]]
) -> Iterator[list[Marked]]:
    """Yield the marked faces from each source: sidecar files, the photograph, and Picasa."""

    def say(file: str, sentence: str) -> None:
        unread.setdefault(sentence, {})[file] = None

    for file in (*folder.sidecars(header.path), None):
        name = header.path.name if file is None else file.name
        try:
            content = header.xmp if file is None else read_content(file, MOST_XMP)
            text, _, doubt = xmp_text(content)
            document = read_xmp(text)
        except (EigenfacesError, PhotoError) as error:
            if file is not None or b"Region" in header.xmp:
                say(name, str(error))
            continue
        if file is not None and not _belongs(document, file, header.path):
            continue
        if file is not None or document.regions:
            for sentence in dict.fromkeys(filter(None, (doubt, *document.unread))):
                say(name, sentence)
        regions = [one for one in document.regions if one.is_face and one.mark != "guess"]
        if not regions:
            continue
        size, turned = document.size, header.orientation
        if size is not None:
            turns = [turn for frame, turn in header.frames if _same_aspect(size, frame)]
            if not turns:
                say(name, _CUT_SINCE)
                continue
            turned = turns[0]
        yield [
            Marked(upright_area(one.area, turned), one.name, one.mark is not None)
            for one in regions
        ]
    marks, sentences = folder.picasa(header.path.name)
    for sentence in sentences:
        say(".picasa.ini", sentence)
    if marks:
        yield marks


def _belongs(document: XmpDocument, file: Path, photo: Path) -> bool:
    """Return whether a sidecar belongs to this photograph rather than one of the same base name."""
    by_stem = file.stem.lower() != photo.name.lower()
    extension = document.extension.lower().lstrip(".")
    return not (by_stem and extension) or extension == photo.suffix[1:].lower()


def _same_aspect(size: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether two pictures (width, height) have the same aspect ratio."""
    if min(*size, *other) <= 0:
        return False
    return abs(math.log(size[0] * other[1] / (size[1] * other[0]))) < _SAME_ASPECT


def _region(area: Area, size: tuple[int, int], name: str | None) -> Iterator[Region]:
    """Yield the square box of a face, in pixels, if its eyes are in a picture (width, height)."""
    x, y, width, height = area
    side = (width * size[0] + height * size[1]) / 2
    box = (x * size[0] - side / 2, y * size[1] - side / 2, side)
    eyes = Eyes.in_box(*box).middle
    if side >= _SMALLEST and 0 <= eyes.real <= size[0] and 0 <= eyes.imag <= size[1]:
        yield Region(box, name)


class _Folder:
    """Sidecar files and Picasa marks of the photographs in one folder.

    Names are looked up exactly first, then ignoring case, as some systems do. However, a sidecar
    with the exact name of another photograph belongs only to that photograph.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            names = sorted(os.listdir(path))  # noqa: PTH208 - names, not paths
        except (OSError, ValueError):
            names = []
        self.names = set(names)
        self._alike: dict[str, list[str]] = {}
        for name in names:
            self._alike.setdefault(name.lower(), []).append(name)

    @cached_property
    def _stems(self) -> set[str]:
        return {Path(name).stem for name in self.names if not name.lower().endswith(".xmp")}

    def sidecars(self, photo: Path) -> Iterator[Path]:
        """Yield the sidecar files of a photograph, starting with the one that has its full name."""
        for base, others in ((photo.name, self.names), (photo.stem, self._stems)):
            files = self._alike.get(f"{base}.xmp".lower(), [])
            for name in sorted(files, key=lambda name: name != f"{base}.xmp"):
                file = self.path / name
                its = name[: -len(".xmp")]
                if (its == base or its not in others) and is_regular(file):
                    yield file

    def picasa(self, photo: str) -> tuple[list[Marked], list[str]]:
        """Return Picasa's marks for a photograph, and sentences about marks that cannot be read."""
        contacts, sections, sentences = self._picasa
        keys = sections.get(photo)
        if keys is None:
            alike = (n for n in sections if n.lower() == photo.lower() and n not in self.names)
            keys = sections.get(next(alike, ""), {})
        faces = keys.get("faces", "")
        if faces and keys.get("rotate", "rotate(0)") != "rotate(0)":
            # It is unknown whether the faces were marked before or after the rotation.
            return [], [*sentences, _TURNED]
        marks = list[Marked]()
        found = _RECT.findall(faces)
        for rect, contact in found:
            edges = np.frombuffer(bytes.fromhex(rect.zfill(16)), ">u2") / 65535
            x, y = ((edges[:2] + edges[2:]) / 2).tolist()
            width, height = (edges[2:] - edges[:2]).tolist()
            known = "" if contact.lower() == _UNKNOWN_CONTACT else contacts.get(contact.lower(), "")
            if width > 0 and height > 0:
                marks.append(Marked((x, y, width, height), known.partition(";")[0]))
        if len(marks) < faces.lower().count("rect64"):
            sentences = [*sentences, _NO_RECTANGLES]
        return marks, sentences

    @cached_property
    def _picasa(self) -> tuple[dict[str, str], dict[str, dict[str, str]], list[str]]:
        """Picasa's contacts, the keys and values of each photograph, and sentences about errors."""
        sections: dict[str, dict[str, str]] = {}
        sentences = list[str]()
        for name in [*self._alike.get(".picasa.ini", ()), *self._alike.get("picasa.ini", ())]:
            if not is_regular(self.path / name):
                continue
            try:
                text, _, doubt = xmp_text(read_content(self.path / name, MOST_XMP))
            except PhotoError as error:
                sentences.append(str(error))
                continue
            sentences += filter(None, [doubt])
            section = dict[str, str]()
            for line in map(str.strip, text.lstrip("\ufeff").split("\n")):
                key, equals, value = line.partition("=")
                if line.startswith("[") and line.endswith("]"):
                    section = sections.setdefault(line[1:-1], {})
                elif equals:
                    section[key.strip().lower()] = value.strip()
        contacts = next((sections[n] for n in sections if n.lower() == "contacts2"), {})
        return contacts, sections, sentences


_RECT = re.compile(r"rect64\(([0-9a-f]{1,16})\),([0-9a-f]+)", re.IGNORECASE)
"""The left, top, right and bottom in 65,535ths of the upright photograph, and a contact."""
