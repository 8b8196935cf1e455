"""What is asked about, and what came of it: which face it is, what to be wary of, the table."""

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
import synthetic
from astronaut import EYES, PICTURE, two_faces
from PIL import Image

from eigenfaces import FaceSet, Gallery, Preparation, Recipe, load_faces
from eigenfaces.faces.face_set import Crops, PhotoIndex
from eigenfaces.faces.identity import FacePhoto, Photograph
from eigenfaces.importing.correct import UNCORRECTED, Correction, ReadTask, read_for_review
from eigenfaces.importing.load import recrop_faces
from eigenfaces.photographs.decode import content_hash
from eigenfaces.photographs.find import FoundPhotos, Photo, Skipped
from eigenfaces.photographs.placement import WHOLE_PHOTO, Eyes, Placement
from eigenfaces.recognition.decision import Kind
from eigenfaces.recognition.explanation import explain
from eigenfaces.recognition.probes import (
    Probe,
    preparation_for_adding,
    probes_on,
    probes_on_each,
    with_known_numbers,
)
from eigenfaces.recognition.recipe import Rule
from eigenfaces.recognition.recognised import (
    VERDICT_COLUMNS,
    Recognition,
    recognise_probes,
    records_csv,
    with_repeated_people,
)
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.sample import PREPARATION as SAMPLE_PREPARATION
from eigenfaces.space.pca import as_levels

SHA = "c0ffee"
LEFT, MIDDLE, RIGHT = 40 + 50j, 150 + 60j, 250 + 45j
SIZE = (120, 300)


@pytest.fixture
def gallery(rng: np.random.Generator) -> Gallery:
    """Four people × five faces, trained; cut already."""
    faces = synthetic.people(rng, shape=(32, 24))
    return Gallery(
        faces, Preparation(32, 24, already_cropped=True), Recipe.of(components=8)
    ).train()


def at(middle: complex, number: int = 1, person: str | None = None, sha: str = SHA) -> FacePhoto:
    """Describe the face of a group photograph that lies at some place."""
    eyes = Placement(Eyes.at(middle, 24 + 0j))
    return FacePhoto(Photograph(Path("group.png"), sha, SIZE), person, number, placement=eyes)


def row_of(gallery: Gallery, photo: FacePhoto) -> int | None:
    return gallery.index.row_of_face(photo)


def holding(gallery: Gallery, *photos: FacePhoto) -> Gallery:
    """Enrol faces of a group photograph, each like one of the gallery's."""
    rows = [5 * place for place in range(len(photos))]
    faces = gallery.faces.select(rows)
    crops = Crops(np.clip(faces.pixels.array, 0, 250) + np.uint8(5))
    return gallery.enrol(replace(faces, pixels=crops, index=PhotoIndex(tuple(photos))))


def recognised(gallery: Gallery, photo: FacePhoto, row: int = 0, faces: int = 1) -> Recognition:
    probe = Probe(photo, gallery.faces.image(row), faces=faces)
    return recognise_probes(gallery, [probe])[0]


def test_one_person_sure_twice_on_a_photograph_is_a_caution(gallery: Gallery) -> None:
    """Once on each of two photographs is none, nor is it where one answer is not sure."""

    def said(*faces: tuple[FacePhoto, str, Kind]) -> list[list[str]]:
        recognitions = []
        for photo, person, kind in faces:
            one = recognised(gallery, photo)
            decision = replace(one.verdict.decision, kind=kind, nearest=(person, 1.0))
            recognitions.append(replace(one, verdict=replace(one.verdict, decision=decision)))
        marked = with_repeated_people(recognitions)
        assert with_repeated_people(marked) == marked
        return [[caution.kind for caution in one.cautions] for one in marked]

    left, middle, right = at(LEFT), at(MIDDLE, 2), at(RIGHT, 3)
    twice = said((left, "Ada", "sure"), (middle, "Ada", "sure"), (right, "Bob", "sure"))
    assert twice == [["twice"], ["twice"], []]
    assert said((left, "Ada", "sure"), (at(LEFT, sha="other"), "Ada", "sure")) == [[], []]
    assert said((left, "Ada", "sure"), (middle, "Ada", "likely")) == [[], []]
    probes = [Probe(left, gallery.faces.image(0)), Probe(right, gallery.faces.image(1))]
    both = recognise_probes(gallery, probes)
    assert [one.twice for one in both] == [one.verdict.decision.kind == "sure" for one in both]


