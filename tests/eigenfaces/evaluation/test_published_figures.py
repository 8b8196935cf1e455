"""Published figures: that ours are what is said of them, and that they are shown as they are."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from cli.command_line import eigenfaces
from PIL import Image

from eigenfaces import FaceSet, Recipe, Setting, evaluate
from eigenfaces.cli import published as command
from eigenfaces.evaluation.error_rates import error_rates
from eigenfaces.evaluation.published_figures import (
    ATT_FIGURES,
    LFW_FIGURE,
    YALE_B_FIGURE,
    Outcome,
    Published,
    Reproduction,
    compare_figures,
    published,
)
from eigenfaces.evaluation.published_protocols import Idiap
from evaluation.drawn import all_of

Rng = np.random.Generator

ROW = Published("rank-1, L2", "95.0", "%", "AT&T", "photos 1 to 8", "somebody, 2001", "A note.")


@pytest.fixture(scope="module")
def found() -> list[Reproduction]:
    return list(published())


def test_every_figure_of_the_att_faces_is_reproduced(found: list[Reproduction]) -> None:
    ran = {each.row.expected: each.outcome for each in found if each.ours is not None}
    assert ran.pop("4.40") == "nearest"
    assert len(ran) == len(ATT_FIGURES) - 1 == 12
    assert set(ran.values()) == {"reproduced"}
    assert {"59.95", "111 / 190 / 325", "8.237", "6.82", "96.25", "23.75", "87.5"} <= set(ran)


def test_every_row_has_source_and_protocol(found: list[Reproduction]) -> None:
    assert all(each.row.source and each.row.protocol and each.row.figure for each in found)
    assert len({(each.row.figure, each.row.protocol) for each in found}) == len(found)


def test_the_one_that_no_count_of_errors_gives(att: FaceSet) -> None:
    """Ours is 72 false matches and 5 false non-matches; no count of errors rounds to 4.40."""
    recipe = Recipe.of(components=100, distance="Mahalanobis cosine")
    result = evaluate(att, Setting(recipe, Idiap(), curves=False))
    assert result.searches is not None
    comparisons = all_of(result.searches)
    _, threshold = error_rates([comparisons]).least
    accepted = comparisons.distances <= threshold
    assert (comparisons.mated.sum(), (~comparisons.mated).sum()) == (100, 1900)
    assert (accepted & ~comparisons.mated).sum() == 72
    assert (~accepted & comparisons.mated).sum() == 5
    matches, non_matches = np.arange(1901)[:, None], np.arange(101)
    every = 100 * (matches / 1900 + non_matches / 100) / 2
    assert not ((every >= 4.395 - 1e-9) & (every <= 4.405)).any()
    nearest = every.ravel()[np.abs(every - 4.40).argmin()]
    figure = result.figure("least HTER")
    assert figure is not None
    assert 100 * figure.value == pytest.approx(nearest)


def test_without_their_folders_others_are_not_run(found: list[Reproduction]) -> None:
    lfw, yale_b = found[-2:]
    assert (lfw.row, lfw.outcome) == (LFW_FIGURE, "not run")
    assert lfw.verdict == "not run: needs LFW (say --lfw DIR)"
    assert (yale_b.row, yale_b.outcome) == (YALE_B_FIGURE, "not run")
    assert yale_b.verdict == "not run: needs Extended Yale B (say --yale-b DIR)"


@pytest.mark.parametrize(
    ("expected", "ours", "written"),
    [
        ("95.0", (94.95001,), "95.0"),
        ("8.237", (8.2368421,), "8.237"),
        ("111 / 190 / 325", (111.0, 190.0, 325.0), "111 / 190 / 325"),
        ("60.02 ± 0.79", (60.016, 0.7911), "60.02 ± 0.79"),
        ("", (98.127, 40.0), "98.1 / 40.0"),
    ],
)
def test_ours_is_written_as_it_was_published(
    expected: str, ours: tuple[float, ...], written: str
) -> None:
    assert replace(ROW, expected=expected).digits(ours) == written


@pytest.mark.parametrize(
    ("expected", "ours", "outcome"),
    [
        ("4.40", 167 / 38, "nearest"),  # neither 4.3947 nor 4.4211 rounds to it
        ("4.40", 168 / 38, "not reproduced"),
        ("4.39", 167 / 38, "reproduced"),
        ("4.42", 167 / 38, "not reproduced"),  # 168 / 38 rounds to that
    ],
)
def test_the_nearest_possible_is_told_apart(expected: str, ours: float, outcome: Outcome) -> None:
    row = replace(ROW, expected=expected, steps=38)
    assert compare_figures(row, (ours,)).outcome == outcome
    assert compare_figures(replace(row, steps=0), (ours,)).outcome != "nearest"


def test_what_differs_says_by_how_much() -> None:
    off = Reproduction(replace(ROW, expected="60.02 ± 0.79"), "not reproduced", (60.02, 0.84))
    assert off.verdict == "not reproduced, differs by 0.05"
    assert off.text == "60.0200 ± 0.8400"


@pytest.fixture
def att_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eigenfaces.evaluation.published_figures.ATT_FIGURES", ())


def noise(path: Path, rng: Rng) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(rng.integers(0, 256, (60, 60), np.uint8)).save(path)


def lfw(folder: Path, rng: Rng) -> None:
    """Make six people in three sets of pairs, two photos each."""
    lines = ["3\t2"]
    for first in (0, 2, 4):
        a, b = f"Name_{first}", f"Name_{first + 1}"
        for name in (a, b):
            noise(folder / "lfw" / name / f"{name}_0001.jpg", rng)
            noise(folder / "lfw" / name / f"{name}_0002.jpg", rng)
        lines += [f"{a}\t1\t2", f"{b}\t1\t2", f"{a}\t1\t{b}\t1", f"{a}\t2\t{b}\t2"]
    (folder / "pairs.txt").write_text("\n".join(lines))


@pytest.mark.usefixtures("att_left_out")
def test_lfw_is_run_where_it_is(tmp_path: Path, rng: Rng) -> None:
    lfw(tmp_path, rng)
    result = next(published(lfw=tmp_path))
    assert result.outcome == "not reproduced"  # on noise
    assert result.ours is not None
    accuracy, error = result.ours
    assert accuracy / 25 * 3 == pytest.approx(round(accuracy / 25 * 3))  # of 3 sets of 4 pairs
    assert 0 <= error <= 50


@pytest.mark.usefixtures("att_left_out")
def test_what_cannot_be_run_says_so(tmp_path: Path, rng: Rng) -> None:
    lfw(tmp_path, rng)
    (tmp_path / "lfw").rename(tmp_path / "lfw_funneled")
    funneled, yale_b = published(lfw=tmp_path, yale_b=tmp_path)
    assert funneled.outcome == yale_b.outcome == "failed"
    assert "original photos" in funneled.verdict
    assert "no photos of Extended Yale B" in yale_b.verdict
    (nowhere, _) = published(lfw=tmp_path / "nowhere")
    assert "There is no LFW" in nowhere.verdict


@pytest.mark.usefixtures("att_left_out")
def test_extended_yale_b_is_measured_by_subset(tmp_path: Path, rng: Rng) -> None:
    """Two people who cannot be confounded in subset 2, and have changed places in subset 5."""
    looks = {name: rng.integers(0, 200, (96, 84)) for name in ("yaleB01", "yaleB02")}
    lights = ["A+000E+00", "A+005E+10", "A+000E-20", "A+035E+15", "A+060E+20", "A+120E+00"]
    for name in looks:
        other = next(each for each in looks if each != name)
        for light in lights:
            look = looks[other if light == "A+120E+00" else name]
            picture = (look + rng.integers(0, 50, look.shape)).astype(np.uint8)
            path = tmp_path / name / f"{name}_P00{light}.pgm"
            path.parent.mkdir(exist_ok=True)
            Image.fromarray(picture).save(path)
    _, result = published(yale_b=tmp_path)
    assert result.outcome == "measured"
    assert result.text == "100.0 / 100.0 / 100.0 / 0.0"
    for photo in tmp_path.rglob("*A+060E+20.pgm"):
        photo.unlink()
    _, result = published(yale_b=tmp_path)
    assert result.outcome == "failed"
    assert "subset 2, subset 3, subset 5" in result.verdict


Pretend = Callable[..., None]


@pytest.fixture
def pretend(monkeypatch: pytest.MonkeyPatch) -> Pretend:
    """Let the command find what is said, without measuring."""

    def find(*found: Reproduction) -> None:
        monkeypatch.setattr(command, "published_figures", lambda *_: iter(found))

    return find


REPRODUCED = Reproduction(ROW, "reproduced", (95.0,))
OFF = Reproduction(replace(ROW, figure="rank-1, L1"), "not reproduced", (94.375,))
NOT_RUN = Reproduction(LFW_FIGURE, "not run", why_not="needs LFW (say --lfw DIR)")


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        ("reproduced", 0),
        ("nearest", 0),
        ("measured", 0),
        ("not reproduced", 4),
        ("failed", 1),
        ("not run", 0),
    ],
)
def test_exit_codes(pretend: Pretend, outcome: Outcome, code: int) -> None:
    pretend(REPRODUCED, replace(REPRODUCED, outcome=outcome))
    assert eigenfaces("published").exit_code == code


def test_the_table_fits_a_terminal(pretend: Pretend, found: list[Reproduction]) -> None:
    text = command._text(found, 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "13 of 13 figures that were run are reproduced, 1 as nearly as can be." in text
    pretend(REPRODUCED, OFF, NOT_RUN)
    said = eigenfaces("published").stdout
    assert "rank-1, L1  95.0 %     94.375 %  not reproduced, differs by 0.62" in said
    assert said.count("Source: somebody, 2001.") == 1
    assert "1 of 2 figures that were run are reproduced." in said
    assert "not run: needs LFW" in said


def test_json(pretend: Pretend) -> None:
    pretend(REPRODUCED, OFF, NOT_RUN)
    first, second, third = json.loads(eigenfaces("published", "--json").stdout)
    assert first["ours"] == [95.0]
    assert (first["source"], first["expected"], first["note"]) == (
        "somebody, 2001",
        "95.0",
        "A note.",
    )
    assert [each["reproduced"] for each in (first, second, third)] == [True, False, None]
    assert third["ours"] is None
    assert third["verdict"].startswith("not run")
