"""What counts of marked faces: who is nobody, own guesses, and files that are hard to read."""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pillow_heif
import pytest
from astronaut import EYES, PICTURE, stored_as
from numpy.typing import NDArray
from PIL import Image, features
from test_regions import ELSEWHERE, HERS, document, is_near, item, rect64

from eigenfaces import Preparation, find_photos, load_faces
from eigenfaces.errors import no_tick
from eigenfaces.importing.scan import scan
from eigenfaces.photographs.find import FoundPhotos, Photo
from eigenfaces.photographs.regions import with_marked_faces
from eigenfaces.project.exports import FaceOnPhoto, write_sidecars

OPPOSITE = (0.2, 0.75, 0.2, 0.2)


def scanned(photo: Path) -> FoundPhotos:
    return with_marked_faces(find_photos(photo.parents[1]))


def marked(photo: Path) -> Photo:
    return next(one for one in scanned(photo).photos if one.path == photo)


def names(photo: Path) -> list[str | None]:
    return [region.person for region in marked(photo).regions]


def beside(photo: Path, content: str | bytes, name: str = "a.jpg.xmp") -> Path:
    path = photo.with_name(name)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def microsoft(*people: tuple[str, tuple[float, float, float, float]]) -> str:
    """Return regions in Microsoft's words: left, top, width and height, and a name."""
    items = ""
    for name, (x, y, w, h) in people:
        rectangle = f"{x - w / 2:.6f}, {y - h / 2:.6f}, {w}, {h}"
        items += (
            f'<rdf:li><rdf:Description MPReg:Rectangle="{rectangle}" '
            f'MPReg:PersonDisplayName="{name}"/></rdf:li>'
        )
    space = "http://ns.microsoft.com/photo/1.2/"
    return (
        f'<rdf:Description xmlns:MP="{space}" xmlns:MPRI="{space}t/RegionInfo#" '
        f'xmlns:MPReg="{space}t/Region#"><MP:RegionInfo><rdf:Description><MPRI:Regions><rdf:Bag>'
        f"{items}</rdf:Bag></MPRI:Regions></rdf:Description></MP:RegionInfo></rdf:Description>"
    )


def with_microsoft(xmp: str, *people: tuple[str, tuple[float, float, float, float]]) -> str:
    return xmp.replace("</rdf:RDF>", f"{microsoft(*people)}</rdf:RDF>")


# Nobody


SPELLINGS = [
    *(
        "Ignored",
        "Unknown",
        "Unconfirmed",
        "IGNORED",
        " unknown ",
        "Unknown person",
        "Ignored face",
    ),
    *("People/Ignored", "Ignoriert", "Unbekannt", "Inconnu"),
]


@pytest.mark.parametrize("name", SPELLINGS)
@pytest.mark.parametrize("words", ["mwg", "microsoft"])
def test_whom_a_program_calls_ignored_or_unknown_is_nobody(
    photo: Path, name: str, words: str
) -> None:
    """Beside a name, and alone: then the folder's name counts, and an ignored face is not hers."""
    places = ((name, HERS), ("Bob", ELSEWHERE))
    if words == "mwg":
        beside(photo, document(*(item(*place) for place in places)))
    else:
        beside(photo, with_microsoft(document(), *places))
    found = marked(photo)
    assert found.person == "Bob"
    ignored = "gnor" in name.lower()
    assert [region.person for region in found.regions] == (["Bob"] if ignored else ["Bob", None])
    beside(photo, document(item(name, ELSEWHERE), item("Unknown", OPPOSITE)))
    found = marked(photo)
    assert found.person == "Folder"
    assert found.marked_faces == (), "which of them is hers is not known"
    if ignored:
        beside(photo, document(item(name, ELSEWHERE)))
        assert marked(photo).marked_faces == ()


def test_a_name_that_only_resembles_such_a_word_is_a_name(photo: Path) -> None:
    beside(photo, document(item("Unknown Mortal Orchestra", HERS), item("Ignác", ELSEWHERE)))
    assert names(photo) == ["Unknown Mortal Orchestra", "Ignác"]