class TestWhichFaceItIs:
    def test_by_its_place_whatever_its_number(self, gallery: Gallery) -> None:
        """A person may have corrected where one lies since, or taken one out."""
        known = holding(gallery, at(RIGHT, 1, "Right"), at(LEFT, 2, "Left"))
        for middle, person in ((LEFT, "Left"), (RIGHT, "Right")):
            for number in (1, 2, 3):
                row = row_of(known, at(middle + 5, number))
                assert row is not None
                assert known.faces.index.photos[row].person == person
        assert row_of(known, at(MIDDLE)) is None
        assert row_of(known, at(LEFT, sha="another file")) is None

    @pytest.mark.parametrize("turned", [1, 2, 3])
    def test_in_a_photograph_that_was_turned(self, gallery: Gallery, turned: int) -> None:
        height, width = SIZE
        place = {
            1: lambda z: complex(height - z.imag, z.real),
            2: lambda z: complex(width - z.real, height - z.imag),
            3: lambda z: complex(z.imag, width - z.real),
        }[turned]
        size = SIZE if turned == 2 else (width, height)
        eyes = Eyes.at(place(LEFT), 24 * (-1j) ** turned)
        photograph = Photograph(Path("group.png"), SHA, size, turned)
        photo = FacePhoto(photograph, "A", placement=Placement(eyes, "by hand"))
        known = holding(gallery, photo)
        assert row_of(known, at(LEFT)) == len(known.faces) - 1
        assert row_of(known, at(MIDDLE)) is None

    def test_a_whole_photograph_is_every_face_in_it(self, gallery: Gallery) -> None:
        photo = gallery.index.photos[3]
        assert row_of(gallery, photo) == 3
        assert row_of(gallery, at(LEFT, sha=photo.id.sha)) == 3


def test_a_face_has_the_number_that_it_has_in_the_gallery_or_a_free_one(gallery: Gallery) -> None:
    """Else two faces would be one, and a page would show the wrong one of them."""
    known = holding(gallery, at(RIGHT, 1, "Right"))
    faces = at(LEFT), at(MIDDLE, 2), at(RIGHT, 3)
    probes = with_known_numbers(known, [Probe(face, gallery.faces.image(0)) for face in faces])
    assert [probe.photo.number for probe in probes] == [2, 3, 1]
    assert [probe.photo.placement for probe in probes] == [face.placement for face in faces]
    both = holding(gallery, at(RIGHT, 1, "Right"), at(LEFT, 2, "Left"))
    for photo, number in ((at(MIDDLE, 5), 5), (at(MIDDLE), 3), (at(LEFT), 2)):
        (probe,) = with_known_numbers(both, [Probe(photo, gallery.faces.image(0))])
        assert probe.photo.number == number
    listed = [Probe(at(MIDDLE, 4), gallery.faces.image(0))]
    (probe,) = with_known_numbers(both, [Probe(at(MIDDLE), gallery.faces.image(0))], listed)
    assert probe.photo.number == 4


def test_cautions(gallery: Gallery) -> None:
    """A face of the gallery, or one that the face space was fitted to, is no evidence."""
    photo, row = gallery.index.photos[7], 7
    known = "This face is in the gallery as “Person 2”"
    fitted = "The face space was also fitted to it."
    excluded = gallery.exclude([photo.id])
    for known_gallery, sentences in (
        (gallery, [f"{known}, so its distance proves nothing.", fitted]),
        (excluded, [f"{known}, but excluded, so it is not compared.", fitted]),
        (excluded.train(), [f"{known}, but excluded, so it is not compared."]),
        (
            gallery.move([photo.id], None),
            ["This face is in the gallery without a name, so it is not compared.", fitted],
        ),
        (gallery.remove([photo.id]), ["The face space was fitted to this photo."]),
    ):
        recognition = recognised(known_gallery, photo, row=row)
        assert [caution.sentence for caution in recognition.cautions] == sentences
        there = photo.id in known_gallery.index.row_by_id
        assert recognition.row == (row if there else None)
        assert recognition.filed_as == (known_gallery.index.photos[7].person if there else None)
        assert recognition.is_self_match == (known_gallery is gallery)
    assert recognised(gallery, photo, row=7).record()["distance_in"] == 0
    new = recognised(gallery, at(LEFT))
    assert (new.cautions, new.row, new.filed_as) == ((), None, None)
    one_of_several = holding(gallery, at(LEFT, 1, "Ada"))  # not trained on
    (caution,) = recognised(one_of_several, at(LEFT), row=20, faces=3).cautions
    assert caution.kind == "itself"


@pytest.mark.parametrize("rule", get_args(Rule))
def test_a_face_of_the_gallery_is_explained_by_the_others(gallery: Gallery, rule: Rule) -> None:
    """By itself it would be nearest to itself, at no distance at all."""
    gallery = gallery.with_recipe(gallery.recipe.changed(rule=rule))
    photo = gallery.index.photos[7]
    itself = recognised(gallery, photo, row=7)
    beside = itself.among_others
    (expected,) = identify_all(gallery.exclude([photo.id]), itself.probe.image[None])
    assert beside.verdict.ranking == expected.ranking
    assert beside.verdict.rows.tolist() == expected.rows.tolist()
    assert 7 not in beside.verdict.rows
    assert beside.cautions[0].sentence.endswith("so it is compared with the other photos.")
    splits = explain(gallery, itself.probe.image, beside.verdict, beside.without).splits
    if rule != "mean distance":
        measured = [split.match.distance for split in splits]
        assert [split.distance for split in splits] == pytest.approx(measured, rel=1e-3)
    new = recognised(gallery, at(LEFT), row=9)
    assert new.among_others is new
    alone = gallery.remove([one.id for one in gallery.index.photos if one.id != photo.id])
    only = recognised(alone, photo, row=0)
    assert only.among_others is only, "there is nothing else to compare with"


