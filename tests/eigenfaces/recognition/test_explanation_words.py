"""An explanation in words: true of every distance, and complete as text."""

from dataclasses import replace

import numpy as np
import pytest

from eigenfaces.recognition.explanation import Explanation, explain
from eigenfaces.recognition.explanation_words import (
    bars_sentence,
    explanation_text,
    labels,
    map_caption,
    map_sentences,
    question,
    remarks,
    unit,
)
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import RECIPES, Recipe
from eigenfaces.recognition.verdict import Verdict, identify
from eigenfaces.samples import PREPARATION, load_sample

FACES = load_sample()
PROBE = FACES.image(6)


@pytest.fixture(scope="module")
def galleries() -> dict[str, Gallery]:
    rows = [row for row in range(60) if row % 10 < 5]
    faces = FACES.select(rows)
    return {
        name: Gallery(faces, PREPARATION, recipe).train().calibrate()
        for name, recipe in RECIPES.items()
    }


def explained(gallery: Gallery) -> tuple[Explanation, Verdict]:
    verdict = identify(gallery, PROBE)
    return explain(gallery, PROBE, verdict), verdict


@pytest.mark.parametrize(
    ("settings", "said", "remark"),
    [
        ({}, "², its distance squared.", ""),
        ({"distance": "Mahalanobis L2"}, "², its distance squared.", ""),
        ({"distance": "cosine"}, ", twice its cosine distance.", ""),
        ({"distance": "L1"}, "its squared L2 distance; L1, here", ""),
        ({"distance": "Yambor"}, "its squared Mahalanobis L2 distance; Yambor, here", ""),
        ({"rule": "class mean"}, "², its distance squared.", "to the means of people’s photos"),
        ({"rule": "mean distance"}, "its distance squared.", "though distances were averaged"),
    ],
    ids=str,
)
def test_it_is_said_what_the_bars_add_up_to(
    galleries: dict[str, Gallery], settings: dict[str, str], said: str, remark: str
) -> None:
    gallery = galleries["Eigenfaces"].with_recipe(Recipe.of(**settings))
    found, verdict = explained(gallery)
    sentence = bars_sentence(found, found.closest)
    assert sentence.startswith(f"{verdict.closest.person}: the bars add up to ")
    assert said in sentence
    assert remark in remarks(found)
    assert bool(remark) == bool(remarks(found))


def test_figures_in_the_sentence_agree(galleries: dict[str, Gallery]) -> None:
    found, verdict = explained(galleries["Eigenfaces"])
    total, root = bars_sentence(found, found.closest).split("up to ")[1].split("²")[0].split(" = ")
    assert float(total) == pytest.approx(float(root) ** 2, rel=1e-2)
    assert float(root) == pytest.approx(verdict.closest.distance, rel=1e-3)


@pytest.mark.parametrize("recipe", RECIPES)
def test_the_text_holds_every_bar_and_every_sentence(
    galleries: dict[str, Gallery], recipe: str
) -> None:
    found, verdict = explained(galleries[recipe])
    text = explanation_text(found, verdict.decision)
    lines = text.splitlines()
    assert lines[0] == question(verdict.decision)
    head = next(at for at, line in enumerate(lines) if line.startswith(unit(found)))
    table = lines[head + 1 : head + 1 + len(found.groups)]
    assert [line.split()[0] for line in table] == list(labels(found))
    for at, split in enumerate(found.splits):
        added = sum(float(line.split()[1 + at]) for line in table)
        assert added == pytest.approx(split.total, rel=2e-3, abs=2e-3)
        assert bars_sentence(found, split) in lines
        assert f"{split.match.person}: Adds up to " in text
    assert map_sentences(found) in lines
    assert ("no faces: a bar has no picture" in text) == (recipe != "Eigenfaces")
    assert "it is nearer than" in text
    assert "With these marks" in text


def test_a_map_says_what_it_adds_up_to(galleries: dict[str, Gallery]) -> None:
    for recipe, gallery in galleries.items():
        found, _ = explained(gallery)
        said, over = map_caption(found.closest), found.closest.over
        assert over is not None
        assert float(said.removeprefix("adds up to ")) == pytest.approx(over.sum(), rel=1e-3)
        assert ("Of the cosine, 1 − the distance" in map_sentences(found)) == (
            recipe != "Eigenfaces"
        )
        assert ("waves" in map_sentences(found)) == (recipe == "Texture")
    found, _ = explained(
        galleries["Texture"].with_recipe(RECIPES["Texture"].changed(distance="L2"))
    )
    assert map_caption(found.closest) == ""
    assert map_sentences(found).startswith("There is no map: Texture compares along axes")


def test_without_a_calibration_it_says_what_is_missing(galleries: dict[str, Gallery]) -> None:
    gallery = replace(galleries["Eigenfaces"], calibration=None)
    found, verdict = explained(gallery)
    text = explanation_text(found, verdict.decision)
    assert verdict.decision.reason in text
    assert "nearer than" not in text
    assert text.startswith(f"Why is {verdict.closest.person} nearest?")


def test_every_kind_has_its_question(galleries: dict[str, Gallery]) -> None:
    decision = explained(galleries["Eigenfaces"])[1].decision
    asked = {
        kind: question(replace(decision, kind=kind))
        for kind in ("sure", "ask", "unknown", "no face", "near but no face", "not calibrated")
    }
    name = decision.nearest[0]
    assert asked["sure"] == f"Why {name}?"
    assert asked["ask"].startswith(f"Why {name} or ")
    assert asked["unknown"] == "Why nobody?"
    assert all(each.endswith("?") and "??" not in each for each in asked.values())


def test_names_of_bars_count_from_one(galleries: dict[str, Gallery]) -> None:
    gallery = galleries["Eigenfaces"].with_recipe(Recipe.of(components=25, dropped=3))
    found, _ = explained(gallery)
    assert unit(found) == "components, 2 to a bar"
    assert labels(found)[:2] == ("4–5", "6–7")
    assert np.isclose(found.bars(found.closest).sum(), found.closest.total)
