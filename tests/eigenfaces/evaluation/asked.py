"""What the tests of whole evaluations ask for, and how they read it off."""

from eigenfaces.evaluation.protocols import (
    FirstPhotos,
    KFold,
    LeaveOneOut,
    NShot,
    OpenSet,
    Protocol,
)
from eigenfaces.evaluation.records import Evaluation

EVERY: list[Protocol] = [
    LeaveOneOut(),
    KFold(3),
    NShot(1, 2),
    FirstPhotos(1),
    OpenSet(1, 0.4, 2),
]
"""One of every kind that is drawn, for a few people with few photographs."""


def value(result: Evaluation, name: str) -> float:
    figure = result.figure(name)
    assert figure is not None
    return figure.value
