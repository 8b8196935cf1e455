"""Which face is meant: synthetic people who recur among others, with a known truth."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from eigenfaces.faces.choose import (
    ALONE,
    PEOPLE,
    PHOTOS,
    Candidates,
    FaceChoice,
    choose,
    choose_by_network,
    prominence,
)
from eigenfaces.photographs.photos import Eyes
from eigenfaces.space.arrays import Floats

LENGTH = 300


class Crowd:
    """People whose photographs are alike, and others who stand beside them once."""

    def __init__(self, seed: int = 0, *, alike: float = 1.0) -> None:
        self.rng = np.random.default_rng(seed)
        self.alike = alike
        self.typical = 3 * self.anybody()  # what all faces have in common

    def anybody(self) -> Floats:
        return self.rng.standard_normal(LENGTH).astype(np.float32)

    def photo_of(self, face: Floats) -> Floats:
        seen = self.typical + self.alike * face + self.anybody()
        return seen / np.linalg.norm(seen)

    def photo(self, person: str, face: Floats, faces: int) -> tuple[Candidates, int]:
        """Return a photograph of a person among others, and which face is that person's."""
        true = int(self.rng.integers(faces))
        textures = [self.photo_of(self.anybody()) for _ in range(faces)]
        textures[true] = self.photo_of(face)
        prominent = -self.rng.uniform(0, 2, faces)
        return Candidates(person, np.array(textures), prominent), true

    def album(self, people: int, photos: int, most: int = 4) -> tuple[list[Candidates], list[int]]:
        made = []
        for number in range(people):
            face = self.anybody()
            sizes = self.rng.integers(1, most + 1, photos)
            made += [self.photo(f"Person {number}", face, size) for size in sizes]
        return [photo for photo, _ in made], [true for _, true in made]


def several(photos: Sequence[Candidates], choices: Sequence[FaceChoice]) -> list[FaceChoice]:
    return [c for photo, c in zip(photos, choices, strict=True) if len(photo.faces) > 1]


@pytest.mark.parametrize(("seed", "people"), [(0, 8), (1, 8), (2, 8), (3, 8), (4, 60)])
def test_who_recurs_is_found_although_others_are_more_prominent(seed: int, people: int) -> None:
    photos, truth = Crowd(seed).album(people, photos=10)
    choices = choose(photos)
    assert [choice.face for choice in choices] == truth
    assert {choice.kind for choice in several(photos, choices)} == {"guess"}
    prominent = [int(photo.prominence.argmax()) for photo in photos]
    assert prominent != truth


def test_every_choice_says_why_and_the_order_of_photographs_does_not_matter() -> None:
    photos, _ = Crowd(1, alike=0.4).album(people=6, photos=9)
    choices = choose(photos)
    assert {choice.kind for choice in choices} == {"sure", "guess", "ask"}
    for choice in several(photos, choices):
        assert f"{len(choice.likeness)} faces" in choice.reason("Ada")
        assert choice.reason("Ada").endswith(".")
    order = np.random.default_rng(2).permutation(len(photos))
    again = choose([photos[row] for row in order])
    for row, choice in zip(order, again, strict=True):
        assert (choice.face, choice.kind) == (choices[row].face, choices[row].kind)
        assert choice.likeness == pytest.approx(choices[row].likeness, abs=1e-5)


def test_what_is_taken_is_right_and_what_is_hard_is_asked() -> None:
    """The less people differ, the more is asked: hardly anything is taken wrongly."""
    asked = []
    for alike in (1.0, 0.6, 0.4):
        outcomes: Counter[str] = Counter()
        for seed in range(6):
            photos, truth = Crowd(seed, alike=alike).album(people=8, photos=10)
            for photo, true, choice in zip(photos, truth, choose(photos), strict=True):
                if len(photo.faces) > 1:
                    taken = "right" if choice.face == true else "wrong"
                    outcomes["asked" if choice.kind == "ask" else taken] += 1
        assert outcomes["wrong"] <= 0.03 * outcomes.total()
        asked.append(outcomes["asked"] / outcomes.total())
    assert asked == sorted(asked)
    assert asked[0] < 0.01 < asked[-1]


def test_a_photograph_of_one_face_is_settled_and_counts() -> None:
    """Nine settled photographs say who is meant on the tenth."""
    crowd = Crowd(5)
    photos, truth = [], []
    for number in range(PEOPLE):
        face = crowd.anybody()
        made = [crowd.photo(f"{number}", face, 1 if n else 3) for n in range(10)]
        photos += [photo for photo, _ in made]
        truth += [true for _, true in made]
    choices = choose(photos)
    assert [choice.face for choice in choices] == truth
    assert [choice for row, choice in enumerate(choices) if row % 10] == [ALONE] * 9 * PEOPLE
    assert [choices[10 * number].kind for number in range(PEOPLE)] == ["guess"] * PEOPLE
    alone = choose([photo for row, photo in enumerate(photos) if row % 10 == 0])
    assert {choice.cause for choice in alone} == {"few"}


@pytest.mark.parametrize(
    ("people", "photos"), [(PEOPLE - 1, 10), (PEOPLE, PHOTOS - 1), (1, 1), (1, 2), (2, 1)]
)
def test_with_few_people_or_photographs_the_likely_face_is_only_preselected(
    people: int, photos: int
) -> None:
    album, truth = Crowd(6).album(people, photos)
    choices = choose(album)
    assert {choice.kind for choice in several(album, choices)} <= {"ask"}
    if people > 1 and photos > 2:
        assert [choice.face for choice in choices] == truth
    album, _ = Crowd(6).album(PEOPLE, PHOTOS)  # with enough of both, it is taken
    assert {choice.kind for choice in several(album, choose(album))} == {"guess"}


