"""XMP documents: read the boxes and names of the faces marked in them.

digiKam, Lightroom and others write XMP, in the photograph or in a ``.xmp`` file next to it
(Metadata Working Group, *Guidelines for handling image metadata* 2.0, 2010); some use Microsoft's
schema, ``MP:RegionInfo``. XMP documents may come from anywhere, so document type declarations, and
with them entities, are refused. As much of a damaged document as possible is read, and the result
lists what could not be read.

In every region that this program writes, the name is marked as a guess or as confirmed. A guess is
therefore never read back as a fact, unless somebody has changed the name.
"""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal
from xml.etree import ElementTree
from xml.parsers import expat

from eigenfaces.errors import EigenfacesError
from eigenfaces.photographs.header import Area, same_place
from eigenfaces.photographs.names import as_name, is_nobody
from eigenfaces.text import name_key

MOST_XMP = 4_000_000  # bytes; larger documents are not read
_MOST_REGIONS, _MOST_PARTS = 1000, 200  # the most regions read per list, and elements per region
_MOST_LISTS = 8  # the most region lists read from a document

SPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "mwg-rs": "http://www.metadataworkinggroup.com/schemas/regions/",
    "stDim": "http://ns.adobe.com/xap/1.0/sType/Dimensions#",
    "stArea": "http://ns.adobe.com/xmp/sType/Area#",
    "eigenfaces": "urn:eigenfaces:regions/",
}
"""The XML namespaces that this program writes."""

_RDF, _REGIONS, _DIMENSIONS, _AREA, _OWN = (f"{{{space}}}" for space in SPACES.values())
_MICROSOFT_LIST = "{http://ns.microsoft.com/photo/1.2/t/RegionInfo#}Regions"
_MICROSOFT = "{http://ns.microsoft.com/photo/1.2/t/Region#}"
_EXTENSION = "{http://ns.adobe.com/photoshop/1.0/}SidecarForExtension"

NO_XMP = "It is not an XMP file, or it is damaged."
DOCUMENT_TYPE = "It is not an XMP file: it is too large, or declares a document type."
DAMAGED = "It is damaged, and was read as far as possible."
NO_NUMBERS = "Some faces have an invalid position, or a name that is not text. They are skipped."
NOT_UTF_8 = "It is not in UTF-8 and states no other encoding, so names may be spelt wrongly."

Mark = Literal["guess", "confirmed"]
XMP_BASIC = "http://ns.adobe.com/xap/1.0/"
MOST_STARS = 5  # the stars of a favourite photograph
_RATING = re.compile(r"""\b[\w.-]+:Rating\s*(?:=\s*["']|>)\s*(-?\d)(?:\.0+)?\s*["'<]""")

GUESSED = "Guess of Eigenfaces: "
"""The beginning of a guess's description, before the name. This text survives if another program
copies the region without the namespaces that are unknown to it.
"""

MARKS: dict[Mark, str] = {"guess": "Guess", "confirmed": "Confirmed"}
"""The marks that this program adds to the names that it writes, and their tags in XMP."""


@dataclass(frozen=True)
class XmpRegion:
    """Region in an XMP document, as fractions of the picture in which it was marked."""

    area: Area
    name: str  # "" if nobody is named
    kind: str  # ``Face``, or ``Pet``, ``Focus``, …
    mark: Mark | None  # the mark of this program if it has written the name
    place: tuple[int, int]  # start and end of its element in the document, in bytes of UTF-8

    @property
    def is_face(self) -> bool:
        """Whether the region is a face, or has no stated type."""
        return self.kind.lower() in ("face", "")

    @property
    def is_named(self) -> bool:
        """Whether the region names somebody, and the name is not a guess by this program."""
        return bool(self.name) and not is_nobody(self.name) and self.mark != "guess"


@dataclass(frozen=True)
class XmpDocument:
    """Faces marked in an XMP document."""

    regions: tuple[XmpRegion, ...]
    size: tuple[float, float] | None  # (width, height) of the picture in which they were marked
    extension: str  # the file extension of the photograph, if stated, or ""
    unread: tuple[str, ...]  # sentences about parts that could not be read


