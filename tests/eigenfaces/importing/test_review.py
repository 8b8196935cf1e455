"""What comes of the photographs of an import, what is said of them, and undo: without widgets."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from eigenfaces import FaceSet, Preparation, find_photos, load_faces
from eigenfaces.faces.detect import FoundFace
from eigenfaces.importing.correct import Correction, read_for_review
from eigenfaces.importing.entries import Entry, tally
from eigenfaces.importing.review import Review
from eigenfaces.photographs.photos import Eyes, FoundPhotos, Photo, Placement, Skipped
from tests.picture_files import picture

CUT = Preparation(24, 20, already_cropped=True)
NOBODY = FaceSet.empty(CUT.shape)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two people × two photographs, and one file that is none."""
    for number, (person, name) in enumerate((p, n) for p in ("Ada", "Grace") for n in "12"):
        picture(tmp_path / "people" / person / f"{name}.png", number)
    (tmp_path / "people" / "Ada" / "broken.jpg").write_bytes(b"not a picture")
    return tmp_path / "people"


MakeReview = Callable[..., Review]


@pytest.fixture
def made(folder: Path) -> MakeReview:
    """Make a review of the folder in which everything has been read."""

    def make(known: FaceSet = NOBODY, preparation: Preparation = CUT) -> Review:
        review = Review(find_photos(folder), known, preparation)
        read_all(review)
        return review

    return make


def read_all(review: Review) -> int:
    tasks = review.tasks()
    for task in tasks:
        review.keep(read_for_review(task, review.preparation, review.enrolled))
    return len(tasks)


def entries(review: Review) -> dict[str, Entry]:
    """The entries, by person and name of the file."""
    found = review.entries(review.found)
    return {f"{entry.photo.path.parent.name}/{entry.photo.path.name}": entry for entry in found}


def states(review: Review) -> dict[str, str]:
    return {name: entry.state for name, entry in entries(review).items()}


def test_every_photograph_has_one_state_and_the_counts_add_up(made: MakeReview) -> None:
    review = made()
    listed = list(entries(review).values())
    assert tally(listed) == "5 photos found: 4 will be added, 1 left out."
    faces = load_faces(review.plan(listed).found, CUT)  # what the import adds and lists
    assert (len(faces), len(faces.skipped)) == (4, 1)
    broken = entries(review)["Ada/broken.jpg"]
    assert broken.needs_attention
    assert "not a picture" in broken.skipped.reason
    assert broken.concerns[0].remedy


def test_what_is_not_looked_at_yet_is_said_to_be_so(folder: Path) -> None:
    review = Review(find_photos(folder), NOBODY, CUT)
    sentence = tally(review.entries(review.found))
    assert sentence == "5 photos found: 5 not read yet."
    assert not tally([])
    assert len(review.plan(review.entries(review.found)).found.photos) == 5


def test_of_two_equal_photographs_the_first_is_kept(made: MakeReview, folder: Path) -> None:
    (folder / "Grace" / "9.png").write_bytes((folder / "Ada" / "1.png").read_bytes())
    Image.open(folder / "Ada" / "2.png").save(folder / "Grace" / "8.bmp")
    review = made()
    twice = entries(review)
    assert [twice[name].state for name in ("Ada/1.png", "Grace/9.png")] == ["added", "left out"]
    same, alike = (twice[name].skipped.reason for name in ("Grace/9.png", "Grace/8.bmp"))
    assert "the same file as “1.png”, which is filed under “Ada”" in same
    assert "the same picture as “2.png”" in alike
    # The core, asked to import all of them, keeps the same ones.
    everything = load_faces(review.found, CUT)
    kept = {photo.path for photo in everything.index.photos}
    assert kept == {entry.photo.path for entry in twice.values() if entry.state == "added"}
    review.leave_out([folder / "Ada" / "1.png"], True)  # it makes room for the second
    assert states(review)["Ada/1.png"] == "left out"
    assert states(review)["Grace/9.png"] == "added"


def test_undo_takes_back_step_by_step_and_reads_nothing_again(
    made: MakeReview, folder: Path
) -> None:
    review = made()
    first, second = folder / "Ada" / "1.png", folder / "Ada" / "2.png"
    start = states(review)
    review.correct("turning 1 photo", {first: Correction(turned=1)})
    assert states(review)["Ada/1.png"] == "waiting"
    assert read_all(review) == 1
    review.leave_out([second], True)
    assert review.undo() == [second]
    assert review.can_undo == "turning 1 photo"
    assert review.undo() == [first]
    assert states(review) == start
    assert review.tasks() == []
    assert review.can_undo is None
    assert review.undo() == []


def test_a_correction_reaches_the_plan(made: MakeReview, folder: Path) -> None:
    review = made()
    path = folder / "Ada" / "1.png"
    eyes = Eyes((6.0, 8.0), (14.0, 8.0))
    review.correct("setting the eyes", {path: Correction(eyes=eyes)})
    assert not review.settled
    read_all(review)
    assert review.settled
    planned = review.plan(list(entries(review).values())).found
    placements = {photo.path: photo.placement for photo in planned.photos}
    assert placements[path] == Placement(eyes, "by hand")
    assert placements[folder / "Ada" / "2.png"] == Placement()


