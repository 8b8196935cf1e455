"""Tan and Triggs's lighting correction: little is left of the light, and of brightness.

X. Tan and B. Triggs, *Enhanced local texture feature sets for face recognition under difficult
lighting conditions* (2010).
"""

from __future__ import annotations

import numpy as np

from eigenfaces.arrays import Doubles, Floats


def tan_triggs(faces: Floats) -> Floats:
    """Return crops (n, h, w), grey 0…1, as Tan and Triggs prepare them, −10…10.

    Differences of Gaussians of (x + 0.001)^0.2, σ = 1 and 2, over mean(|x|^0.1)^10, then over
    mean(min(10, |x|)^0.1)^10; 10 tanh(x / 10) of the result.
    """
    from scipy.ndimage import gaussian_filter

    raised = (faces + np.float32(0.001)) ** np.float32(0.2)  # so that black is no cliff
    narrow, wide = (
        gaussian_filter(raised, (0, sigma, sigma), output=np.float64, mode="nearest")
        for sigma in (1, 2)
    )
    even: Doubles = narrow - wide
    for limit in (np.inf, 10.0):
        strength = np.minimum(np.abs(even), limit) ** 0.1
        even /= np.maximum(strength.mean(axis=(1, 2), keepdims=True) ** 10, 1e-9)
    return (10 * np.tanh(even / 10)).astype(np.float32)
