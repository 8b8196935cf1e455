"""Arrays by what they hold: one name for each type."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
"""Pixels and coordinates."""

Coordinates = NDArray[np.floating]
"""(n, k), in single or double precision."""

Doubles = NDArray[np.float64]
"""What is computed in double precision: variances, distances, figures."""

Numbers = NDArray[np.intp]
"""Rows, places and counts."""

ShortNumbers = NDArray[np.int32]
"""The same where there are millions of them."""

Flags = NDArray[np.bool_]

Bytes = NDArray[np.uint8]
"""Grey levels 0 … 255, and colours."""
