"""People who are enrolled after training, beside training on all: every recipe on the AT&T faces.

``uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_newcomers.py``

In each draw some people are enrolled with five photographs each, and the last of them later. Their
other photographs are asked, and all those of ten others, who are strangers; at most 1 % of them may
be named.
"""

import numpy as np
import pytest

from eigenfaces import load_sample
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.samples import PREPARATION

DRAWS, EACH, STRANGERS = 24, 5, 10
"""Seeds 0 … 23, photographs of a person that are enrolled, and people who are not."""


@pytest.mark.parametrize(("people", "later"), [(8, 1), (20, 2), (30, 1)])
@pytest.mark.parametrize("name", RECIPES)
def test_newcomers(benchmark, name: str, people: int, later: int) -> None:
    """How many photographs of strangers, of those trained on and of newcomers are named rightly."""

    def run() -> None:
        drawn = np.array([shares(name, people, later, seed) for seed in range(DRAWS)])
        middle = 100 * np.nanmean(drawn, axis=0)
        told = " ".join(f"{share:5.1f}" for share in middle)
        print(
            f"\n{name}, {people} people, {later} later: strangers, old, new; all trained on: {told}"
        )

    benchmark.pedantic(run, rounds=1)


def shares(name: str, people: int, later: int, seed: int) -> list[float]:
    """Return the shares with newcomers enrolled, and once they are trained on."""
    faces, order = load_sample(), np.random.default_rng(seed).permutation(40)
    known, strangers = order[:people], order[-STRANGERS:]
    enrolled = [10 * person + photo for person in known for photo in range(EACH)]
    asked = [10 * person + photo for person in known for photo in range(EACH, 10)]
    asked += [10 * person + photo for person in strangers for photo in range(10)]
    first = EACH * (people - later)
    gallery = Gallery(faces.select(enrolled[:first]), PREPARATION, RECIPES[name]).train()
    gallery, found = gallery.enrol(faces.select(enrolled[first:])), []
    for each in (gallery, gallery.train()):
        verdicts = identify_all(each.calibrate(), faces.pixels[asked])
        named = np.array([verdict.decision.person for verdict in verdicts])
        right = named == [faces.index.photos[row].person for row in asked]
        old, new, _ = np.split(right, [first, EACH * people])
        found += [np.mean(named[EACH * people :] != None), old.mean(), new.mean()]  # noqa: E711
    return found
