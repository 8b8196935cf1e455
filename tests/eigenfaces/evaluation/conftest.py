"""A few people who are hard to tell apart, and evaluations of them that are quick."""

import numpy as np
import pytest

from eigenfaces import FaceSet
from eigenfaces.evaluation import metrics
from evaluation.drawn import faces_of


@pytest.fixture
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Resample 20 times; nothing here asks how wide the intervals are."""
    monkeypatch.setattr(metrics, "RESAMPLES", 20)


@pytest.fixture
def faces(rng: np.random.Generator) -> FaceSet:
    return faces_of(rng, [4, 5, 3, 4], spread=0.3)