@pytest.mark.parametrize("name", ["Ignored", "Unknown", "unconfirmed"])
def test_it_hides_no_name(photo: Path, name: str) -> None:
    """In the photograph, in Microsoft's words, by Picasa, or where this program would write one."""
    PICTURE.save(photo, quality=95, xmp=document(item("Ada", HERS)).encode())
    beside(photo, document(item(name, HERS)))
    assert names(photo) == ["Ada"]
    PICTURE.save(photo, quality=95)
    beside(photo, with_microsoft(document(item(name, HERS)), ("Ada", HERS)))
    assert "Ada" in names(photo)
    assert marked(photo).person == "Ada"
    sidecar = beside(photo, document(item(name, HERS)))
    beside(photo, f"[Contacts2]\n8e62=Ada;;\n[a.jpg]\nfaces={rect64(HERS)},8e62\n", ".picasa.ini")
    assert names(photo) == ["Ada"]
    face = FaceOnPhoto(photo, (512, 512), EYES.box, "Zoë", "answered", None)
    assert write_sidecars([face]) == (1, [])
    assert name in sidecar.read_text("utf-8")
    assert names(photo)[-1] == "Zoë"


@pytest.mark.parametrize("kind", ["Focus", "Pet", "BarCode", "focus"])
def test_a_region_that_is_no_face_stands_in_nobodys_way(photo: Path, kind: str) -> None:
    beside(photo, document(item("Rex", HERS, kind)))
    assert marked(photo) == Photo(photo, "Folder")
    face = FaceOnPhoto(photo, (512, 512), EYES.box, "Zoë", "answered", None)
    assert write_sidecars([face]) == (1, [])
    assert names(photo) == ["Zoë"]
    faces = load_faces(scanned(photo), Preparation())
    assert faces.index.people == ("Zoë",)


def test_picasas_contact_of_nobody_has_no_name_though_one_is_written(photo: Path) -> None:
    nobody = "f" * 16
    beside(
        photo,
        f"[Contacts2]\n{nobody}=Ignored people;;\n8e62=Ada;;\n"
        f"[a.jpg]\nfaces={rect64(HERS)},{nobody};{rect64(ELSEWHERE)},8E62\n",
        ".picasa.ini",
    )
    assert names(photo) == ["Ada", None]


# Where they lie


FORMATS = ["JPEG", "PNG", "WEBP", "TIFF", "HEIF", "AVIF"]


@pytest.fixture(params=FORMATS)
def kind(request: pytest.FixtureRequest) -> str:
    if request.param == "AVIF" and not features.check("avif"):
        pytest.skip("Pillow was built without AVIF")
    return str(request.param)


SQUARE = (64.0, 96.0, 96.0)
"""What is marked on the upright picture: left, top and size, in pixels of 320 × 480."""


def lying(folder: Path, kind: str, orientation: int) -> tuple[Path, NDArray[np.uint8]]:
    """Write a photograph with a square that is marked; return it, and the picture as stored."""
    upright = np.full((480, 320), 40, np.uint8)
    upright[96:192, 64:160] = 220
    stored, exif = stored_as(Image.fromarray(upright), orientation)
    photo = folder / "Folder" / "a.picture"
    photo.parent.mkdir()
    if kind == "HEIF":
        pillow_heif.from_pillow(stored).save(photo, quality=95, exif=exif.tobytes())
    else:
        stored.save(photo, kind, exif=exif)
    return photo, np.asarray(stored)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_marked_faces_lie_on_the_faces_in_every_orientation_and_format(
    tmp_path: Path, kind: str, orientation: int
) -> None:
    """By XMP of the stored picture, by XMP of the upright one, and by Picasa.

    Of HEIF programs show the upright picture alone, so what is mirrored there is not known.
    """
    photo, stored = lying(tmp_path, kind, orientation)
    rows, columns = np.nonzero(stored > 128)
    height, width = stored.shape
    middle = (columns.mean() + 0.5) / width, (rows.mean() + 0.5) / height
    of_stored = (*middle, 96 / width, 96 / height)
    of_upright = (112 / 320, 144 / 480, 96 / 320, 96 / 480)
    if kind != "HEIF" or orientation > 4:
        beside(photo, document(item("Ada", of_stored), size=(width, height)), "a.picture.xmp")
        assert is_near(marked(photo).regions[0].box, SQUARE)
    if kind == "HEIF" or orientation > 4:
        beside(photo, document(item("Ada", of_upright), size=(320, 480)), "a.picture.xmp")
        assert is_near(marked(photo).regions[0].box, SQUARE)
    photo.with_name("a.picture.xmp").unlink()
    beside(photo, f"[a.picture]\nfaces={rect64(of_upright)},1\n", ".picasa.ini")
    assert is_near(marked(photo).regions[0].box, SQUARE)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_what_is_confirmed_comes_back_where_it_was(
    tmp_path: Path, kind: str, orientation: int
) -> None:
    photo, _ = lying(tmp_path, kind, orientation)
    assert write_sidecars([FaceOnPhoto(photo, (480, 320), SQUARE, "Zoë", "answered", None)]) == (
        1,
        [],
    )
    (region,) = marked(photo).marked_faces
    assert region.person == "Zoë"
    assert is_near(region.box, SQUARE)


