"""Faces that other programs have marked on photographs: boxes and names.

digiKam, Lightroom and others write them in XMP, in the photograph or in a ``.xmp`` file beside it
(Metadata Working Group, *Guidelines for handling image metadata* 2.0, 2010); Picasa writes them in
``.picasa.ini``. These files come from anywhere: no document type, and so no entity, is accepted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np

from eigenfaces.errors import EigenfacesError, Tick, no_tick
from eigenfaces.photographs.decode import is_regular, read_text
from eigenfaces.photographs.find import FoundPhotos, Region
from eigenfaces.photographs.header import Area, open_image, orientation, upright_area
from eigenfaces.photographs.names import as_name
from eigenfaces.photographs.placement import Eyes
from eigenfaces.text import name_key

MOST_XMP = 4_000_000  # bytes: larger documents are not read
OWN = 'x:xmptk="Eigenfaces"'  # says that this program has written a document
_MOST_REGIONS, _MOST_PARTS = 1000, 200  # regions of a document, and elements of a region, read
_SMALLEST = 16  # pixels of a region that can hold a face
_SAME_ASPECT = 0.02  # by which two aspect ratios of one picture may differ

SPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "mwg-rs": "http://www.metadataworkinggroup.com/schemas/regions/",
    "stDim": "http://ns.adobe.com/xap/1.0/sType/Dimensions#",
    "stArea": "http://ns.adobe.com/xmp/sType/Area#",
}
_RDF, _REGIONS, _DIMENSIONS, _AREA = (f"{{{space}}}" for space in SPACES.values())

PicasaFaces = dict[str, list[tuple[Area, str]]]


class XmpRegion(NamedTuple):
    """A region in an XMP document, in shares of the picture as it is stored."""

    area: Area
    name: str  # "" where nobody is named
    kind: str  # ``Face``, or ``Pet``, ``Focus``, …


def read_xmp(xmp: str) -> tuple[list[XmpRegion], tuple[float, float] | None]:
    """Return the regions in an XMP document; raise `EigenfacesError` if it is none.

    With them the (width, height) of the picture that they were made on, if it says so.
    """
    if len(xmp) > MOST_XMP or re.search(r"<!(?!--|\[CDATA\[)", xmp):
        raise EigenfacesError("It is no XMP file: it is too large, or declares a document type.")
    try:
        root = ElementTree.fromstring(xmp.strip("\ufeff\0 \r\n"))
    except (ElementTree.ParseError, ValueError):
        raise EigenfacesError("It is no XMP file, or a damaged one.") from None
    regions, size = list[XmpRegion](), None
    try:
        for part in root.iter(f"{_REGIONS}AppliedToDimensions"):
            known = _properties(part)
            size = float(known[f"{_DIMENSIONS}w"]), float(known[f"{_DIMENSIONS}h"])
        items = next(root.iter(f"{_REGIONS}RegionList"), root).iter(f"{_RDF}li")
        for item in islice(items, _MOST_REGIONS):  # beside them are histories, of any length
            known = _properties(item)
            places = [known.get(f"{_AREA}{name}", "") for name in "xywh"]
            if any(places):
                x, y, width, height = (float(place or 0) for place in places)
                name, kind = (known.get(f"{_REGIONS}{key}", "").strip() for key in ("Name", "Type"))
                regions.append(XmpRegion((x, y, width, height), name, kind))
    except (KeyError, ValueError):
        raise EigenfacesError("Its regions have places that are no numbers.") from None
    return regions, size


def _properties(item: ElementTree.Element) -> dict[str, str]:
    """Return the properties below an element: each is an attribute, or an element of its own."""
    parts = islice(item.iter(), _MOST_PARTS)
    return dict(pair for e in parts for pair in [*e.attrib.items(), (e.tag, e.text or "")])


def with_marked_faces(found: FoundPhotos, tick: Tick = no_tick) -> FoundPhotos:
    """Return photographs with the faces that other programs have marked on them.

    The first name among these is the photograph's, whatever its folder or its file is called. Where
    a file states the eyes, nothing else is read.
    """
    spellings = {name_key(p.person): p.person for p in found.photos if p.person is not None}
    photos, read_ini = [], cache(_read_picasa_faces)
    for done, photo in enumerate(found.photos):
        tick(done, len(found.photos))
        marked = () if photo.placement is not None else _regions_on(photo.path, read_ini)
        names = ((face.box, face.person) for face in marked)
        faces = [Region(box, n and spellings.setdefault(name_key(n), n)) for box, n in names]
        faces.sort(key=lambda face: face.person is None)
        person = faces[0].person or photo.person if faces else photo.person
        photos.append(replace(photo, person=person, regions=tuple(faces)))
    return replace(found, photos=tuple(photos))


def _regions_on(path: Path, read_ini: Callable[[Path], PicasaFaces]) -> Iterator[Region]:
    """Yield the faces marked on a photograph; none if what marks them, or it, cannot be read."""
    try:
        if not is_regular(path):
            return  # opening a pipe would block
        with open_image(path) as image:
            stored, packet = image.size, image.info.get("xmp") or b""
    except Exception:  # decoders raise almost anything on other files
        return
    inside = packet.decode("utf-8", "replace") if isinstance(packet, bytes) else str(packet)
    sidecars = path.with_name(f"{path.name}.xmp"), path.with_suffix(".xmp")
    for file in (*filter(is_regular, sidecars), None):
        try:
            text = inside if file is None else read_text(file, MOST_XMP)
            if OWN in text:
                continue  # its names are answers, some only likely: they prove nothing
            regions, size_then = read_xmp(text)
        except (EigenfacesError, UnicodeDecodeError):
            continue
        if faces := [region for region in regions if region.kind in ("Face", "")]:
            turned = orientation(path)
            size = stored[::-1] if turned > 4 else stored
            if size_then is not None and not _same_aspect_ratio(size_then, stored):
                if not _same_aspect_ratio(size_then, size):
                    continue  # the picture was cut since, or is another one
                turned = 1
            for area, name, _ in faces:
                yield from _region(upright_area(area, turned), size, name)
            return
    if marked := read_ini(path.parent).get(path.name, ()):
        size = stored[::-1] if orientation(path) > 4 else stored
        for area, name in marked:
            yield from _region(area, size, name)


def _same_aspect_ratio(size: tuple[float, float], other: tuple[float, float]) -> bool:
    """Return whether two pictures (width, height) have the same aspect ratio."""
    if min(*size, *other) <= 0 or not all(map(math.isfinite, size)):
        return False
    return abs(math.log(size[0] * other[1] / (size[1] * other[0]))) < _SAME_ASPECT


def _region(area: Area, size: tuple[int, int], name: str) -> Iterator[Region]:
    """Yield the square of a face in pixels, if its eyes lie in a picture of (width, height)."""
    x, y, width, height = area
    if 0 < width <= 2 and 0 < height <= 2:
        side = (width * size[0] + height * size[1]) / 2
        box = (x * size[0] - side / 2, y * size[1] - side / 2, side)
        eyes = Eyes.in_box(*box).middle
        if side >= _SMALLEST and 0 <= eyes.real <= size[0] and 0 <= eyes.imag <= size[1]:
            yield Region(box, as_name(name))


_RECT = re.compile(r"rect64\(([0-9a-f]{1,16})\),([0-9a-f]+)", re.IGNORECASE)


def _read_picasa_faces(folder: Path) -> PicasaFaces:
    """Return the faces that Picasa has marked on the photographs of a folder, by file name.

    ``rect64`` are left, top, right and bottom in 65,535ths, of the photograph shown upright.
    """
    sections: dict[str, dict[str, str]] = {}
    try:
        for file in filter(is_regular, (folder / ".picasa.ini", folder / "Picasa.ini")):
            section = dict[str, str]()
            for line in map(str.strip, read_text(file, MOST_XMP).splitlines()):
                key, equals, value = line.partition("=")
                if line.startswith("[") and line.endswith("]"):
                    section = sections.setdefault(line[1:-1], {})
                elif equals:
                    section[key.strip().lower()] = value.strip()
    except (EigenfacesError, UnicodeDecodeError):
        return {}
    contacts, faces = sections.get("Contacts2", {}), PicasaFaces()
    for photo, keys in sections.items():
        if keys.get("rotate", "rotate(0)") != "rotate(0)":
            continue  # in which of its positions its faces were marked is not known
        for rect, contact in _RECT.findall(keys.get("faces", "")):
            edges = np.frombuffer(bytes.fromhex(rect.zfill(16)), ">u2") / 65535
            middle, size = (edges[:2] + edges[2:]) / 2, edges[2:] - edges[:2]
            name = contacts.get(contact.lower(), "").partition(";")[0]
            faces.setdefault(photo, []).append(((*middle.tolist(), *size.tolist()), name))
    return faces
