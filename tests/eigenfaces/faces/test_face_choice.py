"""Which face is meant: synthetic people who recur among others, with a known truth."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces.faces import network
from eigenfaces.faces.face_choice import ALONE, Candidates, choose, choose_faces, saliency
from eigenfaces.photographs.placement import Eyes
from eigenfaces.space.arrays import Floats


def test_without_the_network_the_most_salient_face_is_proposed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What stands out by far is taken, as a guess; of one face, nothing is asked."""
    monkeypatch.setattr(network, "is_installed", lambda: False)
    salient = np.array([-1.0, 0.0, -2.0])
    several = Candidates("Ada", np.empty((3, 0), np.float32), salient, np.ones(3))
    alone = Candidates("Ada", np.empty((1, 0), np.float32), np.zeros(1), np.ones(1))
    photos = [several, replace(several, main=1), alone, *[several] * 9]
    unsure, guess, single = choose_faces(photos, [])[:3]
    assert (unsure.face, unsure.kind, unsure.cause) == (1, "ask", "few")
    assert (guess.face, guess.kind, guess.cause) == (1, "guess", "largest")
    assert single == ALONE
    assert "3 faces" in unsure.reason("Ada")


class TestChoose:
    """Numbers of people who are 0.45 from themselves and 0.85 from others, as the network's are."""

    rng = np.random.default_rng(10)

    def face(self, person: int) -> Floats:
        numbers = np.zeros(128)
        numbers[person] = 0.85 / 2**0.5
        noise = self.rng.standard_normal(128)
        return numbers + 0.3 * noise / np.linalg.norm(noise)

    def photo(self, *people: int) -> Candidates:
        """Return a photograph of these people, the first the least salient one."""
        salient = np.arange(len(people)) - float(len(people))
        faces = np.array([self.face(person) for person in people])
        return Candidates("Ada", faces, salient, np.ones(len(people)))

    def test_who_recurs_is_sure_with_few_people_and_in_any_order(self) -> None:
        photos = [self.photo(0, 10 + n, 20 + n) for n in range(5)]
        for order in (photos, photos[::-1]):
            choices = {(c.face, c.kind, c.cause) for c in choose(order)}
            assert choices == {(0, "sure", "recurs")}
        assert [(c.face, c.kind) for c in choose(photos[:2])] == [(0, "guess")] * 2
        assert [c.cause for c in choose(photos[:1])] == ["few"]

    def test_a_face_alone_that_is_somebody_else_waits(self) -> None:
        photos = [self.photo(0) for _ in range(4)]
        *own, other = choose([*photos, self.photo(30)])
        assert {choice.cause for choice in own} == {"recurs"}
        assert other.kind == "ask"
        assert (
            other.reason("Ada") == "The face does not look like those in the other photos of Ada."
        )
        assert choose([self.photo(0), self.photo(30)]) == [ALONE] * 2

    def test_a_companion_is_not_taken_for_the_person(self) -> None:
        photos = [self.photo(0, 1) for _ in range(4)] + [self.photo(0) for _ in range(5)]
        *together, companion = choose([*photos, self.photo(1)])
        assert {choice.face for choice in together} == {0}
        assert companion.cause == "unlike"
        always = choose([self.photo(0, 1) for _ in range(6)])
        assert {choice.cause for choice in always} == {"close"}

    def pair(self, apart: float, sizes: tuple[float, float]) -> Candidates:
        """Return a photograph of two faces that look equally like person 0."""
        faces = np.zeros((2, 128))
        faces[:, 0] = 0.85 / 2**0.5
        faces[:, 100] = apart / 2, -apart / 2
        return Candidates("Ada", faces, np.array([-0.1, 0.0]), np.array(sizes))

    def test_one_person_twice_is_no_question_and_the_larger_is_taken(self) -> None:
        others = [self.photo(0) for _ in range(4)]
        for apart, *expected in ((0.49, 0, "sure", "recurs"), (0.51, 1, "ask", "close")):
            *_, choice = choose([*others, self.pair(apart, (9, 8))])
            assert [choice.face, choice.kind, choice.cause] == expected
        for apart, *expected in ((0.49, 0, "guess", "twice"), (0.51, 1, "ask", "few")):
            (choice,) = choose([self.pair(apart, (9, 8))])
            assert [choice.face, choice.kind, choice.cause] == expected

    @pytest.mark.parametrize(("size", "cause"), [(25, "recurs"), (26, "close")])
    def test_a_tiny_second_face_is_no_rival(self, size: float, cause: str) -> None:
        photo = self.pair(0.6, (size, 100))
        *_, choice = choose([*(self.photo(0) for _ in range(4)), photo])
        assert (choice.face, choice.cause) == (1, cause)

    def test_a_folder_of_several_people_has_none_who_stands_out(self) -> None:
        choices = choose([self.photo(n % 12) for n in range(60)])
        assert {(choice.kind, choice.cause) for choice in choices} == {("sure", "mixed")}
        mostly_one = [self.photo(0)] * 5 + [self.photo(n) for n in range(1, 4)]
        assert [c.cause for c in choose(mostly_one)] == ["recurs"] * 5 + ["unlike"] * 3
        pairs = [self.photo(2 * n, 2 * n + 1) for n in range(9)]
        assert {choice.kind for choice in choose(pairs)} == {"ask"}


def test_the_large_the_central_and_the_certain_are_salient() -> None:
    def face(x: float, y: float, distance: float) -> Eyes:
        return Eyes.at(complex(x, y), complex(distance))

    size, large, small = (400, 600), face(300, 200, 80), face(300, 200, 40)
    ranked = saliency([small, face(60, 60, 80), large], [0.0, 0.0, 0.0], size)
    assert ranked.argmax() == 2
    assert (ranked <= 0).all()
    assert saliency([small], [1.0], size) == pytest.approx([0])
    faces = [face(100, 200, 50), face(500, 200, 50), face(300, 50, 50)]
    by_score = saliency(faces, [5.0, -1.0, 2.0], size)
    assert np.array_equal(by_score, saliency(faces, [2.1, -0.2, 0.3], size)), "only by their order"
    assert by_score[0] > by_score[1]