def test_the_table_has_digits_that_mean_something(gallery: Gallery) -> None:
    named = gallery.rename("Person 2", "=1+1")
    verdict = recognised(named, at(LEFT), row=7, faces=2).verdict
    records = [recognised(named, at(LEFT), row=7, faces=2).record() for _ in range(2)]
    for line, match in zip(records[0]["ranking"], verdict.ranking, strict=False):
        assert line["distance"] == pytest.approx(match.distance, abs=1e-5 * verdict.farthest)
        assert len(repr(line["distance"])) <= 9
    lines = list(csv.DictReader(io.StringIO(records_csv(records))))
    assert tuple(lines[0]) == VERDICT_COLUMNS
    assert [line["rank"] for line in lines] == ["1", "2", "3"] * 2
    placed = [lines[0][name] for name in ("person", "face", "in_gallery")]
    assert placed == ["'=1+1", "1", "false"]


def test_every_face_from_left_to_right_whatever_else_cannot_be_read(tmp_path: Path) -> None:
    group, gone = tmp_path / "group.png", tmp_path / "gone.png"
    group.write_bytes(two_faces(1.6))  # the right one is larger, and more certain
    probes, skipped = probes_on_each([Photo(group), Photo(gone)], Preparation())
    assert isinstance(probes, list)
    assert [(probe.number, probe.faces) for probe in probes] == [(1, 2), (2, 2)]
    assert probes[1].photo.id == probes[0].photo.id._replace(number=2)
    boxes = [probe.box for probe in probes]
    assert None not in boxes
    assert boxes[0] < boxes[1]  # type: ignore[operator]
    assert isinstance(skipped, Skipped)
    assert skipped.path == gone
    Image.new("L", (92, 112), 10).save(tmp_path / "dark.png")
    (probe,) = probes_on(Photo(tmp_path / "dark.png"), Preparation(already_cropped=True))
    assert {concern.kind for concern in probe.concerns} == {"blurred", "dark"}
    assert probe.box is None
    PICTURE.rotate(90).save(tmp_path / "lying.png")
    (probe,) = probes_on(Photo(tmp_path / "lying.png"), Preparation())
    assert probe.photo.photograph.turned == 1
    left, top, size = EYES.box
    assert probe.box == pytest.approx((top, 512 - left - size, size), abs=0.1 * size)


def test_what_is_added_to_ready_crops_is_cut_as_they_are(tmp_path: Path, att: FaceSet) -> None:
    """Where eyes are said: in the review, corrected there, in what is enrolled or cut anew."""
    crops = att.select(range(0, 60, 10))
    gallery = Gallery(crops, SAMPLE_PREPARATION, Recipe())
    whole = preparation_for_adding(gallery, gallery.preparation)
    searched = preparation_for_adding(gallery, replace(gallery.preparation, already_cropped=False))
    assert (whole.takes_whole((112, 92)), searched.takes_whole((112, 92))) == (True, False)
    pasted = Image.new("L", (400, 400), 90)
    pasted.paste(Image.fromarray(as_levels(crops.image(1))).resize((184, 224)), (90, 70))
    pasted.save(tmp_path / "photo.png")
    eyes = Eyes.at(2 * whole.aligned_eyes.middle + complex(90, 70), 2 * whole.aligned_eyes.across)
    placed = Photo(tmp_path / "photo.png", "Ada", Placement(eyes, "from a file"))
    plain = replace(placed, placement=None)
    cut = load_faces(FoundPhotos((placed,)), whole).image(0)
    for task, by in (
        (ReadTask(placed, UNCORRECTED), whole),
        (ReadTask(plain, Correction(eyes)), whole),
        (ReadTask(placed, UNCORRECTED), searched),
    ):
        np.testing.assert_array_equal(read_for_review(task, by, gallery.faces).crop, cut)
    sha = content_hash(placed.path.read_bytes())
    face = FacePhoto(Photograph(placed.path, sha, (400, 400)), "Ada")
    faces = [*((photo, WHOLE_PHOTO) for photo in crops.index.photos), (face, placed.placement)]
    again = recrop_faces(faces, gallery.preparation)
    np.testing.assert_array_equal(again.image(again.index.row_by_id[face.id]), cut)
    standard = gallery.preparation.crop(np.asarray(pasted) / np.float32(255), eyes)
    assert np.abs(cut - crops.image(1)).mean() < 0.03
    assert np.abs(standard - cut).mean() > 0.06
    other = read_for_review(ReadTask(plain, UNCORRECTED), whole, gallery.faces)
    np.testing.assert_array_equal(
        other.crop, gallery.preparation.crop(np.asarray(pasted) / np.float32(255))
    )
