"""Tables, sidecar files and copies: what is written for other programs."""

import csv
import json
import stat
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

from eigenfaces import EigenfacesError
from eigenfaces.errors import Cancelled
from eigenfaces.project.exports import (
    EXPORT_COLUMNS,
    Copies,
    FaceOnPhoto,
    sidecar_path,
    sort_into,
    write_faces,
    write_sidecars,
)

NAME = "{http://www.metadataworkinggroup.com/schemas/regions/}Name"


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "group.png"
    Image.new("RGB", (200, 100), "grey").save(path)
    return path


def face(path: Path, name: str | None, left: float = 20.0) -> FaceOnPhoto:
    return FaceOnPhoto(path, (100, 200), (left, 10.0, 40.0), name, "sure", 0.995)


def names_in(path: Path) -> list[str]:
    root = ElementTree.fromstring(path.read_text("utf-8"))
    return [name for part in root.iter() if (name := part.get(NAME)) is not None]


def test_a_sidecar_keeps_all_it_holds(photo: Path) -> None:
    content = photo.read_bytes()
    faces = [face(photo, "Zoë & “Li” <3"), face(photo, None, 90.0), face(photo, "Bob", 150.0)]
    assert write_sidecars(faces[:2]) == (1, [])
    target = sidecar_path(photo)
    assert names_in(target) == ["Zoë & “Li” <3"]
    extra = "<!-- mine --><q:note xmlns:q='urn:q' q:a='1'>kept</q:note>"
    before = target.read_text("utf-8").replace("</rdf:RDF>", f"{extra}</rdf:RDF>")
    target.write_text(before, "utf-8")
    assert write_sidecars(faces) == (1, [])
    after = target.read_text("utf-8")
    start = next(at for at, (one, two) in enumerate(zip(before, after, strict=False)) if one != two)
    assert after.endswith(before[start:])
    assert names_in(target) == ["Zoë & “Li” <3", "Bob"]
    written, (other,) = write_sidecars([replace(faces[0], name="Ada"), faces[2]])
    assert (written, target.read_text("utf-8")) == (0, after)
    assert "keeps “Zoë & “Li” <3” where this project has Ada." in other
    assert photo.read_bytes() == content


@pytest.mark.parametrize(
    "there",
    [
        b"no XML",
        b"<a/>",
        b"\xff\xfe",
        b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
        b"<r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><RegionList/></r:RDF>",
    ],
)
def test_what_is_no_sidecar_is_left_as_it_is(there: bytes, photo: Path) -> None:
    sidecar_path(photo).write_bytes(there)
    written, (refused,) = write_sidecars([face(photo, "Ada")])
    assert written == 0
    assert "was not changed. It" in refused
    assert sidecar_path(photo).read_bytes() == there


@pytest.mark.parametrize("name", ["علی\u200cرضا", "A\nb", "A\x01da\ufffe"])
def test_a_name_is_written_as_it_is_but_for_what_xml_cannot_hold(name: str, photo: Path) -> None:
    assert [write_sidecars([face(photo, name)]) for _ in range(2)] == [(1, []), (0, [])]
    assert names_in(sidecar_path(photo)) == [name.replace("\x01", "").replace("\ufffe", "")]


def test_each_name_that_is_not_written_is_told_of_and_no_other(photo: Path) -> None:
    near = [face(photo, "Ada"), face(photo, "Bob", 30.0)]  # the middle of each lies in the other
    assert [write_sidecars(near) for _ in range(2)] == [(1, []), (0, [])]
    nameless = sidecar_path(photo).read_text("utf-8").replace('mwg-rs:Name="Ada" ', "")
    sidecar_path(photo).write_text(nameless, "utf-8")
    gone = photo.with_name("gone.png")
    written, refused = write_sidecars([near[0], face(gone, "Zoë")])
    assert (written, sidecar_path(gone).exists()) == (0, False)
    assert "no longer there" in refused[0]
    assert "without a name where this project has Ada" in refused[1]