# Own guesses


def rewritten(xmp: str, as_elements: bool) -> str:
    """Return a document as another program writes it anew, keeping what it does not know."""
    xmp = re.sub(r"(xmlns:|\b)eigenfaces(?==|:Guess|:Confirmed)", r"\1ns1", xmp)
    if as_elements:
        xmp = re.sub(
            r'(mwg-rs:Name=\S+) (mwg-rs:Type=\S+) ns1:(\w+)="(.*?)">',
            r"\1 \2><ns1:\3>\4</ns1:\3>",
            xmp,
        )
    return ElementTree.tostring(ElementTree.fromstring(xmp.lstrip("\ufeff")), "unicode")


GUESS = FaceOnPhoto(Path(), (512, 512), EYES.box, "Zoë", "sure", 0.999)
OTHERS = {
    "none": None,
    "a rating": document().replace("<rdf:Bag></rdf:Bag>", "<rdf:Bag>\n</rdf:Bag>"),
    "another face": document(item("Bob", ELSEWHERE)),
    "elements": document(item("Bob", ELSEWHERE, nested=True)),
}


@pytest.mark.parametrize("verdict", ["sure", "likely", "answered"])
@pytest.mark.parametrize("there", OTHERS)
@pytest.mark.parametrize("again", ["not", "attributes", "elements"])
def test_a_guess_never_comes_back_as_a_fact_and_what_was_confirmed_does(
    photo: Path, verdict: str, there: str, again: str
) -> None:
    """Whoever's sidecar it is written into, and after another program has written that anew."""
    sidecar = photo.with_name("a.jpg.xmp")
    if (other := OTHERS[there]) is not None:
        sidecar.write_text(other, "utf-8")
    before = marked(photo)
    assert write_sidecars([replace(GUESS, path=photo, verdict=verdict)]) == (1, [])
    text = sidecar.read_text("utf-8")
    assert 'mwg-rs:Name="Zoë"' in text, "other programs see it"
    if again != "not":
        sidecar.write_text(rewritten(text, again == "elements"), "utf-8")
    if verdict == "answered":
        assert [*names(photo)][-1] == "Zoë"
        assert is_near(marked(photo).regions[-1].box)
        assert {r.person for r in before.regions} | {"Zoë"} == set(names(photo))
    else:
        assert marked(photo) == before, "as if nothing had been written"


def test_a_name_that_somebody_has_put_in_place_of_a_guess_is_a_fact(photo: Path) -> None:
    write_sidecars([replace(GUESS, path=photo)])
    sidecar = photo.with_name("a.jpg.xmp")
    text = sidecar.read_text("utf-8")
    sidecar.write_text(text.replace('mwg-rs:Name="Zoë"', 'mwg-rs:Name="Ada"'), "utf-8")
    assert names(photo) == ["Ada"]


