"""All names of a project, written for other programs: what these read, and what we read back."""

import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from synthetic import on_file, people, small_gallery

from eigenfaces import Gallery
from eigenfaces.faces.face_set import PhotoIndex
from eigenfaces.faces.identity import FacePhoto, Photograph
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.find import find_photos
from eigenfaces.photographs.known import KnownFile
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.photographs.regions import with_marked_faces
from eigenfaces.photographs.xmp import rating_of, read_xmp
from eigenfaces.project.content import Content
from eigenfaces.project.exports import (
    FaceOnPhoto,
    outgoing,
    sidecar_path,
    with_rating,
    write_sidecars,
)
from eigenfaces.recognition.gallery import Answer
from eigenfaces.recognition.probes import Probe, ProbeList

EYES = (Eyes((60.0, 70.0), (100.0, 72.0)), Eyes((230.0, 66.0), (270.0, 70.0)))


def on_photo(path: Path, orientation: int = 1, turned: int = 0) -> list[FacePhoto]:
    """Write a photograph, and return two faces on it: a fact, and a guess."""
    exif = Image.Exif()
    exif[0x0112] = orientation
    size = (360, 200) if orientation < 5 else (200, 360)
    Image.effect_noise(size, 40).convert("RGB").save(path, exif=exif)
    shown = Photograph(path, content_hash(path.read_bytes()), (200, 360))
    seen = replace(shown, size=(360, 200) if turned % 2 else (200, 360), turned=turned)
    faces = []
    for number, (eyes, source) in enumerate(zip(EYES, ("found", "guess"), strict=True), start=1):
        place = Placement(eyes, source)  # type: ignore[arg-type]
        face = FacePhoto(shown, ("Ada", "Grace")[number - 1], number, placement=place)
        faces.append(face.moved_to(seen))
    return faces


def named(*photos: FacePhoto) -> tuple[FaceOnPhoto, ...]:
    """Return what leaves a project of these faces."""
    gallery = small_gallery()
    faces = gallery.faces.select(range(len(photos)))
    crops = (photo.crop for photo in faces.index.photos)
    cut = [replace(photo, crop=crop) for photo, crop in zip(photos, crops, strict=True)]
    faces = replace(faces, index=PhotoIndex(tuple(cut)))
    return outgoing(Content(Gallery(faces, gallery.preparation, gallery.recipe))).faces


def test_all_named_faces_go_out_but_not_those_that_are_nowhere(tmp_path: Path) -> None:
    one, other = on_photo(tmp_path / "a.jpg")
    nobody = replace(one, person=None, number=3)
    lost = replace(one, number=4, lost=True)
    in_no_file = people(np.random.default_rng(0), 1, 1).index.photos[0]
    faces = named(one, other, nobody, lost, in_no_file)
    assert [face.name for face in faces] == ["Ada", "Grace"]
    assert [face.confirmed for face in faces] == [True, False]
    (right,) = named(replace(other, right=True))
    assert right.confirmed, "somebody has looked at it"


def test_of_some_photographs_all_goes_out_that_is_known_of_them(tmp_path: Path) -> None:
    """Their names, what was answered of faces that are not in the gallery, and their stars."""
    gallery = small_gallery()
    paths = [tmp_path / f"{name}.jpg" for name in ("named", "liked", "answered", "other")]
    photos = gallery.index.photos
    here = {photos[at].id: on_file(photos[at], paths[place]) for at, place in ((0, 0), (5, 3))}
    gallery = replace(gallery, faces=gallery.faces.with_photos(here))
    probe = Probe(
        replace(on_file(photos[9], paths[2], "c0ffee"), person=None), gallery.faces.image(9)
    )
    listed = gallery.with_answer(probe.photo.id, Answer("it is", "Hedy"))
    files = (
        KnownFile(paths[0], photos[0].photograph.sha, 9, 9),
        KnownFile(paths[1], "a sunset", 9, 9, favourite=True),
        KnownFile(paths[3], photos[5].photograph.sha, 9, 9, favourite=True),
    )
    content = Content(listed, probe_list=ProbeList((probe,)), files=files)
    some = outgoing(content, [photos[0].photograph.sha, "a sunset", "c0ffee"])
    assert {face.path.stem: face.name for face in some.faces} == {
        "named": "Ada",
        "answered": "Hedy",
    }
    assert some.favourites == {paths[1]}
    everything = outgoing(content)
    assert {face.path.stem for face in everything.faces} == {"named", "answered", "other"}
    assert everything.favourites == {paths[1], paths[3]}
    assert not outgoing(content, ["elsewhere"])