def xmp_text(content: bytes) -> tuple[str, str, str]:
    """Return the text of an XMP document, its encoding, and a warning if the text is in doubt.

    If the warning is empty, encoding the text restores the original bytes.
    """
    encoding = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}.get(content[:2], "")
    begin = content[:64]
    if not encoding and b"\0" in begin:  # in UTF-16, every second byte of Latin letters is zero
        encoding = "utf-16-le" if begin[1::2].count(0) > begin[::2].count(0) else "utf-16-be"
    if encoding:
        try:
            return content.decode(encoding), encoding, ""
        except UnicodeDecodeError:
            return content.decode(encoding, "replace"), encoding, DAMAGED
    stated = re.match(rb"\s*<\?xml[^>]*encoding\s*=\s*[\"']([\w.-]+)[\"']", content)
    if stated is not None:
        try:
            encoding = codecs.lookup(stated[1].decode()).name
        except LookupError:
            encoding = ""
        if encoding.startswith(("iso8859", "cp125", "koi8")):
            return content.decode(encoding, "replace"), encoding, ""
    try:
        return content.decode(), "utf-8", ""
    except UnicodeDecodeError:
        text = content.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    right = sum(letter > "\x7f" for letter in text) - wrong
    if right >= wrong:  # a few bytes are damaged, or the end is missing
        return text, "utf-8", DAMAGED
    return content.decode("cp1252", "replace"), "cp1252", NOT_UTF_8


def rating_of(text: str) -> int | None:
    """Return the number of stars in an XMP document, or None if there is no rating.

    >>> rating_of('<rdf:Description xmp:Rating="5"/>'), rating_of("<xmp:Rating>3</xmp:Rating>")
    (5, 3)
    """
    found = _RATING.search(text)
    return None if found is None else int(found[1])


def read_xmp(text: str) -> XmpDocument:
    """Return the faces in an XMP document, and sentences about the parts that cannot be read.

    Raises `EigenfacesError` if the text is not an XMP document, or declares a document type.
    """
    if len(text) > MOST_XMP or re.search(r"<!(?!--|\[CDATA\[)", text):
        raise EigenfacesError(DOCUMENT_TYPE)
    unread = list[str]()
    parsed = _Parsed(text)
    if not parsed.whole:
        repaired = _Parsed(_repaired(text))
        if len(repaired.places) > len(parsed.places):
            parsed = repaired
        unread.append(DAMAGED)
    root = parsed.root
    if root is None:
        raise EigenfacesError(NO_XMP)
    marked, microsoft = list[XmpRegion](), list[XmpRegion]()
    for item in _items(root):
        place = parsed.places.get(item)
        known = _properties(item)
        area = _area(known)
        if place is None or area is None:
            continue  # the end is missing, or the item is not a region
        name = known.get(f"{_REGIONS}Name", known.get(f"{_MICROSOFT}PersonDisplayName", ""))
        kind = known.get(f"{_REGIONS}Type", "").strip()
        region = XmpRegion(area, name.strip(), kind, _mark(known, name), place)
        if region.is_face and not (_is_possible(area) and "\ufffd" not in name):
            unread.append(NO_NUMBERS)
        elif f"{_MICROSOFT}Rectangle" in known:
            microsoft.append(region)
        else:
            marked.append(region)
    for region in microsoft:  # usually the same faces again
        there = [one for one in marked if one.is_face and same_place(one.area, region.area)]
        if not there or (region.is_named and not any(one.is_named for one in there)):
            marked.append(region)
    return XmpDocument(
        tuple(marked), _applied_to(root), _extension(root), tuple(dict.fromkeys(unread))
    )