def test_another_size_cuts_anew_and_keeps_what_was_said(made: MakeReview, folder: Path) -> None:
    review = made()
    path = folder / "Ada" / "1.png"
    review.correct("turning 1 photo", {path: Correction(turned=1)})
    read_all(review)
    review.preparation = Preparation(32, 32, already_cropped=True)
    assert review.tasks()[0].photo.path == path  # first what somebody has corrected
    read_all(review)
    reading = review.reading(path)
    assert reading is not None
    assert reading.crop is not None
    assert reading.crop.shape == (32, 32)
    assert reading.size == (20, 24)


def test_what_is_in_the_gallery_is_not_read_again(made: MakeReview, folder: Path) -> None:
    faces = load_faces(find_photos(folder), CUT)
    Image.open(folder / "Ada" / "1.png").save(folder / "Ada" / "3.bmp")
    review = made(faces)
    assert "the same picture as “1.png”" in entries(review)["Ada/3.bmp"].skipped.reason
    assert Counter(states(review).values()) == {"known": 4, "left out": 2}
    first = entries(review)["Ada/1.png"].reading
    assert first is not None
    assert first.crop is not None
    assert np.array_equal(first.crop, faces.image(0))
    plan = review.plan(list(entries(review).values()))
    planned = load_faces(plan.found, CUT, known=faces, already=plan.readings)
    assert len(faces.join(planned)) == 4
    assert len(planned) == 4, "what is there already is no complaint"


def test_a_photograph_with_new_content_replaces_the_old_one(made: MakeReview, folder: Path) -> None:
    faces = load_faces(find_photos(folder), CUT)
    picture(folder / "Ada" / "1.png", 99)
    review = made(faces)
    assert states(review)["Ada/1.png"] == "replaced"
    sentence = tally(list(entries(review).values()))
    assert "1 replaces an earlier version, 3 are in the gallery already" in sentence
    review.correct("turning 1 photo", {folder / "Ada" / "2.png": Correction(turned=1)})
    read_all(review)
    assert states(review)["Ada/2.png"] == "replaced"


def test_a_face_of_the_gallery_is_shown_as_it_was_turned(made: MakeReview, folder: Path) -> None:
    path = folder / "Ada" / "1.png"
    turned = FoundPhotos((Photo(path, "Ada", Placement(None, "by hand", 1)),))
    review = made(load_faces(turned, CUT))
    reading = review.reading(path)
    assert reading is not None
    assert reading.enrolled
    assert reading.size == (20, 24)
    assert review.turned(path) == 1


def test_nobody_named_is_left_out_and_needs_no_attention(made: MakeReview, folder: Path) -> None:
    review = made()
    ada = tuple(photo for photo in review.found.photos if photo.person == "Ada")
    grace = [photo.path for photo in review.found.photos if photo.person == "Grace"]
    reason = "Its name does not fit the pattern “x”."
    named = FoundPhotos(ada, tuple(Skipped(path, reason, kind="unnamed") for path in grace))
    left = [entry for entry in review.entries(named) if entry.photo.path in grace]
    assert {(entry.state, entry.skipped.reason, entry.needs_attention) for entry in left} == {
        ("left out", reason, False)
    }
    assert {file.reason for file in review.plan(review.entries(named)).found.skipped} >= {reason}


def test_what_was_passed_over_on_the_way_is_counted_too(folder: Path) -> None:
    gone = Skipped(folder / "locked", "You have no permission to read this folder.")
    found = FoundPhotos((Photo(folder / "Ada" / "1.png", "Ada"),), (gone, gone))
    review = Review(found, NOBODY, CUT)
    read_all(review)
    listed = review.entries(found)
    assert tally(listed) == "3 photos found: 1 will be added, 2 left out."
    assert len({entry.key for entry in listed}) == 3


class TestNoFace:
    """What was found does not look like a face, and nothing knows better."""

    @pytest.fixture(autouse=True)
    def cloth(self, monkeypatch: pytest.MonkeyPatch) -> None:
        eyes = Eyes((60.0, 60.0), (100.0, 60.0))
        found = (FoundFace(eyes, 0.2, eyes.box),)
        monkeypatch.setattr("eigenfaces.faces.read.find_faces", lambda _: found)
        monkeypatch.setattr("eigenfaces.faces.network.is_there", lambda: False)

    def test_it_is_not_added_by_itself_but_by_a_person(self, tmp_path: Path) -> None:
        path = tmp_path / "Ada" / "cloth.png"
        path.parent.mkdir()
        striped = np.tile(np.arange(200) // 6 % 2 * 200, (200, 1)).astype(np.uint8)
        Image.fromarray(striped).save(path)
        found = find_photos(tmp_path)
        (skipped,) = load_faces(found, Preparation(), guess=True).skipped
        assert (skipped.kind, skipped.needs_choice) == ("not a face", True)
        review = Review(found, FaceSet.empty(Preparation().shape), Preparation())
        read_all(review)
        (entry,) = review.entries(found)
        assert (entry.state, entry.likely, entry.skipped.reason) == ("choice", 0, skipped.reason)
        assert not review.plan([entry]).found.photos
        review.choose("confirming it", {path: 0})
        read_all(review)
        (entry,) = review.entries(found)
        assert (entry.state, entry.concerns, entry.likely) == ("added", (), None)
        plan = review.plan([entry])
        assert len(load_faces(plan.found, Preparation(), already=plan.readings, guess=True)) == 1
