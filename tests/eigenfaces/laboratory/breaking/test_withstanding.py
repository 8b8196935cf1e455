"""What recipes withstand: counted on held-out photographs, the same each time, and read off."""

import csv
import io
import math

import numpy as np
import pytest
import synthetic

from eigenfaces import EigenfacesError, FaceSet, Gallery, Preparation, Recipe
from eigenfaces.arrays import Doubles
from eigenfaces.errors import Cancelled
from eigenfaces.evaluation.intervals import share_intervals
from eigenfaces.laboratory.breaking.disturbances import BLUR, COVER, NOISE, TURN
from eigenfaces.laboratory.breaking.withstanding import (
    RecipeLine,
    Trial,
    Withstood,
    crossing,
    withstood_table,
)
from eigenfaces.recognition.verdict import identify
from eigenfaces.samples import PREPARATION


@pytest.fixture(scope="module")
def trial() -> Trial:
    return Trial.of(synthetic.small_gallery(), seed=1)


@pytest.fixture(scope="module")
def sample(att: FaceSet) -> Trial:
    """Ten people with five photographs each: one of each person is held out."""
    rows = [row for row in range(100) if row % 10 < 5]
    return Trial.of(Gallery(att.select(rows), PREPARATION, Recipe()).train())


def test_nobody_held_out_is_trained_on(sample: Trial) -> None:
    assert len(sample.pictures) == 10
    assert sample.words == "10 held-out photos of 10 people, 40 enrolled"
    for gallery in sample.galleries:
        assert gallery.changes == 0
        enrolled = {gallery.faces.image(row).tobytes() for row in range(len(gallery.faces))}
        assert not enrolled & {picture.face.tobytes() for picture in sample.pictures}
    assert [each.recipe.name for each in sample.galleries] == [
        *("Eigenfaces", "Discriminant", "Texture")
    ]


def test_enrolled_and_held_out_are_cut_anew_alike(sample: Trial) -> None:
    before, anew = sample.galleries[0].faces, sample.aligned[0].faces
    assert anew.index is before.index
    assert not np.array_equal(anew.image(0), before.image(0))


def test_undisturbed_it_is_a_plain_search(trial: Trial) -> None:
    found = trial.measure(BLUR)
    for gallery, line in zip(trial.galleries, found.lines, strict=True):
        right = [
            identify(gallery, picture.face).closest.person == person
            for picture, person in zip(trial.pictures, trial.people, strict=True)
        ]
        assert line.shares[0] == np.mean(right)
        low, high = share_intervals(line.right, line.of)
        assert np.array_equal(line.limits, (low, high))
        assert (low <= line.shares).all()
        assert (line.shares <= high).all()


def test_crops_without_faces_have_no_aligned_lines(trial: Trial) -> None:
    found = trial.measure(TURN)
    assert not trial.aligned
    assert not any(line.aligned for line in found.lines)
    assert found.nine_in_ten_words("Eigenfaces", aligned=True) == "–"
    assert "cannot be aligned" in found.sentence("Texture")


def test_the_same_seed_is_the_same_to_the_last_answer(trial: Trial) -> None:
    again = Trial.of(synthetic.small_gallery(), seed=1)
    for along in (NOISE, TURN):
        one, two = trial.measure(along), again.measure(along)
        for first, second in zip(one.lines, two.lines, strict=True):
            assert np.array_equal(first.right, second.right)
    assert Trial.of(synthetic.small_gallery(), seed=2).people == trial.people
    other = Trial.of(synthetic.small_gallery(), seed=2)
    held = [{each.face.tobytes() for each in of.pictures} for of in (trial, again, other)]
    assert held[0] == held[1] != held[2]


def test_aligning_makes_up_for_a_turn(sample: Trial) -> None:
    found = sample.measure(TURN)
    texture, aligned = (found.line("Texture", aligned=way) for way in (False, True))
    assert texture is not None
    assert aligned is not None
    assert aligned.shares[-2] > texture.shares[-2] + 0.2
    assert "Aligning helps" in found.sentence("Texture")
    assert found.lost[0] == 0


def test_covering_all_but_the_forehead_costs_names(sample: Trial) -> None:
    line = sample.measure(COVER).line("Eigenfaces", aligned=False)
    assert line is not None
    assert line.shares[-1] < line.shares[0]


def test_it_can_be_stopped(trial: Trial) -> None:
    ticks = []

    def stop(done: int, total: int) -> None:
        ticks.append(done / total)
        if done / total > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        trial.measure(BLUR, stop)
    assert ticks == sorted(ticks)
    with pytest.raises(Cancelled):
        Trial.of(synthetic.small_gallery(), tick=stop)


@pytest.mark.parametrize("names", [["Ada"] * 4, ["Ada", "Grace", "Mary", "Hedy"], [None] * 4])
def test_too_few_people_or_photos_are_said(names: list[str | None]) -> None:
    images = np.random.default_rng(0).random((4, 24, 20))
    faces = FaceSet.from_arrays(images, names)
    gallery = Gallery(faces, Preparation(24, 20, already_cropped=True), Recipe()).train()
    with pytest.raises(EigenfacesError, match=r"two|name"):
        Trial.of(gallery)


def line(shares: list[float], *, aligned: bool = False) -> RecipeLine:
    right: Doubles = 10 * np.array(shares)[:, None] * np.ones(4)
    return RecipeLine("Eigenfaces", aligned, right, np.full(4, 10))


def test_nine_in_ten_is_read_off_the_line() -> None:
    assert crossing((0, 5, 10), np.array([0.95, 0.85, 0.99])) == pytest.approx(2.5)
    assert crossing((0, 5, 10), np.array([0.9, 0.9, 0.4])) == pytest.approx(5)
    assert crossing((0, 5, 10), np.array([1, 0.9, 0.9])) == math.inf
    assert math.isnan(crossing((0, 5, 10), np.array([0.89, 1, 1])))


def test_nine_in_ten_in_words() -> None:
    falls = [1, 1, 0.95, 0.85, 0.5, 0.2, 0]
    for shares, said in (
        (falls, "12°"),
        ([1, 0.8, *falls[2:]], "2.5°"),
        ([1.0] * 7, "> 40°"),
        ([0.5] * 7, "–"),
    ):
        found = Withstood(TURN, (line(shares),), np.zeros(7, np.intp), "", 0)
        assert found.nine_in_ten_words("Eigenfaces", aligned=False) == said


def test_the_table_has_a_line_for_each_strength_and_recipe(trial: Trial) -> None:
    found = trial.measure(BLUR)
    rows = list(csv.DictReader(io.StringIO(withstood_table([found]))))
    assert len(rows) == len(found.lines) * len(BLUR.tried)
    first = rows[0]
    assert (first["disturbance"], first["recipe"], first["seed"]) == ("Blur", "Eigenfaces", "1")
    assert float(first["share"]) == int(first["right"]) / int(first["photos"])
