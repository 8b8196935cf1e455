"""Limits of figures in which almost nothing goes wrong."""

from itertools import pairwise

import numpy as np

from eigenfaces.evaluation.comparisons import InSearches
from eigenfaces.evaluation.figures import verification
from evaluation.drawn import searches_of


class TestFewMistakes:
    """Forty people, five searches each, of which the first of some people go wrong."""

    def limits(self, wrong: int) -> dict[str, tuple[float, float]]:
        own = np.repeat(np.arange(40), 5)
        rng = np.random.default_rng(0)
        distances = 10 + rng.random((200, 40))
        distances[np.arange(200), own] = 1 + rng.random(200)
        bad = np.arange(wrong) * 7
        distances[bad, own[bad]] = 20
        comparisons = InSearches(searches_of(distances.tolist(), own.tolist()))
        figures = verification(comparisons, None, 40, 0)
        return {figure.kind: (figure.low, figure.high) for figure in figures}

    def test_one_is_hardly_surer_than_none(self) -> None:
        none, one = self.limits(0), self.limits(1)
        assert one["EER"][1] > 0.6 * none["EER"][1]
        assert 1 - one["TAR at FAR 1 %"][0] > 0.6 * (1 - none["TAR at FAR 1 %"][0])

    def test_more_are_never_much_better(self) -> None:
        highs = [self.limits(wrong)["EER"][1] for wrong in (1, 2, 5, 10)]
        assert all(more > 0.9 * fewer for fewer, more in pairwise(highs))
