"""Faces that digiKam, Lightroom or Picasa have marked: their boxes, their names, and bad files."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from astronaut import EYES, PICTURE, off, stored_as
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from eigenfaces import FaceSet, Preparation, find_photos, load_faces
from eigenfaces.errors import EigenfacesError, no_tick
from eigenfaces.importing.correct import read_for_review
from eigenfaces.importing.review import Review
from eigenfaces.importing.scan import scan
from eigenfaces.photographs.find import FoundPhotos, Photo, Region, named_by_pattern
from eigenfaces.photographs.placement import Box
from eigenfaces.photographs.regions import with_marked_faces
from eigenfaces.photographs.xmp import MOST_XMP, SPACES, read_xmp
from eigenfaces.project.exports import FaceOnPhoto, with_regions

DECLARED = " ".join(f'xmlns:{name}="{space}"' for name, space in SPACES.items())
LEFT, TOP, SIZE = EYES.box
HERS = ((LEFT + SIZE / 2) / 512, (TOP + SIZE / 2) / 512, SIZE / 512, SIZE / 512)
ELSEWHERE = (0.8, 0.75, 0.2, 0.2)


def item(
    name: str | None, area: tuple[float, ...], kind: str = "Face", *, nested: bool = False
) -> str:
    """Return a region as digiKam writes it (attributes), or as Lightroom does (elements)."""
    places = list(zip("xywh", area, strict=True))
    if nested:
        inside = "".join(f"<stArea:{key}>{value}</stArea:{key}>" for key, value in places)
        named = "" if name is None else f"<mwg-rs:Name>{name}</mwg-rs:Name>"
        inside = f"<mwg-rs:Area>{inside}</mwg-rs:Area>{named}<mwg-rs:Type>{kind}</mwg-rs:Type>"
        return f'<rdf:li rdf:parseType="Resource">{inside}</rdf:li>'
    attributes = " ".join(f'stArea:{key}="{value}"' for key, value in places)
    named = "" if name is None else f'mwg-rs:Name="{name}"'
    return (
        f'<rdf:li><rdf:Description {named} mwg-rs:Type="{kind}">'
        f'<mwg-rs:Area {attributes} stArea:unit="normalized"/></rdf:Description></rdf:li>'
    )


def document(*items: str, size: tuple[int, int] = (512, 512)) -> str:
    return (
        f'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF {DECLARED}><rdf:Description><mwg-rs:Regions>'
        f'<mwg-rs:AppliedToDimensions stDim:w="{size[0]}" stDim:h="{size[1]}"/>'
        f"<mwg-rs:RegionList><rdf:Bag>{''.join(items)}</rdf:Bag></mwg-rs:RegionList>"
        "</mwg-rs:Regions></rdf:Description></rdf:RDF></x:xmpmeta>"
    )


def rect64(area: tuple[float, ...]) -> str:
    x, y, w, h = area
    edges = (x - w / 2, y - h / 2, x + w / 2, y + h / 2)
    return f"rect64({''.join(f'{round(edge * 65535):04x}' for edge in edges).lstrip('0')})"


def marked(folder: Path) -> Photo:
    (photo,) = with_marked_faces(find_photos(folder)).photos
    return photo


def is_near(box: Box, expected: Box = EYES.box) -> bool:
    return bool(np.abs(np.subtract(box, expected)).max() < 2)


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("place", ["inside", "a.jpg.xmp", "a.xmp", ".picasa.ini"])
def test_boxes_and_names_of_each_program(photo: Path, place: str, nested: bool) -> None:
    """Those with a name come first, and a name wins over that of the folder."""
    items = (
        item(None, ELSEWHERE, nested=nested),
        item("Eileen &amp; Co", HERS, nested=nested),
        item("Rex", ELSEWHERE, "Pet", nested=nested),
    )
    if place == "inside":
        PICTURE.save(photo, quality=95, xmp=document(*items).encode())
    elif place == ".picasa.ini":
        faces = f"faces={rect64(ELSEWHERE)},ffffffffffffffff;{rect64(HERS)},8E62"
        text = f"[Contacts2]\n8e62=Eileen & Co;;\n[a.jpg]\n{faces}\nstar\n[b.jpg]\nx=y\n"
        photo.with_name(place).write_text(text, "utf-8")
    else:
        photo.with_name(place).write_text(document(*items), "utf-8")
    found = with_marked_faces(find_photos(photo.parents[1]))
    assert "Another program has marked faces in 1 photo" in found.marked_words
    hers, other = found.photos[0].marked_faces
    names = [found.photos[0].person, hers.person, other.person]
    assert names == ["Eileen & Co", "Eileen & Co", None]
    assert is_near(hers.box)
    assert is_near(other.box, (0.7 * 512, 0.65 * 512, 0.2 * 512))


@pytest.mark.parametrize(
    ("orientation", "stored"),
    # Before 5, the stored picture and the upright one have the same dimensions.
    [*((turn, True) for turn in range(1, 9)), *((turn, False) for turn in range(5, 9))],
)
def test_photographs_that_lie_on_their_side(photo: Path, orientation: int, stored: bool) -> None:
    """Places are of the picture as it is stored, unless its dimensions are of the upright one."""
    upright = np.zeros((400, 300), np.uint8)
    upright[60:140, 40:120] = 255  # what is marked: a square
    lying, exif = stored_as(Image.fromarray(upright), orientation)
    lying.save(photo, exif=exif)
    frame = np.asarray(lying) if stored else upright
    rows, columns = np.nonzero(frame > 128)
    height, width = frame.shape
    area = (columns.mean() / width, rows.mean() / height, 80 / width, 80 / height)
    xmp = document(item("Ada", area), size=(width, height))
    photo.with_name("a.jpg.xmp").write_text(xmp, "utf-8")
    assert is_near(marked(photo.parents[1]).regions[0].box, (40, 60, 80))
    xmp = document(item("Ada", area), size=(width, 2 * height))
    photo.with_name("a.jpg.xmp").write_text(xmp, "utf-8")
    assert marked(photo.parents[1]).regions == (), "of a picture that was cut since"


@pytest.mark.parametrize("nested", [False, True])
def test_a_face_that_another_program_has_marked_is_not_marked_again(
    photo: Path, nested: bool
) -> None:
    xmp = document(item("Ada", HERS, nested=nested))
    face = FaceOnPhoto(photo, (512, 512), EYES.box, "Ada", "sure", None)
    assert with_regions(xmp, [face]) == xmp
    with pytest.raises(EigenfacesError, match="an invalid position"):
        with_regions(xmp.replace(str(HERS[0]), "?"), [face])


def test_which_regions_are_the_faces() -> None:
    """Where nobody is named on several, which one is Ada is not known: they are searched."""
    for person, names, used in (
        (None, ["Ada", "Bob"], 2),
        ("Ada", ["Ada", None], 2),
        (None, [None, None], 2),
        ("Ada", [None], 1),
        ("Ada", [None, None], 0),
    ):
        photo = Photo(Path("a"), person, regions=tuple(Region((0, 0, 9), name) for name in names))
        assert len(photo.marked_faces) == used
        assert bool(FoundPhotos((photo,)).marked_words) == bool(used)
        assert replace(photo, turned=1).marked_faces == ()


def test_an_import_and_its_review_take_every_face_that_is_marked(photo: Path) -> None:
    """A region without a name is a face to be named; spellings are those of the folders."""
    (photo.parent / "b.jpg").write_bytes(b"no picture")
    again = (HERS[0] + 0.003, *HERS[1:])
    places = (HERS, ELSEWHERE, again, (0.5, 0.5, 0.1, 0.1), (2.0, 0.5, 0.1, 0.1), again)
    names = ("FOLDER", None, "Folder", "Bob", "Nobody there", None)
    items = [item(name, area) for name, area in zip(names, places, strict=True)]
    photo.with_name("a.jpg.xmp").write_text(document(*items), "utf-8")
    found = scan(photo.parents[1], no_tick).found
    faces = load_faces(found, Preparation(), guess=True, every=True)
    assert [face.person for face in faces.index.photos] == ["Folder", "Bob", None]
    assert {face.placement.source for face in faces.index.photos} == {"from a file"}
    assert len({face.id for face in faces.index.photos}) == 3
    hers = faces.index.photos[0].placement.eyes
    assert hers is not None
    assert off(hers) < 0.08  # aligned in the box
    review = Review(found, FaceSet.empty((112, 92)), Preparation())
    for task in review.tasks():
        review.add_reading(read_for_review(task, review.preparation, review.enrolled))
    entries = review.entries(found)
    assert entries[0].status == ("ok", "A file gives the position of the face.")
    plan = review.plan(entries)
    reviewed = load_faces(plan.found, Preparation(), already=plan.readings)
    assert reviewed.index.photos == faces.index.photos
    again = load_faces(plan.found, Preparation(), already=plan.readings, known=faces)
    assert len(faces.join(again)) == 3
    named = named_by_pattern(
        FoundPhotos((Photo(photo, regions=found.photos[0].regions),)), "{person}.*"
    )
    assert load_faces(named, Preparation()).index.people == ("a", "Bob")


NO_ROOM = (2.0, 0.5, 0.1, 0.1), (0.0, 0.0, 0.3, 0.3), (0.5, 0.5, 0.001, 0.001)
"""Outside the picture, in its corner, as small as a dot: there is no room for eyes."""

BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    "xmp",
    [
        BOMB + document(item("&b;", HERS)),
        document(item("Ada", HERS)).replace("<rdf:Bag>", "<!ENTITY c 'd'><rdf:Bag>"),
        document(item("Ada", (float("nan"), 0.5, 0.1, 0.1), nested=True)),
        document(item("Ada", HERS)).replace('stArea:x="', 'stArea:x="?'),
        *(document(item("Ada", area)) for area in NO_ROOM),
        document(item("Ada", HERS)).replace("512", "0"),
        document(item("Ada", HERS), " " * MOST_XMP),
        "<a>" * 5000 + "</a>" * 5000,
        "no XML",
        "",
    ],
    ids=range(12),
)
def test_hostile_and_damaged_documents_mark_nothing(photo: Path, xmp: str) -> None:
    sidecar = photo.with_name("a.jpg.xmp")
    for encoding in ("utf-8", "utf-16"):  # which hides a document type from who looks for bytes
        sidecar.write_bytes(xmp.encode(encoding))
        assert marked(photo.parents[1]) == Photo(photo, "Folder")
    sidecar.unlink()
    if len(xmp) < 60_000:  # as much as JPEG has room for
        PICTURE.save(photo, xmp=xmp.encode())
        assert marked(photo.parents[1]).regions == ()


@pytest.mark.parametrize(
    "ini",
    [
        "faces=rect64(1),a",
        "[a.jpg]\nfaces=rect64(),a;rect64(zz),b;rect64(ffff0000ffff0000),c",
        "[a.jpg]\nrotate=rotate(1)\nfaces=rect64(3f845bcb59418507),8e62",
        "\0" * 99,
    ],
)
def test_damaged_files_of_picasa_mark_nothing(photo: Path, ini: str) -> None:
    photo.with_name(".picasa.ini").write_text(ini, "utf-8")
    assert marked(photo.parents[1]) == Photo(photo, "Folder")


@pytest.mark.usefixtures("no_waiting")
def test_nesting_takes_neither_long_nor_too_deep() -> None:
    history = f"<rdf:Seq>{'<rdf:li>an edit</rdf:li>' * 2000}</rdf:Seq>"
    xmp = document(item("Ada", HERS))
    xmp = xmp.replace("<mwg-rs:Regions>", f"{history}<mwg-rs:Regions>")
    assert [region.name for region in read_xmp(xmp).regions] == ["Ada"], "behind its history"
    deep = 290_000
    xmp = f"<x xmlns:r='{SPACES['rdf']}'>{'<r:li>' * deep}{'</r:li>' * deep}</x>"
    assert len(xmp) < MOST_XMP
    assert read_xmp(xmp).regions == ()


@given(st.binary(max_size=200), st.integers(0, 2000), st.integers(0, 60))
def test_any_damage_is_regions_or_a_sentence(junk: bytes, at: int, cut: int) -> None:
    xmp = document(item("Ada", HERS), item(None, ELSEWHERE, nested=True)).encode()
    damaged = (xmp[:at] + junk + xmp[at + cut :]).decode("utf-8", "replace")
    try:
        regions, reason = read_xmp(damaged).regions, "."
    except EigenfacesError as error:
        regions, reason = (), str(error)
    assert len(regions) <= 2
    assert reason.endswith(".")
