"""Which face is meant: synthetic people who recur among others, with a known truth."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces.faces import network
from eigenfaces.faces.face_choice import ALONE, Candidates, choose, choose_faces, saliency
from eigenfaces.photographs.photos import Eyes
from eigenfaces.space.arrays import Floats


def test_without_the_network_the_most_prominent_face_is_proposed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What stands out by far is taken, as a guess; where there is one face, nothing is asked."""
    monkeypatch.setattr(network, "is_there", lambda: False)
    several = Candidates("Ada", np.empty((3, 0), np.float32), np.array([-1.0, 0.0, -2.0]))
    alone = Candidates("Ada", np.empty((1, 0), np.float32), np.zeros(1))
    photos = [several, replace(several, main=1), alone]
    asked, taken, single = choose_faces([*photos, *[several] * 9], [])[:3]
    assert (asked.face, asked.kind, asked.cause) == (1, "ask", "few")
    assert (taken.face, taken.kind, taken.cause) == (1, "guess", "largest")
    assert single == ALONE
    assert "3 faces" in asked.reason("Ada")


class TestChoose:
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
            chosen = choose(some)
            assert [(each.face, each.kind, each.cause) for each in chosen] == [
                (0, "sure", "recurs")
            ] * 5
        two = choose(photos[:2])
        assert [(each.face, each.kind) for each in two] == [(0, "guess")] * 2
        assert [each.cause for each in choose(photos[:1])] == ["few"]

    def test_a_face_alone_that_is_somebody_else_waits(self) -> None:
        photos = [self.photo(0) for _ in range(4)]
        assert {each.cause for each in choose(photos)} == {"recurs"}
        *_, other = choose([*photos, self.photo(30)])
        assert (other.kind, other.reason("Ada")) == (
            "ask",
            "The face in it is not like the other photos of Ada.",
        )
        assert choose([self.photo(0), self.photo(30)]) == [ALONE] * 2

    def test_a_companion_is_not_taken_for_the_person(self) -> None:
        """Alone, too, whoever often stands beside somebody is not that person."""
        photos = [self.photo(0, 1) for _ in range(4)] + [self.photo(0) for _ in range(5)]
        *together, companion = choose([*photos, self.photo(1)])
        assert {each.face for each in together} == {0}
        assert companion.cause == "unlike"

    def test_a_folder_of_several_people_has_none_who_stands_out(self) -> None:
        """A group of strangers is no person with many wrong photographs."""
        chosen = choose([self.photo(n % 12) for n in range(60)])
        assert {(each.kind, each.cause) for each in chosen} == {("sure", "mixed")}
        two = [self.photo(0)] * 5 + [self.photo(n) for n in range(1, 4)]
        causes = [each.cause for each in choose(two)]
        assert causes == ["recurs"] * 5 + ["unlike"] * 3

    def test_two_who_are_always_together_are_asked_for(self) -> None:
        chosen = choose([self.photo(0, 1) for _ in range(6)])
        assert {each.cause for each in chosen} == {"close"}


class TestProminence:
    size = (400, 600)

    def face(self, x: float, y: float, distance: float) -> Eyes:
        return Eyes.at(complex(x, y), complex(distance))

    def test_the_large_and_the_central_stand_out(self) -> None:
        large, small = self.face(300, 200, 80), self.face(300, 200, 40)
        aside = self.face(60, 60, 80)
        ranked = saliency([small, aside, large], [0.0, 0.0, 0.0], self.size)
        assert ranked.argmax() == 2
        assert (ranked <= 0).all()
        assert saliency([small], [1.0], self.size) == pytest.approx([0])

    def test_only_the_order_of_scores_counts(self) -> None:
        faces = [self.face(100, 200, 50), self.face(500, 200, 50), self.face(300, 50, 50)]
        by_log_odds = saliency(faces, [5.0, -1.0, 2.0], self.size)
        assert np.array_equal(by_log_odds, saliency(faces, [2.1, -0.2, 0.3], self.size))
        assert by_log_odds[0] > by_log_odds[1]
