"""Published figures: that ours are what is said of them, and that they are shown as they are."""

import json
from dataclasses import replace

import pytest
from cli.command_line import eigenfaces

from eigenfaces import EvaluationSetting, FaceSet, Recipe, evaluate
from eigenfaces.cli import evaluating
from eigenfaces.evaluation.metrics import Comparisons, error_rates
from eigenfaces.evaluation.protocols import Idiap
from eigenfaces.evaluation.published import Outcome, Published, Reproduction

ROW = Published("rank-1, L2", "95.0", "photos 1 to 8", "%", "somebody, 2001", "A note.")


def test_the_one_that_no_count_of_errors_gives(att: FaceSet) -> None:
    """Ours is 72 false matches and 5 false non-matches, in steps of 1/38 of a per cent."""
    recipe = Recipe.of(components=100, distance="Mahalanobis cosine")
    result = evaluate(att, EvaluationSetting(recipe, Idiap(), curves=False))
    comparisons = Comparisons.of_searches(result.searches)
    _, threshold = error_rates(comparisons.distances, comparisons.mated).min_hter
    accepted = comparisons.distances <= threshold
    assert (comparisons.mated.sum(), (~comparisons.mated).sum()) == (100, 1900)
    assert (accepted & ~comparisons.mated).sum() == 72
    assert (~accepted & comparisons.mated).sum() == 5
    figure = result.metric("least HTER")
    assert 100 * figure.value == pytest.approx(167 / 38)


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
    result = Reproduction(replace(ROW, expected=expected, steps=38), (ours,))
    assert result.outcome == outcome
    assert ("differs by" in result.verdict) == (outcome == "not reproduced")
    assert Reproduction(replace(result.row, steps=0), (ours,)).outcome != "nearest"


@pytest.mark.parametrize(("ours", "code"), [(95.0, 0), (167 / 38, 0), (4.5, 4)])
def test_the_command_says_which_are_reproduced(
    monkeypatch: pytest.MonkeyPatch, ours: float, code: int
) -> None:
    row = ROW if ours == 95 else replace(ROW, expected="4.40", steps=38)
    rows = [Reproduction(ROW, (95.0,)), Reproduction(row, (ours,))]
    monkeypatch.setattr(evaluating, "published_figures", lambda *_: iter(rows))
    assert eigenfaces("published").exit_code == code
    first, second = json.loads(eigenfaces("published", "--json").stdout)
    assert (first["ours"], first["source"], first["note"]) == ([95.0], "somebody, 2001", "A note.")
    assert (first["reproduced"], second["reproduced"]) == (True, code == 0)
