"""Published protocols: who is in which part of them, told from the photographs' names."""

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from eigenfaces import EigenfacesError, FaceSet, Preparation, Recipe, Setting, evaluate, load_faces
from eigenfaces.evaluation.published_protocols import (
    PROTOCOLS,
    Idiap,
    YaleB,
    lfw_people,
    lfw_photos,
    lfw_view,
    subset_of,
    yale_b_photos,
)
from eigenfaces.evaluation.records import Record, Source, from_json, to_json
from eigenfaces.faces.photo_index import PhotoIndex

SIDES = """
005+10 005-10 010+00 010-20 015+20 020+10 020-10 020-40 025+00 035+15 035+40 035+65 035-20 050+00
050-40 060+20 060-20 070+00 070+45 070-35 085+20 085-20 095+00 110+15 110+40 110+65 110-20 120+00
130+20
"""
MIDDLE = "+00 +20 +45 +90 -20 -35"
LIGHTS = [f"A{side}{at[:3]}E{at[3:]}" for at in SIDES.split() for side in "+-"]
LIGHTS += [f"A+000E{at}" for at in MIDDLE.split()]
"""The 64 lights of Extended Yale B, as its file names give them."""


def yale_b(people: int, lights: list[str]) -> FaceSet:
    """Return noise filed under the names of Extended Yale B."""
    names = [f"yaleB{person + 1:02}" for person in range(people) for _ in lights]
    images = np.random.default_rng(0).random((len(names), 16, 16))
    faces = FaceSet.from_arrays(images, names)
    said = [f"{names[row]}_P00{lights[row % len(lights)]}.pgm" for row in range(len(names))]
    photos = [replace(p, path=Path(name)) for p, name in zip(faces.index.photos, said, strict=True)]
    return replace(faces, index=PhotoIndex(tuple(photos)))


def test_the_subsets_have_their_known_sizes() -> None:
    subsets = [subset_of(f"yaleB07_P00{light}.pgm") for light in LIGHTS]
    assert np.bincount([each or 0 for each in subsets]).tolist() == [0, 7, 12, 12, 14, 19]


@pytest.mark.parametrize(
    ("light", "subset"),
    [
        ("A+000E+00", 1),
        ("A-005E+10", 1),  # 11.2 degrees
        ("A+000E-20", 2),
        ("A-025E+00", 2),  # just 25: rounding does not push it over
        ("A+000E+45", 3),
        ("A+050E+00", 3),
        ("A-050E-40", 4),  # 60.5: neither angle alone is beyond 50
        ("A+070E+45", 4),  # 76.0
        ("A+000E+90", 5),
        ("A-120E+00", 5),  # from behind
    ],
)
def test_light_from_the_camera_axis(light: str, subset: int) -> None:
    assert subset_of(f"yaleB39_P00{light}.png") == subset


@pytest.mark.parametrize(
    "name", ["yaleB01_P00_Ambient.pgm", "yaleB11_P00A+050E-40.pgm.bad", "yaleB01_P03A+005E+10.pgm"]
)
def test_ambient_bad_and_turned_photos_belong_to_no_subset(name: str) -> None:
    assert subset_of(name) is None


@pytest.mark.parametrize("name", ["1.pgm", "yaleB01_P00A+5E+10.pgm", "subject01.happy.gif"])
def test_other_names_are_refused_by_name(name: str) -> None:
    with pytest.raises(EigenfacesError, match="light comes from") as refused:
        subset_of(name)
    assert name in str(refused.value)


def test_yale_b_by_subset() -> None:
    faces = yale_b(3, LIGHTS)
    folds = YaleB().folds(faces)
    assert [fold.name for fold in folds] == [f"subset {number}" for number in (2, 3, 4, 5)]
    assert [len(fold.probes) for fold in folds] == [36, 36, 42, 57]
    assert all((fold.gallery == folds[0].gallery).all() for fold in folds)
    assert all((fold.train == fold.gallery).all() for fold in folds)
    everything = np.concatenate([folds[0].gallery, *(fold.probes for fold in folds)])
    assert sorted(everything) == list(range(len(faces)))


def test_yale_b_without_subset_1_or_under_other_names(rng: np.random.Generator) -> None:
    with pytest.raises(EigenfacesError, match="subset 1"):
        YaleB().folds(yale_b(2, ["A+000E-20", "A+000E-35"]))
    with pytest.raises(EigenfacesError, match="light comes from"):
        YaleB().folds(FaceSet.from_arrays(rng.random((4, 9, 9)), ["a", "a", "b", "b"]))


def test_the_names_of_folds_are_recorded() -> None:
    faces = yale_b(3, ["A+000E+00", "A+010E+00", "A+000E-20", "A+085E+20"])
    result = evaluate(faces, Setting(Recipe.of(components=1.0), YaleB(), curves=False))
    assert result.folds == ("subset 2", "subset 5")
    assert result.searches is not None
    assert np.bincount(result.searches.fold).tolist() == [3, 3]
    record = Record(result, Preparation(16, 16, already_cropped=True), Source("folder", "faces"))
    again = from_json(to_json(record)).evaluation
    assert again.folds == result.folds
    assert again.setting.protocol == YaleB()


def save(path: Path, rng: np.random.Generator, size: tuple[int, int] = (20, 20)) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(rng.integers(0, 256, size, np.uint8)).save(path)


