"""Exports for other programs: component pictures, tables, sidecar files, and a folder per person.

The photographs themselves are never changed.
"""

from __future__ import annotations

import filecmp
import itertools
import json
import os
import re
import shutil
import stat
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from eigenfaces.errors import EigenfacesError, Tick, no_tick, reason_of
from eigenfaces.faces.identity import FacePhoto
from eigenfaces.files import atomic_write, check_empty, is_there, write_table
from eigenfaces.photographs.decode import read_content
from eigenfaces.photographs.header import Area, orientation, same_place, stored_area, upright_size
from eigenfaces.photographs.names import is_nobody, safe_name
from eigenfaces.photographs.xmp import (
    GUESSED,
    MARKS,
    MOST_STARS,
    MOST_XMP,
    SPACES,
    XMP_BASIC,
    XmpRegion,
    rating_of,
    read_xmp,
    xmp_text,
)
from eigenfaces.project.content import Content
from eigenfaces.recognition.answers import answer_to
from eigenfaces.recognition.decision import Decision
from eigenfaces.recognition.gallery import NO_ANSWER, Answer, Gallery
from eigenfaces.recognition.probes import Probe
from eigenfaces.recognition.recognised import recognise_probes
from eigenfaces.space.face_space import FaceSpace
from eigenfaces.space.pca import as_levels
from eigenfaces.text import count

_WRITABLE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
EXPORT_COLUMNS = ("file", "left", "top", "size", "name", "verdict", "probability")  # for faces


