"""Two ways to find faces: the program's, and the cascade that scikit-image carries, as a peer."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from PIL import Image
from skimage import data
from skimage.feature import Cascade

from eigenfaces.faces.detect import FoundFace, find_faces
from eigenfaces.photographs.photos import Eyes
from eigenfaces.space.arrays import Floats

Finder = Callable[[Floats], Sequence[FoundFace]]

LONGEST = 1024
"""Pixels of the longer side that the cascade is shown."""

SMALLEST = 24
"""Pixels of its windows."""


def by_cascade(grey: Floats) -> Sequence[FoundFace]:
    """Return every square that four windows or more agree on, the largest first."""
    image = Image.fromarray(np.rint(np.clip(grey, 0, 1) * 255).astype(np.uint8))
    image.thumbnail((LONGEST, LONGEST))
    scale = max(grey.shape) / max(image.size)
    marked = _cascade().detect_multi_scale(
        np.asarray(image), 1.1, 1.25, (SMALLEST, SMALLEST), (max(image.size),) * 2
    )
    boxes = [(scale * each["c"], scale * each["r"], scale * each["width"]) for each in marked]
    return [
        FoundFace(Eyes.in_box(*box), 1.0, box) for box in sorted(boxes, key=lambda box: -box[2])
    ]


@cache
def _cascade() -> Any:
    return Cascade(data.lbp_frontal_face_cascade_filename())


FINDERS: dict[str, Finder] = {"the program": find_faces, "cascade": by_cascade}