def test_yale_b_photos_are_found_however_deep(tmp_path: Path, rng: np.random.Generator) -> None:
    home = tmp_path / "CroppedYale"
    for name in ("yaleB01_P00A+000E+00", "yaleB02_P00A+085E-20", "yaleB01_P00_Ambient"):
        save(home / name[:7] / f"{name}.pgm", rng)
    (home / "yaleB01" / "yaleB01_P00.info").write_text("not a photo")
    found = yale_b_photos(tmp_path)
    assert [(p.path.name, p.person) for p in found.photos] == [
        ("yaleB01_P00A+000E+00.pgm", "yaleB01"),
        ("yaleB02_P00A+085E-20.pgm", "yaleB02"),
    ]
    with pytest.raises(EigenfacesError, match="no photos of Extended Yale B"):
        yale_b_photos(home / "yaleB03")


def test_idiap_is_for_forty_people(att: FaceSet) -> None:
    (fold,) = Idiap().folds(att)
    of = np.array([int(str(photo.person).split()[1]) for photo in att.index.photos])
    number = np.arange(400) % 10 + 1
    assert len(set(of[fold.train])) == 20
    assert not set(of[fold.train]) & set(of[fold.gallery])
    assert set(of[fold.gallery]) == set(of[fold.probes])
    assert set(number[fold.gallery]) == {2, 4, 5, 7, 9}
    assert set(number[fold.probes]) == {1, 3, 6, 8, 10}
    with pytest.raises(EigenfacesError, match="40 people"):
        Idiap().folds(att.select(range(390)))


def lfw(folder: Path, rng: np.random.Generator, people: int = 8) -> None:
    """Make a tree like that of LFW: three photos a person, of which the pairs name two."""
    for person in range(people):
        for number in (1, 2, 3):
            save(folder / f"Name_{person}" / f"Name_{person}_{number:04}.jpg", rng)


def pair_lines(first: int, sets: int) -> list[str]:
    """Return the lines of sets of a mated and a non-mated pair, of two people each."""
    lines = []
    for person in range(first, first + 2 * sets, 2):
        lines += [f"Name_{person}\t1\t2", f"Name_{person}\t1\tName_{person + 1}\t2"]
    return lines


@pytest.fixture
def lfw_home(tmp_path: Path, rng: np.random.Generator) -> Path:
    lfw(tmp_path / "lfw", rng)
    (tmp_path / "pairs.txt").write_text("\n".join(["4\t1", *pair_lines(0, 4)]))
    (tmp_path / "pairsDevTrain.txt").write_text("\n".join(["2", *pair_lines(0, 2)]))
    (tmp_path / "pairsDevTest.txt").write_text("\n".join(["1", *pair_lines(4, 1)]))
    return tmp_path


def test_view_2_of_lfw(lfw_home: Path) -> None:
    view = lfw_view(lfw_home, 2)
    found = lfw_photos(lfw_home, view)
    assert len(found.photos) == 12  # only what the pairs name
    faces = load_faces(found, Preparation(16, 16, already_cropped=True))
    folds = view.folds(faces)
    assert len(folds) == 4
    for number, fold in enumerate(folds):
        assert {faces.index.photos[row].person for row in fold.pairs.ravel()} == {
            f"Name_{2 * number}",
            f"Name_{2 * number + 1}",
        }
        assert len(fold.pairs) == 2
        assert len(fold.tuning) == 6
        assert not set(fold.train) & set(fold.pairs.ravel())
    result = evaluate(faces, Setting(Recipe.of(components=1.0), view, curves=False))
    assert result.figure("pair accuracy") is not None


def test_view_1_of_lfw(lfw_home: Path) -> None:
    view = lfw_view(lfw_home, 1)
    faces = load_faces(lfw_photos(lfw_home, view), Preparation(16, 16, already_cropped=True))
    (fold,) = view.folds(faces)
    assert (len(fold.tuning), len(fold.pairs)) == (4, 2)
    assert {faces.index.photos[row].person for row in fold.pairs.ravel()} == {"Name_4", "Name_5"}


@pytest.mark.parametrize("name", ["lfw", "lfw_funneled", "lfw_home/lfw_funneled", "."])
def test_lfw_is_found_under_its_usual_names(
    tmp_path: Path, rng: np.random.Generator, name: str
) -> None:
    lfw(tmp_path / name, rng, people=2)
    assert lfw_people(tmp_path) == tmp_path / name
    (lfw_people(tmp_path).parent / "pairs.txt").write_text("\n".join(["2\t1", *pair_lines(0, 2)]))
    assert len(lfw_view(tmp_path, 2).sets) == 2


def test_the_original_photos_come_before_funneled_ones(
    tmp_path: Path, rng: np.random.Generator
) -> None:
    for name in ("lfw_funneled", "lfw"):
        lfw(tmp_path / name, rng, people=1)
    assert lfw_people(tmp_path).name == "lfw"


def test_what_is_missing_of_lfw_is_said(lfw_home: Path) -> None:
    (lfw_home / "lfw" / "Name_3" / "Name_3_0002.jpg").unlink()
    view = lfw_view(lfw_home, 2)
    faces = load_faces(lfw_photos(lfw_home, view), Preparation(16, 16, already_cropped=True))
    with pytest.raises(EigenfacesError, match=r"Name_3/Name_3_0002\.jpg"):
        view.folds(faces)
    (lfw_home / "pairs.txt").unlink()
    with pytest.raises(EigenfacesError, match=r"View 2 of LFW needs “pairs\.txt”"):
        lfw_view(lfw_home, 2)
    with pytest.raises(EigenfacesError, match="no LFW"):
        lfw_view(lfw_home / "nowhere", 1)


def test_every_protocol_has_a_name_of_its_own() -> None:
    assert all(each.kind == kind for kind, each in PROTOCOLS.items())
    assert not fields(YaleB)
    assert PROTOCOLS["yale-b"] is YaleB
