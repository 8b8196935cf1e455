"""The ε that keeps whitening from dividing by almost nothing."""

from __future__ import annotations

import numpy as np

from eigenfaces.arrays import Doubles

Smoothing = float | str
"""ε itself, as a variance, or “10%”: a share of the mean variance of the components kept."""


def epsilon(smoothing: Smoothing, variances: Doubles) -> float:
    """Return the ε that a smoothing comes to.

    ``variances``: (k,) λ of the components kept, of which a share is taken.

    >>> import numpy as np
    >>> epsilon(0.5, np.array([3.0, 1.0])), epsilon("10%", np.array([3.0, 1.0]))
    (0.5, 0.2)
    """
    if not isinstance(smoothing, str):
        return smoothing
    return percentage(smoothing) / 100 * float(variances.mean()) if len(variances) else 0.0


def deviations(smoothing: Smoothing, variances: Doubles) -> Doubles:
    """Return √(λ + ε), (k,), by which whitening divides the k coordinates kept."""
    return np.sqrt(variances + epsilon(smoothing, variances))


def percentage(smoothing: str) -> float:
    """Return the per cent in a smoothing that is a share.

    >>> percentage("10%")
    10.0
    """
    return float(smoothing.rstrip("% "))
