"""Which face is meant on real faces, from files to the gallery, and while an import is reviewed."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from groups import PEOPLE, find_standing, know_where_they_stand, masked, write_albums
from PIL import Image

from eigenfaces import Cancelled, FaceSet, Gallery, Preparation, Recipe, find_photos, load_faces
from eigenfaces.errors import Tick, no_tick
from eigenfaces.faces import network, read
from eigenfaces.faces.quality import concerns
from eigenfaces.faces.read import FaceReading
from eigenfaces.importing.correct import Correction, read_for_review
from eigenfaces.importing.entries import Entry
from eigenfaces.importing.load import Enrolment, unmoved_faces
from eigenfaces.importing.review import Review
from eigenfaces.photographs.photos import Eyes, FoundPhotos, Photo, Placement
from eigenfaces.project.save import waiting
from eigenfaces.recognition.gallery_quality import PhotoChecks, check_photos

PREPARATION = Preparation()
Truth = dict[Path, int]


@pytest.fixture(autouse=True)
def standing(monkeypatch: pytest.MonkeyPatch) -> None:
    know_where_they_stand(monkeypatch)


@pytest.fixture
def albums(tmp_path: Path, att: FaceSet) -> Truth:
    """Five people × three photographs; on one of these they are alone."""
    return write_albums(tmp_path / "albums", att, 5, 3, alone=1)


@pytest.fixture
def folder(albums: Truth, tmp_path: Path) -> Path:
    return tmp_path / "albums"


def place(eyes: Eyes | None) -> int:
    """Return which from the left a face is."""
    assert eyes is not None
    return int(eyes.middle.real // 92)


def read_all(review: Review) -> list[Entry]:
    for task in review.tasks():
        review.keep(read_for_review(task, review.preparation, review.enrolled))
    entries = review.entries(review.found)
    review.choices = review.undecided(entries).choices()
    return review.entries(review.found)


def reviewed(folder: Path, held: FaceSet | None = None) -> Review:
    found = find_photos(folder)
    return Review(found, held or FaceSet.empty(PREPARATION.shape), PREPARATION)


def places_of(faces: FaceSet) -> Truth:
    return {photo.path: place(photo.placement.eyes) for photo in faces.index.photos}


def eyes_of(entry: Entry) -> Eyes:
    assert entry.reading is not None
    assert entry.reading.eyes is not None
    return entry.reading.eyes


class TestLoading:
    def test_who_recurs_is_enrolled_and_marked_as_a_guess(
        self, folder: Path, albums: Truth
    ) -> None:
        noticed: list[FaceReading] = []
        photos = find_photos(folder).photos[::-1]  # their order does not matter
        faces = load_faces(FoundPhotos(photos), PREPARATION, guess=True, notice=noticed.append)
        assert [photo.path for photo in faces.index.photos] == [photo.path for photo in photos]
        assert places_of(faces) == albums
        kinds = {r.photo.path: [c.kind for c in concerns(r, PREPARATION)] for r in noticed}
        assert {path for path, found in kinds.items() if "guess" in found} == {
            path for path in albums if int(path.stem) >= 1
        }
        for row, photo in enumerate(faces.index.photos):
            (reading,) = (each for each in noticed if each.photo.path == photo.path)
            assert np.array_equal(reading.face, faces.image(row))

    def test_it_is_stopped_while_faces_are_described(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begun: list[object] = []

        def describe(chips: object, tick: Tick) -> None:
            begun.append(chips)
            tick(0, 1)

        def tick(done: int, total: int) -> None:
            if begun:
                raise Cancelled

        monkeypatch.setattr(network, "describe_many", describe)
        monkeypatch.setattr(read, "DESCRIPTIONS", network.Descriptions())
        with pytest.raises(Cancelled):
            load_faces(find_photos(folder), PREPARATION, tick, guess=True)

    def test_without_guessing_none_of_several_is_taken(self, folder: Path) -> None:
        photos = find_photos(folder).photos
        unnamed = FoundPhotos(tuple(Photo(photo.path) for photo in photos))  # they recur nowhere
        for found, guess in ((FoundPhotos(photos), False), (unnamed, True)):
            faces = load_faces(found, PREPARATION, guess=guess)
            assert len(faces) == 5
            assert {each.kind for each in faces.skipped} == {"several faces"}

    def test_photographs_in_the_gallery_say_who_recurs(self, att: FaceSet, tmp_path: Path) -> None:
        """One photograph of three people is enough, where eight of the person are enrolled."""
        truth = write_albums(tmp_path / "new", att, 5, 1)
        photo = find_photos(tmp_path / "new").photos[0]
        rows = [10 * person + n for person in PEOPLE[:5] for n in range(1, 9)]
        names = [f"Person {PEOPLE.index(row // 10) + 1}" for row in rows]
        middle = np.array(
            [_cut(masked(att.image(row), 1000 + PEOPLE.index(row // 10))) for row in rows]
        )
        held = FaceSet.from_arrays(middle, names)
        faces = load_faces(FoundPhotos((photo,)), PREPARATION, guess=True, known=held)
        assert [place(each.placement.eyes) for each in faces.index.photos] == [truth[photo.path]]
        nobody = load_faces(FoundPhotos((photo,)), PREPARATION, guess=True)
        assert [each.kind for each in nobody.skipped] == ["several faces"]


def _cut(image: np.ndarray) -> np.ndarray:
    return PREPARATION.crop(image, find_standing(image)[0].eyes)


def turned_on_its_side(folder: Path) -> Path:
    lying = folder / "Person 2" / "2.png"
    with Image.open(lying) as upright:
        upright.transpose(Image.Transpose.ROTATE_90).save(lying)
    return lying


class TestReview:
    def test_guesses_will_be_added_and_need_a_look(self, folder: Path, albums: Truth) -> None:
        """The window and the terminal choose alike."""
        review = reviewed(folder)
        entries = read_all(review)
        assert {entry.state for entry in entries} == {"added"}
        assert {entry.photo.path: place(eyes_of(entry)) for entry in entries} == albums
        guessed = [entry for entry in entries if entry.guessed]
        assert len(guessed) == 10
        assert all(entry.needs_attention for entry in guessed)
        assert {entry.concerns[0].title for entry in guessed} == {"A guess"}
        faces = load_faces(find_photos(folder), PREPARATION, guess=True)
        plan = review.plan(entries)
        seen = load_faces(plan.found, PREPARATION, already=plan.readings)
        placed = [photo.placement for photo in seen.index.photos]
        assert placed == [photo.placement for photo in faces.index.photos]
        assert np.array_equal(seen.pixels.held, faces.pixels.held)

    def test_a_photograph_that_lies_on_its_side_is_turned_by_hand_once(
        self, folder: Path, albums: Truth
    ) -> None:
        """Whoever recurs is found on it as it was turned: here, in the import, and later."""
        lying = turned_on_its_side(folder)
        review = reviewed(folder)
        review.correct("turning", {lying: Correction(turned=1)})
        unread = review.plan(review.entries(review.found)).found.photos
        assert [photo.path for photo in unread if photo.turned] == [lying]
        entries = read_all(review)
        entry = next(entry for entry in entries if entry.photo.path == lying)
        assert (entry.guessed, place(eyes_of(entry))) == (True, albums[lying])
        plan = review.plan(entries)
        seen = load_faces(plan.found, PREPARATION, already=plan.readings)
        assert places_of(seen) == albums
        undecided = [replace(entry, choice=None) for entry in entries if entry.guessed]
        (open_,) = (each for each in review.plan(undecided).found.photos if each.path == lying)
        assert (open_.placement, open_.turned) == (None, 1)
        found = FoundPhotos((*(p for p in plan.found.photos if p.path != lying), open_))
        built = load_faces(found, PREPARATION, guess=True)  # the import chooses
        assert places_of(built) == albums
        guess = next(each for each in built.index.photos if each.path == lying)
        assert (guess.placement.source, guess.placement.turned) == ("guess", 1)
        again = Review(waiting((), built.index), built, PREPARATION)
        assert {e.photo.path: place(eyes_of(e)) for e in read_all(again) if e.guessed} == {
            path: at for path, at in albums.items() if int(path.stem) >= 1
        }

    def test_a_turned_photograph_without_a_choice_waits_as_it_was_turned(
        self, folder: Path
    ) -> None:
        lying = turned_on_its_side(folder)
        few = tuple(each for each in find_photos(folder).photos if each.path == lying)
        review = Review(FoundPhotos(few), FaceSet.empty(PREPARATION.shape), PREPARATION)
        review.correct("turning", {lying: Correction(turned=1)})
        plan = review.plan(read_all(review))
        (waits,) = waiting([each for each in plan.found.skipped if each.path == lying]).photos
        assert waits.turned == 1
        again = Review(FoundPhotos((waits,)), FaceSet.empty(PREPARATION.shape), PREPARATION)
        (entry,) = read_all(again)
        assert len(again.faces(lying)) == 3
        assert entry.skipped.turned == 1
        assert again.can_undo is None

    def test_confirming_all_is_one_step_and_reads_nothing(self, folder: Path) -> None:
        review = reviewed(folder)
        entries = read_all(review)
        numbers = {e.photo.path: e.choice.face for e in entries if e.guessed and e.choice}
        before = {entry.photo.path: eyes_of(entry) for entry in entries}
        review.choose("confirming 10 guesses", numbers)
        assert review.tasks() == []
        confirmed = review.entries(review.found)
        assert not [entry for entry in confirmed if entry.guessed or entry.needs_attention]
        assert {entry.photo.path: eyes_of(entry) for entry in confirmed} == before
        sources = Counter(e.reading.photo.placement.source for e in confirmed)
        assert sources == {"by hand": 10, "found": 5}
        assert review.can_undo == "confirming 10 guesses"
        assert set(review.undo()) == set(numbers)
        assert len([entry for entry in review.entries(review.found) if entry.guessed]) == 10

    def test_guesses_in_the_gallery_are_marked_and_can_be_confirmed_later(
        self, folder: Path, albums: Truth
    ) -> None:
        """As they are where a build has taken them, without a person at the screen."""
        built = load_faces(find_photos(folder), PREPARATION, guess=True)
        sources = Counter(photo.placement.source for photo in built.index.photos)
        assert sources == {"guess": 10, "found": 5}
        checks = check_photos(Gallery(built, PREPARATION, Recipe()), PhotoChecks(), no_tick)
        assert Counter(each.kind for each in checks.concerns.values())["guess"] == 10
        review = reviewed(folder, built)
        entries = read_all(review)
        assert {entry.state for entry in entries} == {"known"}
        assert len(load_faces(review.plan(entries).found, PREPARATION, known=built)) == 15
        numbers = {e.photo.path: e.choice.face for e in entries if e.guessed and e.choice}
        assert numbers == {path: at for path, at in albums.items() if int(path.stem) >= 1}
        review.choose("confirming", numbers)
        plan = review.plan(review.entries(review.found))
        kept = unmoved_faces(built, plan.found.photos)
        faces = load_faces(plan.found, PREPARATION, known=kept, already=plan.readings)
        enrolment = Enrolment.of(faces, built.index)
        after = built.join(enrolment.faces, enrolment.places)
        sources = Counter(photo.placement.source for photo in after.index.photos)
        assert sources == {"by hand": 10, "found": 5}
        assert np.array_equal(after.pixels.held, built.pixels.held)

    def test_too_few_photographs_preselect_and_ask(self, att: FaceSet, tmp_path: Path) -> None:
        write_albums(tmp_path / "few", att, 4, 1)
        entries = read_all(reviewed(tmp_path / "few"))
        assert [entry.state for entry in entries] == ["choice"] * 4
        assert [place(eyes_of(entry)) for entry in entries] == [1] * 4, "in the middle"
        assert "do not tell which one is Person 1" in entries[0].skipped.reason

    def test_what_a_person_shows_counts_for_the_others(self, att: FaceSet, tmp_path: Path) -> None:
        """Who is said to be meant on five photographs, is looked for on the sixth."""
        write_albums(tmp_path / "said", att, 5, 7, alone=0)
        review = reviewed(tmp_path / "said")
        entries = read_all(review)
        own = [entry for entry in entries if entry.photo.person == "Person 1"]
        assert own[-1].choice is not None
        before = own[-1].choice.likeness
        wrong = {entry.photo.path: (place(eyes_of(entry)) + 1) % 3 for entry in own[:-1]}
        review.choose("choosing", wrong)
        entries = review.entries(review.found)
        undecided = review.undecided(entries)
        assert len(undecided.open) == 35 - 6
        review.choices = undecided.choices()
        after = next(
            choice.likeness for key, choice in review.choices.items() if own[-1].photo.path in key
        )
        assert max(after) < max(before), "nobody recurs among strangers"

    def test_another_size_cuts_all_faces_anew_and_searches_nothing(
        self, folder: Path, albums: Truth, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        review = reviewed(folder)
        read_all(review)

        def searched(*_: object) -> None:
            raise AssertionError("found already")

        monkeypatch.setattr("eigenfaces.faces.read.find_faces", searched)
        review.preparation = Preparation(64, 64)
        review.enrolled = FaceSet.empty((64, 64))
        entries = read_all(review)
        assert {entry.photo.path: place(eyes_of(entry)) for entry in entries} == albums
        assert {entry.reading.crop.shape for entry in entries} == {(64, 64)}

    def test_nothing_is_undecided_where_the_faces_are_shown(self, folder: Path) -> None:
        placed = Placement(Eyes((20.0, 40.0), (60.0, 40.0)), "from a file")
        photos = tuple(Photo(p.path, p.person, placed) for p in find_photos(folder).photos)
        review = Review(FoundPhotos(photos), FaceSet.empty(PREPARATION.shape), PREPARATION)
        entries = read_all(review)
        assert not review.undecided(entries).open
        assert not [entry for entry in entries if entry.choice is not None]

    def test_a_name_changed_is_another_choice(self, folder: Path) -> None:
        review = reviewed(folder)
        entries = read_all(review)
        undecided = review.undecided(entries)
        assert undecided == review.undecided(entries)
        other = FoundPhotos(tuple(Photo(p.path, "Zoe") for p in review.found.photos))
        renamed = review.entries(other)
        assert not [entry for entry in renamed if entry.guessed]
        assert undecided != review.undecided(renamed)


def test_of_a_photograph_of_nobody_every_face_is_taken(folder: Path) -> None:
    """Once, in an import and in its review alike; without a person one is chosen, only that."""
    photos = tuple(Photo(p.path) for p in find_photos(folder / "Person 1").photos)
    found = FoundPhotos(photos)
    faces = load_faces(found, PREPARATION, guess=True, every=True)
    assert len(faces) == len({photo.key for photo in faces.index.photos}) == 1 + 2 * 3
    assert Counter(photo.path for photo in faces.index.photos)[photos[-1].path] == 3
    again = load_faces(found, PREPARATION, known=faces, guess=True, every=True)
    assert len(faces.join(again)) == len(faces)
    review = Review(found, FaceSet.empty(PREPARATION.shape), PREPARATION)
    entries = read_all(review)
    assert {(entry.state, entry.needs_attention) for entry in entries} == {("added", False)}
    review.choose("only one", {photos[-1].path: 1})
    plan = review.plan(review.entries(found))
    seen = load_faces(plan.found, PREPARATION, already=plan.readings, guess=True, every=True)
    assert len(seen) == len(faces) - 2