def test_a_guess_that_is_confirmed_later_becomes_a_fact_and_nothing_else_changes(
    photo: Path,
) -> None:
    sidecar = beside(photo, document(item("Bob", ELSEWHERE)))
    write_sidecars([replace(GUESS, path=photo)])
    before = sidecar.read_text("utf-8")
    confirmed = replace(GUESS, path=photo, verdict="answered")
    assert [write_sidecars([confirmed]) for _ in range(2)] == [(1, []), (0, [])]
    assert names(photo) == ["Bob", "Zoë"]
    after = sidecar.read_text("utf-8")
    guess = ' mwg-rs:Description="Guess of Eigenfaces: Zoë" eigenfaces:Guess='
    assert after == before.replace(guess, " eigenfaces:Confirmed=")
    assert write_sidecars([replace(confirmed, name="Ada")]) == (1, []), "what was said last"
    assert names(photo) == ["Bob", "Ada"]
    _, (refused,) = write_sidecars([replace(GUESS, path=photo)])
    assert "“Ada” where this project has Zoë." in refused


def test_a_name_that_was_confirmed_here_hides_none_that_is_elsewhere(photo: Path) -> None:
    PICTURE.save(photo, quality=95, xmp=document(item("Bob", ELSEWHERE)).encode())
    write_sidecars([replace(GUESS, path=photo, verdict="answered")])
    assert names(photo) == ["Bob", "Zoë"]
    PICTURE.save(photo, quality=95, xmp=document(item("Bob", HERS)).encode())
    assert names(photo) == ["Zoë"], "one face, and what was said here"


# Files that are hard to read


TWO = (item("Ada", HERS), item("Bob", ELSEWHERE))


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("bad", ["?", "nan", "", "1e999"])
def test_a_place_that_is_no_number_drops_no_other_name(photo: Path, bad: str, nested: bool) -> None:
    damaged = item("Cy", OPPOSITE, nested=nested).replace("0.75", bad)
    beside(photo, document(TWO[0], damaged, TWO[1]))
    found = scanned(photo)
    assert [region.person for region in found.photos[0].regions] == ["Ada", "Bob"]
    assert "“a.jpg.xmp”: Some faces have an invalid position" in found.note
    beside(photo, document(*TWO, size=(512, 512)).replace('stDim:w="512"', 'stDim:w="x"'))
    assert names(photo) == ["Ada", "Bob"]


