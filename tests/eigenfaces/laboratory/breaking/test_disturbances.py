"""What disturbs a picture: nothing at neutral, the right thing in the right place otherwise."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eigenfaces import EigenfacesError
from eigenfaces.arrays import Floats
from eigenfaces.faces.crops import as_grey, as_levels
from eigenfaces.laboratory.breaking.disturbances import (
    ACROSS,
    BLUR,
    COVER,
    DARKEN,
    DISTURBANCES,
    DOWN,
    LIGHT,
    NEUTRAL,
    NOISE,
    SIZE,
    TURN,
    Disturbance,
    FacePicture,
    Strengths,
)

SHAPE = (56, 46)


def smooth(margin: int = 0) -> FacePicture:
    """A picture without sharp edges, which survives being resampled."""
    down, across = np.mgrid[: SHAPE[0] + 2 * margin, : SHAPE[1] + 2 * margin] - margin
    waves = np.sin(down / 7) * np.cos(across / 6) + 0.5 * np.sin((down + 2 * across) / 9)
    return FacePicture(as_grey(as_levels(0.5 + 0.3 * waves)), SHAPE)


def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def by(picture: FacePicture, **strengths: float) -> Floats:
    return picture.disturbed(Strengths(**strengths), rng).face


@pytest.mark.parametrize("margin", [0, 20])
def test_nothing_is_changed_where_nothing_acts(margin: int) -> None:
    picture = smooth(margin)
    assert picture.disturbed(NEUTRAL, rng) is picture
    assert not NEUTRAL.acting
    for each in DISTURBANCES.values():
        assert NEUTRAL.but(each, each.neutral) == NEUTRAL


@given(st.sampled_from(sorted(DISTURBANCES)), st.floats(0, 1))
def test_the_result_is_a_face_in_whole_grey_levels(name: str, share: float) -> None:
    each = DISTURBANCES[name]
    strength = each.least + share * (each.most - each.least)
    face = by(smooth(8), **{name: strength})
    assert face.shape == SHAPE
    assert face.dtype == np.float32
    assert np.array_equal(face, as_grey(as_levels(face)))


@pytest.mark.parametrize("each", DISTURBANCES.values(), ids=lambda each: each.name)
def test_more_disturbs_more(each: Disturbance) -> None:
    picture = smooth()
    away = [
        float(
            np.abs(by(picture, **{each.name: each.neutral + sign * strength}) - picture.face).mean()
        )
        for sign in ((1, -1) if each.both_ways else (1,))
        for strength in each.tried[:4]
    ]
    for way in (away[:4], away[4:]):
        assert way == sorted(way)
        assert len(set(way)) == len(way)


@pytest.mark.parametrize(
    ("there", "back"),
    [({"turn": 15}, {"turn": -15}), ({"across": 9}, {"across": -9}), ({"down": -7}, {"down": 7})],
)
def test_there_and_back_is_where_it_was(there: dict[str, float], back: dict[str, float]) -> None:
    picture = smooth(40)
    again = picture.disturbed(Strengths(**there), rng).disturbed(Strengths(**back), rng)
    assert np.abs(again.face - picture.face).max() < 0.03
    assert np.abs(by(picture, **there) - picture.face).max() > 0.2


def test_larger_and_smaller_is_as_it_was() -> None:
    picture = smooth(40)
    again = picture.disturbed(Strengths(size=125), rng).disturbed(Strengths(size=80), rng)
    assert np.abs(again.face - picture.face).max() < 0.03


def test_it_turns_clockwise_and_moves_right_and_down() -> None:
    grey = np.full((41, 41), 0.2, np.float32)
    grey[4:9, 18:23] = 1  # at the top
    picture = FacePicture(grey, (41, 41))

    def bright(**strengths: float) -> tuple[float, float]:
        face = by(picture, **strengths)
        rows, columns = np.nonzero(face > 0.6)
        return rows.mean(), columns.mean()

    assert bright() == (6, 20)
    row, column = bright(turn=40)
    assert row > 8
    assert column > 27
    step = 41 * 10 / 100
    assert bright(across=10) == pytest.approx((6, 20 + step), abs=0.6)
    assert bright(down=10) == pytest.approx((6 + step, 20), abs=0.6)
    assert bright(size=120)[0] == pytest.approx(20.5 - 1.2 * 14.5, abs=0.6)


def test_what_comes_in_from_around_the_face_is_the_photograph() -> None:
    around, alone = smooth(20), FacePicture(smooth(20).face.copy(), SHAPE)
    moved = by(around, across=20)
    step = SHAPE[1] * 20 / 100
    expected = around.grey[20:-20, 20 - round(step) : 20 - round(step) + SHAPE[1]]
    assert np.abs(moved - expected).max() < 0.05
    assert np.abs(by(alone, across=20)[:, :5] - moved[:, :5]).max() > 0.1


@pytest.mark.parametrize("share", [10, 25, 50])
def test_so_much_is_covered_from_below(share: float) -> None:
    picture = FacePicture(np.full((80, 60), 0.9, np.float32), (80, 60))
    face = by(picture, cover=share)
    assert (face < 0.7).mean() == pytest.approx(share / 100, abs=1 / 80)
    assert np.array_equal(face, np.sort(face, axis=0)[::-1])


def test_a_row_is_covered_in_part() -> None:
    picture = FacePicture(np.full((10, 10), 1.0, np.float32), (10, 10))
    assert by(picture, cover=5)[:, 0] == pytest.approx([1] * 9 + [0.75], abs=0.01)


def test_light_comes_from_one_side() -> None:
    picture = FacePicture(np.full((30, 40), 0.8, np.float32), (30, 40))
    right, left = by(picture, light=60), by(picture, light=-60)
    assert (np.diff(right, axis=1) >= 0).all()
    assert np.array_equal(left, right[:, ::-1])
    assert right[:, -1] == pytest.approx(0.8, abs=0.02)
    assert right[:, 0] == pytest.approx(0.32, abs=0.02)


def test_darker_by_so_much() -> None:
    picture = smooth()
    assert by(picture, darken=30) == pytest.approx(0.7 * picture.face, abs=1 / 500)


def test_a_blur_keeps_the_mean_and_takes_the_contrast() -> None:
    picture = smooth(20)
    contrasts = [float(by(picture, blur=sigma).std()) for sigma in (0, 1, 3, 6, 10)]
    assert contrasts == sorted(contrasts, reverse=True)
    whole = picture.disturbed(Strengths(blur=3), rng).grey
    assert whole.mean() == pytest.approx(picture.grey.mean(), abs=0.01)


def test_noise_is_of_the_seed_alone_and_as_strong_as_asked() -> None:
    picture = FacePicture(np.full((80, 80), 0.5, np.float32), (80, 80))
    one, two = by(picture, noise=10), by(picture, noise=10)
    assert np.array_equal(one, two)
    assert one.std() == pytest.approx(0.1, rel=0.05)
    other = picture.disturbed(Strengths(noise=10), lambda: np.random.default_rng(4)).face
    assert not np.array_equal(one, other)


def test_without_noise_no_generator_is_asked_for() -> None:
    def none() -> np.random.Generator:
        raise AssertionError("nothing is drawn")

    assert smooth().disturbed(Strengths(turn=5, blur=1), none).grey.shape == SHAPE


def test_what_covers_a_face_turns_with_it() -> None:
    """The order is documented: what belongs to the face is there before it is turned."""
    picture = FacePicture(np.full((81, 81), 0.9, np.float32), (81, 81))
    face = by(picture, cover=40, turn=40)
    assert face[40, 2] == pytest.approx(0.5, abs=0.01)  # clockwise: below goes to the left
    assert face[60, 78] == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize(("name", "value"), [("turn", 41), ("blur", -1), ("size", np.nan)])
def test_impossible_strengths_are_refused(name: str, value: float) -> None:
    with pytest.raises(EigenfacesError, match="goes from"):
        Strengths(**{name: value})


@given(st.integers(0, 200))
def test_a_random_disturbance_is_a_possible_one_and_disturbs(seed: int) -> None:
    drawn = Strengths.random(np.random.default_rng(seed))
    assert 1 <= len(drawn.acting) <= 3
    assert drawn == Strengths.random(np.random.default_rng(seed))
    for each in drawn.acting:
        assert each.rounded(drawn.of(each)) == drawn.of(each)


def test_strengths_are_written_with_their_units() -> None:
    said = [each.words(each.neutral) for each in DISTURBANCES.values()]
    assert said == ["0°", "0 %", "0 %", "100 %", "0 px", "0 %", "0 %", "0 %", "0 %"]
    assert [LIGHT.words(-30), TURN.away_words(7.62), COVER.away_words(11.4)] == [
        *("−30 %", "7.6°", "11 %")
    ]


def test_every_strength_tried_is_possible() -> None:
    for each in (TURN, ACROSS, DOWN, SIZE, BLUR, DARKEN, LIGHT, COVER, NOISE):
        assert each.tried[0] == 0
        assert list(each.tried) == sorted(set(each.tried))
        for away in each.tried:
            NEUTRAL.but(each, each.neutral + away)
            if each.both_ways:
                NEUTRAL.but(each, each.neutral - away)
        assert each.neutral in each.strengths(33)