@dataclass(frozen=True)
class FaceOnPhoto:
    """Face in a photograph, with its name and verdict."""

    path: Path
    size: tuple[int, int]  # (h, w) of the photograph as shown
    box: tuple[float, float, float] | None  # left, top, size in pixels; None for the whole photo
    name: str | None  # the name according to the verdict or the user's answer
    verdict: str  # the kind of verdict, or “answered”
    probability: float | None

    @classmethod
    def of(cls, probe: Probe, decision: Decision, answered: Answer = NO_ANSWER) -> FaceOnPhoto:
        """Return the face of a probe. An answer from the user overrides the decision."""
        photo = probe.photo
        by_hand = bool(answered.said)
        name = answered.person if by_hand else decision.person
        if name in answered.never:
            name = None
        probability = None if by_hand else decision.probability
        return cls(
            photo.path,
            photo.photograph.unturned_size,
            probe.box,
            name,
            "answered" if by_hand else decision.kind,
            None if probability is None else round(probability, 4),
        )

    @classmethod
    def of_answer(cls, probe: Probe, person: str) -> FaceOnPhoto:
        """Return the face of a probe that the user has named."""
        size = probe.photo.photograph.unturned_size
        return cls(probe.photo.path, size, probe.box, person, "answered", None)

    @classmethod
    def of_gallery(cls, face: FacePhoto) -> FaceOnPhoto:
        """Return a face from a gallery.

        A name that was typed, or read from a folder or a list, is treated as an answer. If a
        photograph shows several faces, however, the choice of the face may be a guess.
        """
        guessed = face.placement.source == "guess" and not face.right
        size = face.photograph.unturned_size
        return cls(face.path, size, face.box, face.person, "guess" if guessed else "answered", None)

    @property
    def confirmed(self) -> bool:
        """Whether the user has named the face."""
        return self.verdict == "answered"

    @cached_property
    def area(self) -> Area:
        """The area of the face in the stored, unrotated photograph, clipped at the edges."""
        height, width = self.size
        left, top, size = self.box or (0.0, 0.0, 0.0)
        right, bottom = (left + size, top + size) if self.box else (float(width), float(height))
        (x0, x1), (y0, y1) = (
            tuple(min(max(at / whole, 0.0), 1.0) for at in (low, high))
            for low, high, whole in ((left, right, width), (top, bottom, height))
        )
        shown = (x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0
        return stored_area(shown, orientation(self.path))


def faces_on_photos(gallery: Gallery, probes: Sequence[Probe]) -> list[FaceOnPhoto]:
    """Return the face of each probe, named by the user's answer or else by the decision."""
    return [
        FaceOnPhoto.of(face.probe, face.verdict.decision, answer_to(gallery, face.probe))
        for face in recognise_probes(gallery, probes)
    ]


@dataclass(frozen=True)
class Outgoing:
    """Data to export from a project: faces with names, and favourite photographs."""

    faces: tuple[FaceOnPhoto, ...]
    favourites: frozenset[Path]

    def __bool__(self) -> bool:
        return bool(self.favourites) or any(face.name is not None for face in self.faces)


def outgoing(content: Content, photos: Collection[str] | None = None) -> Outgoing:
    """Return a project's named faces (in the gallery or with an answer) and its favourites.

    Faces that can no longer be found in their photograph, or that have no file, are left out. If
    ``photos`` is given, only these photographs (SHA-256) are considered.
    """
    wanted = None if photos is None else {*photos}
    gallery = content.gallery
    faces = [
        FaceOnPhoto.of_gallery(photo)
        for photo in gallery.index.photos
        if _is_wanted(photo, wanted) and photo.person is not None and not photo.lost
    ]
    for probe in content.probe_list.probes:
        person = answer_to(gallery, probe).person
        there = gallery.index.row_of_face(probe.photo) is not None
        if _is_wanted(probe.photo, wanted) and person is not None and not there:
            faces.append(FaceOnPhoto.of_answer(probe, person))
    liked = (file for file in content.files if file.favourite)
    favourites = (file.path for file in liked if wanted is None or file.sha in wanted)
    return Outgoing(tuple(faces), frozenset(favourites))


def _is_wanted(face: FacePhoto, photos: Collection[str] | None) -> bool:
    photograph = face.photograph
    return photograph.is_file and (photos is None or photograph.sha in photos)


def recognised(content: Content) -> Outgoing:
    """Return the faces to recognise, named by answers or decisions, with favourite photographs."""
    faces = tuple(faces_on_photos(content.gallery, content.probe_list.probes))
    shown = {face.path for face in faces}
    liked = (file.path for file in content.files if file.favourite)
    return Outgoing(faces, frozenset(path for path in liked if path in shown))


def write_faces(path: Path, faces: Sequence[FaceOnPhoto], *, as_json: bool = False) -> None:
    """Write faces to a file, as a table or a JSON list with the fields in `EXPORT_COLUMNS`."""
    rows = [
        (str(f.path), *(f.box or (None, None, None)), f.name, f.verdict, f.probability)
        for f in faces
    ]
    if as_json:  # bytes of a file name that are not UTF-8 are escaped as in JSON
        objects = [dict(zip(EXPORT_COLUMNS, row, strict=True)) for row in rows]
        text = json.dumps(objects, ensure_ascii=False, indent=2) + "\n"
        path.write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
        return
    write_table(
        path, EXPORT_COLUMNS, [["" if cell is None else cell for cell in row] for row in rows]
    )


# Sidecar files


_DECLARED = " ".join(f'xmlns:{name}="{space}"' for name, space in SPACES.items())
_NEW = f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Eigenfaces">
<rdf:RDF xmlns:rdf="{SPACES["rdf"]}">
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="w"?>
"""
_LIST_ENDS = re.compile(r"</[\w.-]+:Bag\s*>\s*</[\w.-]+:RegionList\s*>")
_RDF_ENDS = re.compile(r"</[\w.-]+:RDF\s*>")
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # XML 1.0, 2.2
_NOT_KNOWN = "Its regions are in an unknown format."


def sidecar_path(photo: Path) -> Path:
    """Return the path of a photograph's sidecar file, named as in digiKam and darktable."""
    usual, loud = (photo.with_name(f"{photo.name}.{ending}") for ending in ("xmp", "XMP"))
    return loud if is_there(loud) and not is_there(usual) else usual


def write_sidecars(
    faces: Sequence[FaceOnPhoto], favourites: Collection[Path] = (), tick: Tick = no_tick
) -> tuple[int, list[str]]:
    """Write names into the sidecar files of photographs, as regions in the MWG schema.

    Also write five stars (``xmp:Rating``) for ``favourites`` that have no rating yet.

    Source: Metadata Working Group, *Guidelines for handling image metadata* 2.0 (2010). An existing
    sidecar keeps its permissions and all its content, character for character. If another program
    has marked a face, no region is added there. Each region says whether its name is a guess or was
    confirmed by the user. A confirmed name replaces a region written by this program.

    Returns the number of files written, and a sentence for each name that was not written.
    """
    written = 0
    refused = list[str]()
    path_of = attrgetter("path")
    known = [replace(f, name=_NOT_XML.sub("", f.name).strip()) for f in faces if f.name]
    by_path: dict[Path, list[FaceOnPhoto]] = {path: [] for path in sorted({*favourites})}
    for path, some in itertools.groupby(sorted(known, key=path_of), path_of):
        by_path[path] = [*some]
    for done, (path, named) in enumerate(by_path.items()):
        tick(done, len(by_path))
        target = sidecar_path(path)
        try:
            if not is_there(path):
                raise EigenfacesError("Its photo is no longer there.")
            xmp, encoding, doubt = _read_sidecar(target)
            if doubt:
                raise EigenfacesError(doubt)
            after = with_regions(xmp, named) if named else xmp
            if path in favourites:
                after = with_rating(after)
            if after != xmp:
                _write_sidecar(target, after.encode(encoding, "xmlcharrefreplace"))
                written += 1
        except (EigenfacesError, OSError) as error:
            why = str(error) if isinstance(error, EigenfacesError) else "It cannot be read."
            refused.append(f"“{target}” was not changed. {why}")
            continue
        regions = _seen_to(after)
        for face in named:
            there = [region.name for region in regions if same_place(face.area, region.area)]
            if there and face.name not in there:
                other = f"“{there[0]}”" if there[0] else "a face without a name"
                refused.append(f"“{target}” keeps {other} where this project has {face.name}.")
    return written, refused


def _read_sidecar(target: Path) -> tuple[str, str, str]:
    """Return a sidecar file's text, its encoding, and any reason why it must not be changed."""
    if not is_there(target):
        return _NEW, "utf-8", ""
    return xmp_text(read_content(target, MOST_XMP))


def _write_sidecar(target: Path, content: bytes) -> None:
    """Write a sidecar file, replacing any existing one but keeping its permissions."""
    there = target.exists()
    if there and not (target.stat().st_mode & _WRITABLE and os.access(target, os.W_OK)):
        raise EigenfacesError("It is read-only.")
    with atomic_write(target) as part:
        if there:
            part.touch(mode=0o600)  # so that nobody else can read it in between
            shutil.copymode(target, part)
        part.write_bytes(content)


def _seen_to(xmp: str) -> list[XmpRegion]:
    """Return the regions of an XMP document that must not be marked again.

    These are all face regions, except those that a program has marked as unknown or ignored.
    """
    regions = read_xmp(xmp).regions
    return [region for region in regions if region.is_face and not is_nobody(region.name)]


def with_regions(xmp: str, faces: Sequence[FaceOnPhoto]) -> str:
    """Return an XMP document with regions for named faces, or raise an error if that is impossible.

    A confirmed name replaces a region written by this program. Nothing else is changed.
    """
    before = read_xmp(xmp)
    if before.unread:
        raise EigenfacesError(before.unread[0])
    there = _seen_to(xmp)
    new = list[FaceOnPhoto]()
    replaced = dict[XmpRegion, FaceOnPhoto]()
    for face in faces:
        on_it = [region for region in there if same_place(face.area, region.area)]
        if not on_it:
            new.append(face)
        elif (old := _outdated(on_it, face)) is not None:
            replaced.setdefault(old, face)
    content = xmp.encode()
    for region, face in sorted(replaced.items(), key=lambda pair: pair[0].place, reverse=True):
        start, end = region.place
        content = content[:start] + _as_region(face).strip().encode() + content[end:]
    changed = _with_more(content.decode(), new) if new else content.decode()
    after = read_xmp(changed)
    if after.unread or len(after.regions) != len(before.regions) + len(new):
        raise EigenfacesError(_NOT_KNOWN)
    return changed


def with_rating(xmp: str) -> str:
    """Return an XMP document with five stars added unless it already has a rating."""
    if rating_of(xmp) is not None:
        return xmp
    ends = [*_RDF_ENDS.finditer(xmp)]
    if not ends:
        raise EigenfacesError(_NOT_KNOWN)
    at = ends[-1].start()
    stars = (
        f'<rdf:Description rdf:about="" xmlns:rdf="{SPACES["rdf"]}" xmlns:xmp="{XMP_BASIC}" '
        f'xmp:Rating="{MOST_STARS}"/>\n'
    )
    return xmp[:at] + stars + xmp[at:]


def _outdated(there: Sequence[XmpRegion], face: FaceOnPhoto) -> XmpRegion | None:
    """Return the region written by this program that a confirmed name replaces, or None."""
    if not face.confirmed or any(region.mark is None for region in there):
        return None  # marks of other programs are kept
    named = [region for region in there if region.name == face.name]
    if any(region.mark == "confirmed" for region in named):
        return None
    return (named or there)[0]


def _with_more(xmp: str, new: Sequence[FaceOnPhoto]) -> str:
    regions = "".join(map(_as_region, new))
    if ends := [*_LIST_ENDS.finditer(xmp)]:
        at = ends[-1].start()
    elif "RegionList" in xmp or not (ends := [*_RDF_ENDS.finditer(xmp)]):
        raise EigenfacesError(_NOT_KNOWN)
    else:
        at = ends[-1].start()
        face = new[0]
        shown = face.size[1], face.size[0]
        width, height = upright_size(shown, orientation(face.path))
        regions = (
            f'<rdf:Description rdf:about="" {_DECLARED}>\n<mwg-rs:Regions rdf:parseType="Resource">'
            f'\n<mwg-rs:AppliedToDimensions stDim:w="{width}" stDim:h="{height}" '
            f'stDim:unit="pixel"/>\n<mwg-rs:RegionList>\n<rdf:Bag>\n{regions}</rdf:Bag>\n'
            "</mwg-rs:RegionList>\n</mwg-rs:Regions>\n</rdf:Description>\n"
        )
    return xmp[:at] + regions + xmp[at:]


def _as_region(face: FaceOnPhoto) -> str:
    """Return a face as an XMP list item with a region and this program's mark."""
    places = zip("xywh", face.area, strict=True)
    area = " ".join(f'stArea:{name}="{value:.6f}"' for name, value in places)
    name = quoteattr(face.name or "")
    mark = MARKS["confirmed" if face.confirmed else "guess"]
    described = "" if face.confirmed else quoteattr(f"{GUESSED}{face.name}")
    description = described and f" mwg-rs:Description={described}"
    return (
        f'<rdf:li {_DECLARED}>\n<rdf:Description mwg-rs:Name={name} mwg-rs:Type="Face"'
        f"{description} eigenfaces:{mark}={name}>\n"
        f'<mwg-rs:Area {area} stArea:unit="normalized"/>\n</rdf:Description>\n</rdf:li>\n'
    )


# One folder per person


@dataclass(frozen=True)
class Copies:
    """Result of copying photographs with `sort_into`."""

    made: int  # copies made, not counting copies that existed already
    nameless: int  # photographs in which nobody is named
    gone: tuple[Path, ...]  # named photographs that could not be read

    def words(self, folder: str) -> str:
        """Return sentences about the result, in which the target folder is called ``folder``."""
        said = [f"{count(self.made, 'copy', 'copies')} made in “{folder}”."]
        if self.nameless:
            said.append(f"{count(self.nameless)} without a name.")
        if len(self.gone) == 1:
            said.append(f"“{self.gone[0].name}” cannot be read any more, so it was not copied.")
        elif self.gone:
            some = f"{count(len(self.gone))}, such as “{self.gone[0].name}”,"
            said.append(f"{some} cannot be read any more, so they were not copied.")
        return " ".join(said)


def sort_into(folder: Path, faces: Sequence[FaceOnPhoto], tick: Tick = no_tick) -> Copies:
    """Copy photographs into a folder for each person named in them, without replacing any files.

    A photograph that is missing or cannot be read is left out. Raises `EigenfacesError` if a copy
    cannot be written.
    """
    homes = dict[str, Path]()
    taken = set[str]()
    named = dict.fromkeys((face.path, face.name) for face in faces if face.name is not None)
    for _, person in named:
        if person not in homes:
            names = numbered_names(safe_name(person))
            home = next(name for name in names if name.casefold() not in taken)
            taken.add(home.casefold())
            homes[person] = folder / home
    copies = 0
    gone = dict[Path, None]()
    try:
        for done, (path, name) in enumerate(named):
            tick(done, len(named))
            if not os.access(path, os.R_OK):
                gone[path] = None
                continue
            homes[name].mkdir(parents=True, exist_ok=True)
            places = (homes[name] / copy for copy in numbered_names(path.stem, path.suffix))
            target = next(  # an unused name, or a file with the same photograph
                p for p in places if not p.exists() or filecmp.cmp(path, p, shallow=False)
            )
            if not target.exists():
                with atomic_write(target) as part:
                    shutil.copy2(path, part)
                    part.chmod(part.stat().st_mode | stat.S_IWUSR)  # otherwise it cannot be moved
                copies += 1
    except OSError as error:
        raise EigenfacesError(f"“{folder}”: {reason_of(error)}.") from error
    nameless = {face.path for face in faces} - {path for path, _ in named}
    return Copies(copies, len(nameless), tuple(gone))


def numbered_names(name: str, suffix: str = "") -> Iterator[str]:
    """Yield a name, then endless numbered versions of it: “a.png”, “a (2).png”, “a (3).png”."""
    yield f"{name}{suffix}"
    yield from (f"{name} ({number}){suffix}" for number in itertools.count(2))


COMPONENT_COLUMNS = (
    "component",
    "file",
    "variance",
    "singular_value",
    "variance_ratio",
    "cumulative_ratio",
    "limit",
)
"""Columns of ``components.csv``. In the pictures, ``limit`` is white and −``limit`` is black."""


def grey_levels(image: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Convert grey values 0…1 to levels 0…255, clipping but not stretching the values."""
    return as_levels(np.clip(image, 0, 1))


def signed_levels(image: NDArray[np.float32]) -> tuple[NDArray[np.uint8], float]:
    """Map signed values from −limit…limit to grey levels 1…255, and also return the limit.

    >>> signed_levels(np.array([[-2.0, 0.0, 1.0]]))
    (array([[  1, 128, 192]], dtype=uint8), 2.0)
    """
    limit = float(np.abs(image).max(initial=0))
    scaled = image / limit if limit > 0 else image
    return (128 + np.rint(127 * scaled)).astype(np.uint8), limit


def save_grey(path: Path, image: NDArray[np.float32]) -> None:
    """Save a grey picture (h, w) with values in 0…1 as a PNG file."""
    with atomic_write(path) as part:
        Image.fromarray(grey_levels(image)).save(part, "PNG")


def export_components(space: FaceSpace, folder: Path, tick: Tick = no_tick) -> None:
    """Write the mean and the components as pictures, with a table, to a new or empty folder."""
    check_empty(folder)
    columns = space.variances, space.singular_values, space.variance_ratio, space.variance_kept
    with atomic_write(folder) as part:
        part.mkdir()
        Image.fromarray(grey_levels(space.mean.reshape(space.shape))).save(part / "mean.png")
        rows = []
        for i, component in enumerate(space.components):
            tick(i, len(space))
            name = f"component_{i + 1:03}.png"
            levels, limit = signed_levels(component.reshape(space.shape))
            Image.fromarray(levels).save(part / name)
            rows.append([i + 1, name, *(float(column[i]) for column in columns), limit])
        write_table(part / "components.csv", COMPONENT_COLUMNS, rows)