DAMAGE = {
    "cut": lambda xmp: xmp[: xmp.index("</rdf:Bag>")],
    "cut in the third": lambda xmp: xmp.replace("</rdf:Bag>", "<rdf:li><rdf:Description mwg-r"),
    "ampersand": lambda xmp: xmp.replace("Ada", "Ada & Co"),
    "control character": lambda xmp: xmp.replace("Bob", "B\x07ob"),
    "behind it": lambda xmp: f"{xmp}<more>",
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_of_a_damaged_sidecar_what_can_be_read_is_read(photo: Path, kind: str) -> None:
    damaged = DAMAGE[kind](document(*TWO))
    beside(photo, damaged)
    found = scanned(photo)
    people = [region.person for region in found.photos[0].regions]
    assert people == ["Ada & Co" if kind == "ampersand" else "Ada", "Bob"]
    assert "“a.jpg.xmp”: It is damaged" in found.note
    written, (refused,) = write_sidecars([replace(GUESS, path=photo)])
    assert (written, photo.with_name("a.jpg.xmp").read_text("utf-8")) == (0, damaged)
    assert "was not changed. It is damaged" in refused


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"])
@pytest.mark.parametrize("stated", [True, False])
def test_sidecars_in_any_encoding(photo: Path, encoding: str, stated: bool) -> None:
    name = {"utf-8-sig": "UTF-8", "latin-1": "ISO-8859-1"}.get(encoding, "UTF-16")
    lead = f'<?xml version="1.0" encoding="{name}"?>' if stated else ""
    before = (lead + document(item("Zoë Müller", HERS))).encode(encoding)
    sidecar = beside(photo, before)
    found = scanned(photo)
    assert found.photos[0].person == "Zoë Müller"
    guessed = encoding == "latin-1" and not stated
    assert ("not in UTF-8" in found.note) == guessed
    bob = replace(GUESS, path=photo, box=(358.0, 333.0, 102.0), name="Bób", verdict="answered")
    written, refused = write_sidecars([bob])
    assert (written, len(refused)) == ((0, 1) if guessed else (1, 0))
    assert names(photo) == ["Zoë Müller"] if guessed else ["Zoë Müller", "Bób"]
    after = sidecar.read_bytes()
    end = before.index("</rdf:Bag>".encode(encoding.removesuffix("-sig"))[-18:])
    assert after[: end - 2] == before[: end - 2]


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize("hide", ["UTF-16 behind a blank", "zeros", "control characters"])
def test_no_way_of_writing_hides_a_document_type(photo: Path, hide: str) -> None:
    """Not what is dropped, or decoded otherwise, where a damaged document is mended."""
    text = BOMB + document(item("&b;", HERS))
    if hide == "UTF-16 behind a blank":
        content = f" {text}".encode("utf-16-le")
    elif hide == "zeros":
        content = text.replace("<!", "<\0!").encode() + b"&"
    else:
        content = text.replace("<!", "<\x01!").encode() + b"&"
    beside(photo, content)
    found = scanned(photo)
    assert found.photos[0] == Photo(photo, "Folder")
    assert "“a.jpg.xmp”: It is " in found.note


@pytest.mark.skipif(os.name != "posix", reason="needs pipes")
def test_a_sidecar_that_is_a_pipe_is_not_opened(photo: Path) -> None:
    os.mkfifo(photo.with_name("a.jpg.xmp"))
    assert scanned(photo).photos == (Photo(photo, "Folder"),)
    written, (refused,) = write_sidecars([replace(GUESS, path=photo)])
    assert (written, "a pipe" in refused) == (0, True)


def test_a_cut_name_is_no_name(photo: Path) -> None:
    """Of a file in UTF-8 some bytes are damaged: it is not in Latin-1 for that."""
    content = document(item("Zoë", HERS), item("Müller", ELSEWHERE)).encode()
    beside(photo, content.replace("ë".encode(), b"\xc3"))
    assert names(photo) == ["Müller"]
    cut = document(item("Zoë", HERS)).encode() + "<!-- ë".encode()[:-1]
    beside(photo, cut)
    assert names(photo) == ["Zoë"]


@pytest.mark.parametrize("name", ["a.jpg.XMP", "a.XMP", "A.JPG.xmp", "A.xmp", "a.Xmp"])
def test_names_of_sidecars_in_any_case(photo: Path, name: str) -> None:
    sidecar = beside(photo, document(*TWO), name)
    assert names(photo) == ["Ada", "Bob"]
    if name == "a.jpg.XMP":
        write_sidecars([replace(GUESS, path=photo, box=(50.0, 333.0, 102.0))])
        assert "Zoë" in sidecar.read_text("utf-8"), "no second one is made"
    PICTURE.save(photo.with_name("A.JPG"))
    others = {p.path.name: p.person for p in scanned(photo).photos}
    if not name.startswith("a") and (photo.parent / "A.JPG").exists() and len(others) == 2:
        assert others == {"a.jpg": "Folder", "A.JPG": "Ada"}, "it is that one's"


@pytest.mark.parametrize(("stated", "owner"), [("JPG", "a.jpg"), ("png", "a.png"), ("CR2", "")])
@pytest.mark.parametrize("as_element", [False, True])
def test_a_sidecar_for_an_extension_belongs_to_that_file_alone(
    photo: Path, stated: str, owner: str, as_element: bool
) -> None:
    PICTURE.save(photo.with_name("a.png"))
    space = 'xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"'
    word = f'photoshop:SidecarForExtension="{stated}"'
    xmp = document(*TWO)
    if as_element:
        element = f"<photoshop:SidecarForExtension>{stated}</photoshop:SidecarForExtension>"
        inside = f"<rdf:Description {space}>{element}</rdf:Description>"
        beside(photo, xmp.replace("</rdf:RDF>", f"{inside}</rdf:RDF>"), "a.xmp")
    else:
        beside(
            photo, xmp.replace("<rdf:Description>", f"<rdf:Description {space} {word}>", 1), "a.xmp"
        )
    people = {one.path.name: one.person for one in scanned(photo).photos}
    assert people == {name: "Ada" if name == owner else "Folder" for name in ("a.jpg", "a.png")}


def test_faces_in_microsofts_words(photo: Path) -> None:
    """Often they are the same faces once more."""
    people = ("Ada", HERS), ("Bob", ELSEWHERE)
    beside(photo, with_microsoft(document(), *people))
    found = marked(photo)
    assert [region.person for region in found.regions] == ["Ada", "Bob"]
    assert is_near(found.regions[0].box)
    beside(photo, with_microsoft(document(*TWO), *people))
    assert names(photo) == ["Ada", "Bob"]
    bad = with_microsoft(document(), *people).replace("0.650000", "?")
    beside(photo, bad)
    assert names(photo) == ["Ada"]
    beside(photo, with_microsoft(document(item(None, HERS)), ("Ada", HERS)))
    assert marked(photo).person == "Ada"


def test_picasa_may_write_names_of_files_otherwise(photo: Path) -> None:
    ini = f"[contacts2]\n8e62=Zoë;;\n[A.JPG]\nfaces={rect64(HERS)},8e62;rect64(zz),8e62\n"
    beside(photo, ini.encode("latin-1"), ".Picasa.ini")
    found = scanned(photo)
    assert found.photos[0].person == "Zoë"
    assert "not in UTF-8" in found.note
    assert "The positions of some faces cannot be read" in found.note
    PICTURE.save(photo.with_name("A.JPG"))
    people = {one.path.name: one.person for one in scanned(photo).photos}
    if len(people) == 2:  # on this system they are two files
        assert people == {"a.jpg": "Folder", "A.JPG": "Zoë"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"no XML", "It is not an XMP file"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "declares a document type"),
        (document(*TWO, size=(512, 100)).encode(), "a picture with other proportions"),
        (bytes(5_000_000), "too large"),
    ],
)
def test_what_is_not_read_is_said_once(photo: Path, content: bytes, said: str) -> None:
    PICTURE.save(photo.with_name("b.jpg"))
    for name in ("a.jpg.xmp", "b.jpg.xmp"):
        beside(photo, content, name)
    found = scanned(photo)
    assert [one.person for one in found.photos] == ["Folder", "Folder"]
    assert "“a.jpg.xmp”, “b.jpg.xmp”: " in found.note
    assert found.note.count(said) == 1