def test_a_face_by_far_the_largest_is_taken_and_where_it_recurs_it_is_sure() -> None:
    photos, truth = Crowd(7).album(people=6, photos=8)
    choices = choose([replace(p, main=t) for p, t in zip(photos, truth, strict=True)])
    assert {choice.kind for choice in choices} == {"sure"}
    few = choose([replace(photos[0], prominence=np.zeros(len(photos[0].faces)), main=0)])
    assert (few[0].kind, few[0].cause) == ("guess", "largest")


def test_a_large_face_that_does_not_recur_is_not_taken() -> None:
    photos, truth = Crowd(8).album(people=6, photos=8, most=3)
    others = [
        None if len(p.faces) == 1 else (t + 1) % len(p.faces)
        for p, t in zip(photos, truth, strict=True)
    ]
    choices = choose([replace(p, main=m) for p, m in zip(photos, others, strict=True)])
    assert [choice.face for choice in choices] == truth
    assert {choice.kind for choice in several(photos, choices)} == {"guess"}


def test_nobody_recurs() -> None:
    crowd = Crowd(9)
    photos = [crowd.photo(f"{n % 5}", crowd.anybody(), 3)[0] for n in range(50)]
    alike = [replace(photo, prominence=np.zeros(3)) for photo in photos]
    kinds = Counter(choice.kind for choice in choose(alike))
    assert kinds["ask"] > 0.8 * kinds.total()
    assert not kinds["sure"]


class TestByNetwork:
    """Numbers of people who are 0.45 from themselves and 0.85 from others, as the network's are."""

    rng = np.random.default_rng(10)

    def face(self, person: int) -> Floats:
        own = np.zeros(128)
        own[person] = 0.85 / 2**0.5
        noise = self.rng.standard_normal(128)
        return own + 0.3 * noise / np.linalg.norm(noise)

    def photo(self, *people: int) -> Candidates:
        """Return a photograph of these people, the first the least prominent one."""
        prominent = np.arange(len(people)) - float(len(people))
        return Candidates("Ada", np.array([self.face(each) for each in people]), prominent)

    def test_who_recurs_is_sure_with_few_people_and_in_any_order(self) -> None:
        photos = [self.photo(0, 10 + n, 20 + n) for n in range(5)]
        for some in (photos, photos[::-1]):
            chosen = choose_by_network(some)
            assert [(each.face, each.kind, each.cause) for each in chosen] == [
                (0, "sure", "recurs")
            ] * 5
        two = choose_by_network(photos[:2])
        assert [(each.face, each.kind) for each in two] == [(0, "guess")] * 2
        assert [each.cause for each in choose_by_network(photos[:1])] == ["few"]

    def test_a_face_alone_that_is_somebody_else_waits(self) -> None:
        photos = [self.photo(0) for _ in range(4)]
        assert {each.cause for each in choose_by_network(photos)} == {"recurs"}
        *_, other = choose_by_network([*photos, self.photo(30)])
        assert (other.kind, other.reason("Ada")) == (
            "ask",
            "The face in it is not like the other photos of Ada.",
        )
        assert choose_by_network([self.photo(0), self.photo(30)]) == [ALONE] * 2

    def test_a_companion_is_not_taken_for_the_person(self) -> None:
        """Alone, too, whoever often stands beside somebody is not that person."""
        photos = [self.photo(0, 1) for _ in range(4)] + [self.photo(0) for _ in range(5)]
        *together, companion = choose_by_network([*photos, self.photo(1)])
        assert {each.face for each in together} == {0}
        assert companion.cause == "unlike"

    def test_a_folder_of_several_people_has_none_who_stands_out(self) -> None:
        """A group of strangers is no person with many wrong photographs."""
        chosen = choose_by_network([self.photo(n % 12) for n in range(60)])
        assert {(each.kind, each.cause) for each in chosen} == {("sure", "mixed")}
        two = [self.photo(0)] * 5 + [self.photo(n) for n in range(1, 4)]
        causes = [each.cause for each in choose_by_network(two)]
        assert causes == ["recurs"] * 5 + ["unlike"] * 3

    def test_two_who_are_always_together_are_asked_for(self) -> None:
        chosen = choose_by_network([self.photo(0, 1) for _ in range(6)])
        assert {each.cause for each in chosen} == {"close"}


class TestProminence:
    size = (400, 600)

    def face(self, x: float, y: float, distance: float) -> Eyes:
        return Eyes.at(complex(x, y), complex(distance))

    def test_the_large_and_the_central_stand_out(self) -> None:
        large, small = self.face(300, 200, 80), self.face(300, 200, 40)
        aside = self.face(60, 60, 80)
        ranked = prominence([small, aside, large], [0.0, 0.0, 0.0], self.size)
        assert ranked.argmax() == 2
        assert (ranked <= 0).all()
        assert prominence([], [], self.size).shape == (0,)
        assert prominence([small], [1.0], self.size) == pytest.approx([0])

    def test_only_the_order_of_scores_counts(self) -> None:
        faces = [self.face(100, 200, 50), self.face(500, 200, 50), self.face(300, 50, 50)]
        by_log_odds = prominence(faces, [5.0, -1.0, 2.0], self.size)
        assert np.array_equal(by_log_odds, prominence(faces, [2.1, -0.2, 0.3], self.size))
        assert by_log_odds[0] > by_log_odds[1]