class _Parsed:
    """XML document, parsed as far as possible: its elements and the positions of list items."""

    def __init__(self, text: str) -> None:
        self.root: ElementTree.Element | None = None
        self.places: dict[ElementTree.Element, tuple[int, int]] = {}  # bytes, from and to
        self.whole = True
        self._builder, self._starts = ElementTree.TreeBuilder(), list[int]()
        lead = len(text) - len(text.lstrip("\ufeff\0 \r\n"))
        self._before = len(text[:lead].encode())
        self._content = text[lead:].rstrip("\ufeff\0 \r\n").encode("utf-8", "replace")
        self._parser = expat.ParserCreate("utf-8", "}")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._builder.data
        self._parser.StartDoctypeDeclHandler = _refuse_document_type
        try:
            self._parser.Parse(self._content, True)
        except expat.ExpatError:
            self.whole = False

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        known = {_full(name): value for name, value in attributes.items()}
        element = self._builder.start(_full(tag), known)
        self._starts.append(self._parser.CurrentByteIndex)
        if self.root is None:
            self.root = element

    def _end(self, tag: str) -> None:
        element = self._builder.end(_full(tag))
        start = self._starts.pop()
        end = self._parser.CurrentByteIndex
        if element.tag == f"{_RDF}li":
            empty = not len(element) and not element.text
            if not (empty and self._content[start:end].endswith(b"/>")):
                end = self._content.index(b">", end) + 1
            self.places[element] = (self._before + start, self._before + end)


def _refuse_document_type(*_: object) -> None:
    raise EigenfacesError(DOCUMENT_TYPE)


def _full(name: str) -> str:
    """Return a name with its namespace in the notation of `ElementTree`."""
    return f"{{{name}" if "}" in name else name


def _repaired(text: str) -> str:
    """Return a document with the most common errors repaired: bare “&” and control characters."""
    text = re.sub(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)", "&amp;", text)
    return re.sub("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text)


def _items(root: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """Yield the items of all region lists or, if there are no region lists, of all lists.

    Other lists, such as histories, can be long.
    """
    lists = [root]
    for tag in (f"{_REGIONS}RegionList", _MICROSOFT_LIST):
        lists += islice(root.iter(tag), _MOST_LISTS)
    for part in lists[1:] or lists:
        yield from islice(part.iter(f"{_RDF}li"), _MOST_REGIONS)


def _properties(item: ElementTree.Element) -> dict[str, str]:
    """Return the properties of an element, which may be attributes or child elements."""
    known = dict[str, str]()
    for part in islice(item.iter(), _MOST_PARTS):
        known.update(part.attrib)
        known[part.tag] = part.text or ""
    return known


def _area(known: dict[str, str]) -> Area | None:
    """Return the area of a region, with NaN for invalid numbers, or None if it has no area."""
    if any(f"{_AREA}{name}" in known for name in "xywh"):
        x, y, width, height = (_number(known.get(f"{_AREA}{name}", "")) for name in "xywh")
        return x, y, width, height
    if (rectangle := known.get(f"{_MICROSOFT}Rectangle")) is not None:
        edges = [*map(_number, rectangle.split(",")), math.nan, math.nan, math.nan]
        left, top, width, height = edges[:4]
        return left + width / 2, top + height / 2, width, height
    return None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def _is_possible(area: Area) -> bool:
    return all(map(math.isfinite, area)) and 0 < area[2] <= 2 and 0 < area[3] <= 2


def _mark(known: dict[str, str], name: str) -> Mark | None:
    """Return this program's mark on a name; None if there is none or the name has since changed."""
    for mark, tag in MARKS.items():
        written = known.get(f"{_OWN}{tag}")
        if written is not None and _same_name(written, name):
            return mark
    described = known.get(f"{_REGIONS}Description", "")
    guessed = described.startswith(GUESSED) and _same_name(described[len(GUESSED) :], name)
    return "guess" if guessed else None


def _same_name(one: str, other: str) -> bool:
    return name_key(as_name(one) or "") == name_key(as_name(other) or "")


def _applied_to(root: ElementTree.Element) -> tuple[float, float] | None:
    for part in islice(root.iter(f"{_REGIONS}AppliedToDimensions"), 1):
        known = _properties(part)
        width, height = (_number(known.get(f"{_DIMENSIONS}{name}", "")) for name in "wh")
        if math.isfinite(width) and math.isfinite(height):
            return width, height
    return None


def _extension(root: ElementTree.Element) -> str:
    for part in root.iter(f"{_RDF}Description"):
        if extension := part.get(_EXTENSION, ""):
            return extension.strip()
    return next((part.text or "" for part in root.iter(_EXTENSION)), "").strip()