@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
@pytest.mark.parametrize("turned", [0, 1])
def test_what_is_read_back_is_the_fact_and_nothing_else(
    tmp_path: Path, orientation: int, turned: int
) -> None:
    faces = on_photo(tmp_path / "a.jpg", orientation, turned)
    assert write_sidecars(named(*faces)) == (1, [])
    (photo,) = with_marked_faces(find_photos(tmp_path)).photos
    assert [region.person for region in photo.regions] == ["Ada"]
    left, top, size = faces[0].box or (0, 0, 0)
    assert np.allclose(photo.regions[0].box, (left, top, size), atol=1)


ODD = ["a.jpg", "Zoë ü.jpg", "a b.JPG", "-dash.jpg"]
if os.name != "nt":  # there, no file can be called so
    ODD += ["two\nlines.jpg", "x&y<z>.jpg", "é\"'.jpg"]
"""Names of files that are hard to hand on."""


@pytest.mark.parametrize("name", ODD)
def test_whatever_a_file_is_called_its_names_come_back(tmp_path: Path, name: str) -> None:
    faces = [replace(face, right=True) for face in on_photo(tmp_path / name)]
    write_sidecars(named(*faces), {tmp_path / name})
    (photo,) = with_marked_faces(find_photos(tmp_path)).photos
    assert [region.person for region in photo.regions] == ["Ada", "Grace"]
    known = KnownFile.read(tmp_path / name)
    assert known is not None
    assert known.favourite


@pytest.mark.skipif(shutil.which("exiv2") is None, reason="exiv2 is not here")
@pytest.mark.parametrize("name", ODD)
def test_exiv2_reads_every_name_and_the_stars(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_sidecars(named(*on_photo(path)), {path})
    command = ["exiv2", "-pa", "pr", str(sidecar_path(path))]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert {"Ada", "Grace"} <= {line.split()[-1] for line in said.splitlines() if "Name" in line}
    assert any("Xmp.xmp.Rating" in line and line.endswith("5") for line in said.splitlines())


@pytest.mark.skipif(shutil.which("exiftool") is None, reason="exiftool is not here")
@pytest.mark.parametrize("name", ODD)
def test_exiftool_reads_every_name_and_the_stars(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    write_sidecars(named(*on_photo(path)), {path})
    command = ["exiftool", "-json", "-RegionName", "-Rating", str(sidecar_path(path))]
    (said,) = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    assert said["RegionName"] == ["Ada", "Grace"]
    assert said["Rating"] == 5


@pytest.mark.skipif(shutil.which("exiftool") is None, reason="exiftool is not here")
def test_a_guess_that_exiftool_copies_into_the_photograph_is_no_fact(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    write_sidecars(named(*on_photo(path)), {path})
    copy = ["-overwrite_original", "-tagsfromfile", str(sidecar_path(path)), "-all:all", str(path)]
    subprocess.run(["exiftool", *copy], check=True, capture_output=True)
    sidecar_path(path).unlink()
    (photo,) = with_marked_faces(find_photos(tmp_path)).photos
    assert [region.person for region in photo.regions] == ["Ada"]


def test_a_guess_is_none_without_the_own_mark_unless_somebody_has_named_it(tmp_path: Path) -> None:
    """As where another program leaves out what is in a namespace that it does not know."""
    path = tmp_path / "a.jpg"
    write_sidecars(named(*on_photo(path)))
    xmp = sidecar_path(path).read_text("utf-8").replace(' eigenfaces:Guess="Grace"', "")
    marks = [(one.name, one.is_named) for one in read_xmp(xmp).regions]
    assert marks == [("Ada", True), ("Grace", False)]
    renamed = xmp.replace('mwg-rs:Name="Grace"', 'mwg-rs:Name="Hedy"')
    assert [one.is_named for one in read_xmp(renamed).regions] == [True, True]


def test_a_favourite_has_five_stars_and_is_one_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    on_photo(path)
    before = KnownFile.read(path)
    assert before is not None
    assert not before.favourite
    assert write_sidecars((), {path}) == (1, [])
    assert write_sidecars((), {path}) == (0, []), "they are there"
    after = KnownFile.read(path)
    assert after is not None
    assert after.favourite


@pytest.mark.parametrize("stars", ['xmp:Rating="3"', 'xap:Rating = "0"'])
def test_the_stars_of_another_program_stay(stars: str) -> None:
    xmp = f'<rdf:RDF><rdf:Description rdf:about="" {stars}/></rdf:RDF>'
    assert with_rating(xmp) == xmp
    assert rating_of(with_rating("<rdf:RDF></rdf:RDF>")) == 5