def test_a_sidecar_keeps_its_permissions_and_one_that_is_read_only_stays(photo: Path) -> None:
    sidecar = beside(photo, document(item("Bob", ELSEWHERE)))
    for mode in (0o600, 0o640):
        sidecar.chmod(mode)
        face = replace(GUESS, path=photo, name=f"Zoë {mode}")
        sidecar.write_text(document(item("Bob", ELSEWHERE)), "utf-8")
        assert write_sidecars([face]) == (1, [])
        assert stat.S_IMODE(sidecar.stat().st_mode) == mode
    sidecar.chmod(0o444)
    before = sidecar.read_bytes()
    written, (refused,) = write_sidecars([replace(GUESS, path=photo, box=(50.0, 333.0, 102.0))])
    assert (written, sidecar.read_bytes()) == (0, before)
    assert "was not changed. It is read-only." in refused


@pytest.mark.parametrize("suffix", ["jpg", "tif", "webp"])
def test_a_scan_opens_each_photograph_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    small = PICTURE.resize((92, 112))
    opened = Counter[str]()
    for number in range(3):
        small.save(tmp_path / f"{number}.{suffix}")
        face = FaceOnPhoto(
            tmp_path / f"{number}.{suffix}", (112, 92), None, "Ada", "answered", None
        )
        write_sidecars([face])
    plain = Image.open

    def counting(file: Path) -> Image.Image:
        opened[Path(file).name] += 1
        return plain(file)

    monkeypatch.setattr(Image, "open", counting)
    result = scan(tmp_path, no_tick)
    assert {file: times for file, times in opened.items() if ".xmp" not in file} == {
        f"{number}.{suffix}": 1 for number in range(3)
    }
    assert [photo.person for photo in result.found.photos] == ["Ada"] * 3
    assert result.suggested == Preparation(112, 92, already_cropped=True)
