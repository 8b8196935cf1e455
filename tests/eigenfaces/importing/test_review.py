"""An import under review, without widgets: states, guesses, corrections, undo, and the plan."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from groups import know_where_they_stand, write_albums
from PIL import Image

from eigenfaces import FaceSet, Preparation, find_photos, load_faces
from eigenfaces.faces.detect import FoundFace
from eigenfaces.faces.face_set import match_enrolled
from eigenfaces.importing.correct import Correction, read_for_review
from eigenfaces.importing.entries import Decisions, Entry, proposed_faces, tally_words
from eigenfaces.importing.load import unmoved_faces
from eigenfaces.importing.review import Review
from eigenfaces.photographs.find import FoundPhotos, Photo, Skipped
from eigenfaces.photographs.placement import Eyes, Placement
from eigenfaces.project.unused import pending_photos
from tests.picture_files import picture

CUT = Preparation(24, 20, already_cropped=True)
FOUND = Preparation()
Truth = dict[Path, int]


def read_all(review: Review) -> list[Entry]:
    """Read what is to be read, and choose among the faces found."""
    for task in review.tasks():
        review.add_reading(read_for_review(task, review.preparation, review.enrolled))
    review.choices = review.undecided(review.entries(review.found)).choices()
    return review.entries(review.found)


def review_of(
    found: FoundPhotos | Path, preparation: Preparation, known: FaceSet | None = None
) -> Review:
    photos = find_photos(found) if isinstance(found, Path) else found
    enrolled = FaceSet.empty(preparation.shape) if known is None else known
    review = Review(photos, enrolled, preparation)
    read_all(review)
    return review


def entries(review: Review) -> dict[str, Entry]:
    """Return the entries, by person and name of the file."""
    listed = review.entries(review.found)
    return {f"{entry.photo.path.parent.name}/{entry.photo.path.name}": entry for entry in listed}


def states(review: Review) -> dict[str, str]:
    return {name: entry.state for name, entry in entries(review).items()}


class TestStates:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """Two people × two photographs, and one file that is none."""
        for number, (person, name) in enumerate((p, n) for p in ("Ada", "Grace") for n in "12"):
            picture(tmp_path / "people" / person / f"{name}.png", number)
        (tmp_path / "people" / "Ada" / "broken.jpg").write_bytes(b"not a picture")
        return tmp_path / "people"

    def test_every_photograph_has_one_and_the_counts_add_up(self, folder: Path) -> None:
        unread = Review(find_photos(folder), FaceSet.empty(CUT.shape), CUT)
        listed = unread.entries(unread.found)
        assert tally_words(listed) == "5 photos found: 5 not read yet."
        assert {entry.status[1] for entry in listed} == {"It is being read…"}
        assert len(unread.plan(listed).found.photos) == 5
        gone = Skipped(folder / "locked", "You have no permission to read this folder.")
        review = review_of(replace(unread.found, skipped=(gone, gone)), CUT)
        listed = review.entries(review.found)
        assert tally_words(listed) == "7 photos found: 4 will be added, 3 left out."
        assert len({entry.key for entry in listed}) == 7
        faces = load_faces(review.plan(listed).found, CUT)  # what the import adds and lists
        assert (len(faces), len(faces.skipped)) == (4, 3)
        broken = entries(review)["Ada/broken.jpg"]
        assert (broken.needs_attention, broken.urgency, broken.size_words) == (True, 5, "")
        assert broken.concerns[0].remedy
        assert entries(review)["Ada/1.png"].status == ("ok", "The whole photo is the face.")
        assert not tally_words([])
        reason = "Its name does not match the pattern “x”."
        grace = [photo.path for photo in review.found.photos if photo.person == "Grace"]
        ada = tuple(photo for photo in review.found.photos if photo.person == "Ada")
        unnamed = tuple(Skipped(path, reason, kind="unnamed") for path in grace)
        listed = review.entries(FoundPhotos(ada, unnamed))
        left = {(e.state, e.skipped.reason, e.urgency) for e in listed if e.photo.path in grace}
        assert left == {("left out", reason, 0)}, "nobody need look at it"
        assert reason in {file.reason for file in review.plan(listed).found.skipped}

    def test_of_two_equal_photographs_the_first_is_kept(self, folder: Path) -> None:
        (folder / "Grace" / "9.png").write_bytes((folder / "Ada" / "1.png").read_bytes())
        review = review_of(folder, CUT)
        twice = entries(review)
        assert [twice[name].state for name in ("Ada/1.png", "Grace/9.png")] == ["added", "left out"]
        assert twice["Grace/9.png"].skipped.kind == "duplicate"
        added = {entry.photo.path for entry in twice.values() if entry.state == "added"}
        everything = load_faces(review.found, CUT)  # asked for all of them, it keeps the same ones
        assert {photo.path for photo in everything.index.photos} == added
        review.leave_out([folder / "Ada" / "1.png"], True)  # it makes room for the second
        assert states(review)["Ada/1.png"] == "left out"
        assert states(review)["Grace/9.png"] == "added"

    def test_corrections_reach_the_plan_and_undo_takes_them_back_unread(self, folder: Path) -> None:
        review, eyes = review_of(folder, CUT), Eyes((6.0, 8.0), (14.0, 8.0))
        first, second = folder / "Ada" / "1.png", folder / "Ada" / "2.png"
        start = states(review)
        review.correct("setting the eyes", {first: Correction(eyes=eyes)})
        assert (states(review)["Ada/1.png"], review.all_corrections_applied) == ("waiting", False)
        planned = {p.path: p.placement for p in review.plan(read_all(review)).found.photos}
        assert review.all_corrections_applied
        assert (planned[first], planned[second]) == (Placement(eyes, "by hand"), Placement())
        review.leave_out([second], True)
        assert entries(review)["Ada/2.png"].skipped.kind == "left out"
        assert (review.undo(), review.undo_title) == ([second], "setting the eyes")
        assert review.undo() == [first]
        assert (states(review), review.tasks()) == (start, [])
        assert (review.undo_title, review.undo()) == (None, [])

    def test_another_size_cuts_again_and_keeps_what_was_corrected(self, folder: Path) -> None:
        review, path = review_of(folder, CUT), folder / "Ada" / "1.png"
        review.correct("turning 1 photo", {path: Correction(turned=1)})
        read_all(review)
        review.preparation = Preparation(32, 32, already_cropped=True)
        assert review.tasks()[0].photo.path == path  # corrected ones first
        review.enrolled = FaceSet.empty((32, 32))
        read_all(review)
        reading = review.current_reading(path)
        assert reading is not None
        assert reading.crop is not None
        assert (reading.crop.shape, reading.size) == ((32, 32), (20, 24))

    def test_what_is_in_the_gallery_is_known_or_replaced(self, folder: Path) -> None:
        turned, *rest = find_photos(folder).photos
        placed = replace(turned, placement=Placement(None, "by hand"), turned=1)
        faces = load_faces(FoundPhotos((placed, *rest)), CUT)
        review = review_of(folder, CUT, faces)
        assert Counter(states(review).values()) == {"known": 4, "left out": 1}
        reading = review.current_reading(turned.path)
        assert reading is not None
        assert (reading.enrolled, reading.size, review.turned(turned.path)) == (True, (20, 24), 1)
        assert np.array_equal(reading.crop, faces.image(0))  # type: ignore[arg-type]
        plan = review.plan(review.entries(review.found))
        again = load_faces(plan.found, CUT, known=faces, already=plan.readings)
        assert (len(faces.join(again)), len(again)) == (4, 4), "what is there is no complaint"
        picture(folder / "Ada" / "2.png", 99)
        review = review_of(folder, CUT, faces)
        sentence = tally_words(review.entries(review.found))
        assert "1 replaces an earlier version, 3 are already in the gallery" in sentence
        review.correct("turning 1 photo", {turned.path: Correction(turned=2)})
        read_all(review)
        assert states(review)["Ada/1.png"] == "replaced"

    def test_what_is_no_face_is_added_by_a_person_alone(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        eyes = Eyes((60.0, 60.0), (100.0, 60.0))
        cloth = (FoundFace(eyes, 0.2, eyes.box),)
        monkeypatch.setattr("eigenfaces.faces.read.find_faces", lambda _: cloth)
        monkeypatch.setattr("eigenfaces.faces.network.is_installed", lambda: False)
        path = tmp_path / "Ada" / "cloth.png"
        path.parent.mkdir()
        striped = np.tile(np.arange(200) // 6 % 2 * 200, (200, 1)).astype(np.uint8)
        Image.fromarray(striped).save(path)
        found = find_photos(tmp_path)
        (skipped,) = load_faces(found, FOUND, guess=True).skipped
        assert (skipped.kind, skipped.needs_choice) == ("not a face", True)
        review = review_of(found, FOUND)
        (entry,) = review.entries(found)
        assert (entry.state, entry.proposed_face) == ("choice", 0)
        assert entry.skipped.reason == skipped.reason
        assert not review.plan([entry]).found.photos
        review.choose_faces("confirming it", {path: 0})
        (entry,) = read_all(review)
        assert (entry.state, entry.concerns, entry.proposed_face) == ("added", (), None)
        plan = review.plan([entry])
        assert len(load_faces(plan.found, FOUND, already=plan.readings, guess=True)) == 1


def place(eyes: Eyes | None) -> int:
    """Return which from the left a face is."""
    assert eyes is not None
    return int(eyes.middle.real // 92)


def places_of(faces: FaceSet) -> Truth:
    return {photo.path: place(photo.placement.eyes) for photo in faces.index.photos}


def chosen_places(listed: list[Entry]) -> Truth:
    return {e.photo.path: place(e.reading.eyes) for e in listed if e.reading is not None}


def sources(faces: FaceSet) -> Counter[str]:
    return Counter(photo.placement.source for photo in faces.index.photos)


class TestGuesses:
    """Five people × three group photographs, whose faces are known."""

    @pytest.fixture(autouse=True)
    def standing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        know_where_they_stand(monkeypatch)

    @pytest.fixture
    def albums(self, tmp_path: Path, att: FaceSet) -> Truth:
        """On one photograph of each they are alone."""
        return write_albums(tmp_path / "albums", att, 5, 3, alone=1)

    @pytest.fixture
    def folder(self, albums: Truth, tmp_path: Path) -> Path:
        return tmp_path / "albums"

    def test_they_are_added_and_confirmed_in_one_step_that_reads_nothing(
        self, folder: Path, albums: Truth
    ) -> None:
        """The window and the terminal choose alike."""
        review = review_of(folder, FOUND)
        listed = review.entries(review.found)
        assert {entry.state for entry in listed} == {"added"}
        assert chosen_places(listed) == albums
        assert {entry.urgency for entry in listed if entry.guessed} == {1}
        assert tally_words(listed) == "15 photos found: 15 will be added (10 guesses)."
        faces = load_faces(find_photos(folder), FOUND, guess=True)
        plan = review.plan(listed)
        reviewed = load_faces(plan.found, FOUND, already=plan.readings)
        assert reviewed.index.photos == faces.index.photos
        assert np.array_equal(reviewed.pixels.array, faces.pixels.array)
        numbers = proposed_faces(listed, guessed=True)
        review.choose_faces("confirming 10 guesses", numbers)
        assert review.tasks() == []
        confirmed = review.entries(review.found)
        assert not [entry for entry in confirmed if entry.guessed or entry.needs_attention]
        assert chosen_places(confirmed) == albums
        plan = review.plan(confirmed)
        after = load_faces(plan.found, FOUND, already=plan.readings)
        assert sources(after) == {"by hand": 10, "found": 5}
        assert set(review.undo()) == set(numbers)
        assert sum(entry.guessed for entry in review.entries(review.found)) == 10

    def test_those_in_the_gallery_can_be_confirmed_or_left_out_later(
        self, folder: Path, albums: Truth
    ) -> None:
        """As they are if a build has taken them, without a person at the screen."""
        built = load_faces(find_photos(folder), FOUND, guess=True)
        review = review_of(folder, FOUND, built)
        listed = review.entries(review.found)
        assert {entry.state for entry in listed} == {"known"}
        assert len(load_faces(review.plan(listed).found, FOUND, known=built)) == 15
        numbers = proposed_faces(listed, guessed=True)
        assert numbers == {path: at for path, at in albums.items() if int(path.stem) >= 1}
        first = next(iter(numbers))
        review.leave_out([first], True)
        decisions = Decisions.among(review.entries(review.found))
        assert (decisions.guesses, decisions.left_out, decisions.verb) == (9, 1, "Keep 1 answer")
        assert decisions.sentence() == "9 to confirm, 1 to leave out, 5 still to decide."
        assert review.undo() == [first]
        review.choose_faces("confirming", numbers)
        plan = review.decided_plan(review.entries(review.found))
        kept = unmoved_faces(built, plan.found.photos)
        faces = load_faces(plan.found, FOUND, known=kept, already=plan.readings)
        described, replaced = match_enrolled(faces, built.index)
        after = built.join(described, {new: old.id for new, old in replaced.items()})
        assert sources(after) == {"by hand": 10, "found": 5}
        assert np.array_equal(after.pixels.array, built.pixels.array)

    def test_a_photograph_on_its_side_is_turned_once(self, folder: Path, albums: Truth) -> None:
        """Whoever recurs is found on it as it was turned: here, in the import, and later."""
        lying = folder / "Person 2" / "2.png"
        with Image.open(lying) as upright:
            upright.transpose(Image.Transpose.ROTATE_90).save(lying)
        review = Review(find_photos(folder), FaceSet.empty(FOUND.shape), FOUND)
        review.correct("turning", {lying: Correction(turned=1)})
        unread = review.plan(review.entries(review.found)).found.photos
        assert [photo.path for photo in unread if photo.turned] == [lying]
        listed = read_all(review)
        plan = review.plan(listed)
        assert places_of(load_faces(plan.found, FOUND, already=plan.readings)) == albums
        guesses = [(e, e.reading) for e in listed if e.guessed and e.reading]
        unchosen = [replace(e, reading=replace(reading, choice=None)) for e, reading in guesses]
        (photo,) = (p for p in review.plan(unchosen).found.photos if p.path == lying)
        assert (photo.placement, photo.turned) == (None, 1)
        found = FoundPhotos((*(p for p in plan.found.photos if p.path != lying), photo))
        built = load_faces(found, FOUND, guess=True)  # the import chooses
        assert places_of(built) == albums
        guess = next(face for face in built.index.photos if face.path == lying)
        assert (guess.placement.source, guess.photograph.turned) == ("guess", 1)
        again = Review(pending_photos((), built.index), built, FOUND)
        guessed = [entry for entry in read_all(again) if entry.guessed]
        assert chosen_places(guessed).items() <= albums.items()
        assert len(guessed) == 10
        alone = review_of(FoundPhotos((Photo(lying, "Ada", turned=1),)), FOUND)
        plan = alone.plan(alone.entries(alone.found))
        (still,) = pending_photos(plan.found.skipped).photos
        assert (still.turned, len(alone.detected_eyes(lying))) == (1, 3)

    def test_too_few_photographs_preselect_and_ask(self, att: FaceSet, tmp_path: Path) -> None:
        write_albums(tmp_path / "few", att, 4, 1)
        listed = read_all(review_of(tmp_path / "few", FOUND))
        assert {(entry.state, entry.urgency) for entry in listed} == {("choice", 3)}
        assert set(chosen_places(listed).values()) == {1}, "in the middle"
        assert "do not show which one is Person 1" in listed[0].skipped.reason
        assert len(proposed_faces(listed, guessed=False)) == 4

    def test_what_a_person_shows_counts_for_the_others(self, att: FaceSet, tmp_path: Path) -> None:
        """Who is said to be meant on five photographs, is looked for on the sixth."""
        write_albums(tmp_path / "said", att, 5, 6, alone=0)
        review = review_of(tmp_path / "said", FOUND)
        *own, last = (e for e in review.entries(review.found) if e.photo.person == "Person 1")
        assert last.choice is not None
        wrong = {path: (at + 1) % 3 for path, at in chosen_places(own).items()}
        review.choose_faces("choosing", wrong)
        undecided = review.undecided(review.entries(review.found))
        assert len(undecided.open) == 30 - 5
        (after,) = (
            choice.likeness for key, choice in undecided.choices().items() if last.photo.path in key
        )
        assert max(after) < max(last.choice.likeness), "nobody recurs among strangers"

    def test_another_size_searches_nothing_and_another_name_is_another_choice(
        self, folder: Path, albums: Truth, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        review, photos = review_of(folder, FOUND), find_photos(folder).photos
        monkeypatch.setattr("eigenfaces.faces.read.find_faces", None)
        undecided = review.undecided(review.entries(review.found))
        assert undecided == review.undecided(review.entries(review.found))
        renamed = review.entries(FoundPhotos(tuple(Photo(p.path, "Zoe") for p in photos)))
        assert not [entry for entry in renamed if entry.guessed]
        assert undecided != review.undecided(renamed)
        review.preparation, review.enrolled = Preparation(64, 64), FaceSet.empty((64, 64))
        listed = read_all(review)
        assert chosen_places(listed) == albums
        assert {entry.reading.crop.shape for entry in listed} == {(64, 64)}
        placed = Placement(Eyes((20.0, 40.0), (60.0, 40.0)), "from a file")
        review = review_of(FoundPhotos(tuple(Photo(p.path, "Ada", placed) for p in photos)), FOUND)
        assert not review.undecided(review.entries(review.found)).open

    def test_of_a_photograph_of_nobody_every_face_is_taken(self, folder: Path) -> None:
        """Once, in an import and in its review alike; if a person chooses one, only that."""
        photos = tuple(Photo(p.path) for p in find_photos(folder / "Person 1").photos)
        found = FoundPhotos(photos)
        faces = load_faces(found, FOUND, guess=True, every=True)
        assert len(faces) == len({photo.id for photo in faces.index.photos}) == 1 + 2 * 3
        again = load_faces(found, FOUND, known=faces, guess=True, every=True)
        assert len(faces.join(again)) == len(faces)
        review = review_of(found, FOUND)
        listed = review.entries(found)
        assert {(entry.state, entry.needs_attention) for entry in listed} == {("added", False)}
        assert "all faces will be added" in listed[-1].status[1]
        review.choose_faces("only one", {photos[-1].path: 1})
        plan = review.plan(review.entries(found))
        reviewed = load_faces(plan.found, FOUND, already=plan.readings, guess=True, every=True)
        assert len(reviewed) == len(faces) - 2
