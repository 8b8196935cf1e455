"""Every figure of a report, in its order."""

from __future__ import annotations

from eigenfaces.evaluation.results import Evaluation
from eigenfaces.report.confused import of_confusion
from eigenfaces.report.curves import over_components
from eigenfaces.report.rates import of_rates
from eigenfaces.report.style import Drawing


def drawings(evaluation: Evaluation) -> tuple[Drawing, ...]:
    """Return every figure that can be had of an evaluation."""
    return (
        *over_components(evaluation),
        *of_rates(evaluation),
        *of_confusion(evaluation),
    )