def test_copies_go_into_a_folder_a_person_and_replace_nothing(photo: Path, tmp_path: Path) -> None:
    folder, other, alone = tmp_path / "sorted", tmp_path / "b.png", tmp_path / "alone.png"
    for path, colour in ((other, "red"), (alone, "grey")):
        Image.new("RGB", (200, 100), colour).save(path)
    photo.chmod(0o444)
    faces = [face(photo, "Ada"), face(photo, "AC/DC"), face(photo, "ac_dc"), face(alone, None)]
    assert sort_into(folder, faces) == Copies(3, 1, ())
    made = {str(path.relative_to(folder)): path for path in folder.rglob("*.png")}
    assert sorted(made) == ["AC_DC/group.png", "Ada/group.png", "ac_dc (2)/group.png"]
    assert made["Ada/group.png"].stat().st_mode & stat.S_IWUSR  # else only root could make it
    assert sort_into(folder, faces) == Copies(0, 1, ())
    made["Ada/group.png"].write_bytes(other.read_bytes())
    assert sort_into(folder, faces) == Copies(1, 1, ())
    assert (folder / "Ada/group (2).png").read_bytes() == photo.read_bytes()
    with pytest.raises(EigenfacesError, match="alone"):
        sort_into(alone, faces)


def test_copies_go_on_where_photographs_are_gone(photo: Path, tmp_path: Path) -> None:
    gone = [face(tmp_path / f"gone {at}.png", "Zoë") for at in (1, 2)]
    done = list[tuple[int, int]]()
    copies = sort_into(tmp_path / "o", [gone[0], face(photo, "Ada")], lambda *at: done.append(at))
    assert copies.words("o") == (
        "1 copy made in “o”. “gone 1.png” cannot be read any more, so it was not copied."
    )
    assert done == [(0, 2), (1, 2)]
    assert [path.name for path in (tmp_path / "o").iterdir()] == ["Ada"], "no empty folder"
    copies = sort_into(tmp_path / "o", [*gone, face(photo, "Ada"), face(photo, None)])
    assert copies.words("o") == (
        "0 copies made in “o”. 2 photos, such as “gone 1.png”, cannot be read any more, so they "
        "were not copied."
    )


def test_copies_that_are_stopped_leave_whole_files(photo: Path, tmp_path: Path) -> None:
    def stop_at_the_second(done: int, _: int) -> None:
        if done == 1:
            raise Cancelled

    with pytest.raises(Cancelled):
        sort_into(tmp_path / "o", [face(photo, "Ada"), face(photo, "Zoë")], stop_at_the_second)
    copies = [path for path in (tmp_path / "o").rglob("*") if path.is_file()]
    assert [path.read_bytes() for path in copies] == [photo.read_bytes()]


def test_a_table_has_a_line_a_face(photo: Path, tmp_path: Path) -> None:
    whole = replace(face(photo, "=Ada"), box=None, probability=None)
    write_faces(tmp_path / "faces.csv", [face(photo, "Zoë"), whole])
    with (tmp_path / "faces.csv").open(encoding="utf-8-sig", newline="") as file:
        first, second = csv.DictReader(file)
    assert tuple(first) == EXPORT_COLUMNS
    cells = "20.0", "Zoë", "0.995", "", "'=Ada", ""
    assert cells == tuple(
        row[c] for row in (first, second) for c in ("left", "name", "probability")
    )
    write_faces(tmp_path / "faces.json", [face(photo, "Zoë"), whole], as_json=True)
    first, second = json.loads((tmp_path / "faces.json").read_text("utf-8"))
    assert (tuple(first), first["left"], first["name"], first["probability"]) == (
        *(EXPORT_COLUMNS, 20.0, "Zoë", 0.995),
    )
    assert (second["left"], second["name"], second["probability"]) == (None, "=Ada", None)
    assert whole.area == (0.5, 0.5, 1.0, 1.0)
