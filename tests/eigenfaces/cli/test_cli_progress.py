"""The bar in the terminal: one for the whole, its stages named."""

import threading

import numpy as np
import pytest
import synthetic

from eigenfaces.cli.evaluating import measured
from eigenfaces.evaluation.protocols import KFold
from eigenfaces.evaluation.records import Setting
from eigenfaces.recognition.recipe import Recipe


def test_it_names_the_stages_of_an_evaluation(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], rng: np.random.Generator
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    before = set(threading.enumerate())
    measured(synthetic.people(rng), Setting(Recipe.of(components=3), KFold(2)))
    for thread in set(threading.enumerate()) - before:  # what draws the bar ends a moment later
        thread.join()
    assert "Measuring: faces covered" in capsys.readouterr().err
