"""The figures of a report: what each shows, and how all of them look.

`plot` is one figure and its file; `components`, `error_rates` and `confusion` make those of an
evaluation, and a report has them in the order of `plots_of`.
"""

from __future__ import annotations

from eigenfaces.evaluation.results import Evaluation
from eigenfaces.report.plots.components import over_components
from eigenfaces.report.plots.confusion import of_confusion
from eigenfaces.report.plots.error_rates import of_rates
from eigenfaces.report.plots.plot import Plot


def plots_of(evaluation: Evaluation) -> tuple[Plot, ...]:
    """Return every figure that an evaluation allows."""
    return (
        *over_components(evaluation),
        *of_rates(evaluation),
        *of_confusion(evaluation),
    )
