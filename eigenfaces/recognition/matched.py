"""Faces among the enrolled photographs of a gallery: how far they are from everybody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from eigenfaces.arrays import Floats
from eigenfaces.recognition.comparison import Enrolled, Matching
from eigenfaces.recognition.held_out import Nearest

if TYPE_CHECKING:
    from eigenfaces.recognition.gallery import Gallery


def matched(gallery: Gallery, coordinates: Floats) -> Matching:
    """Return faces of these coordinates (m, k) among the enrolled photographs."""
    rows = np.array(gallery.enrolled, np.intp)
    place = {name: i for i, name in enumerate(gallery.people)}
    people = np.array([place[gallery.index.photos[row].person or ""] for row in rows])
    comparison = gallery.comparison
    return Matching(
        gallery.recipe.matcher,
        Enrolled(people, len(place)),
        comparison.distances,
        comparison.compared(coordinates),
        comparison.compared(gallery.trained.compared[rows]),
    )


def nearest_to(gallery: Gallery, crops: Sequence[bytes]) -> Nearest:
    """Return the nearest people of crops, given by their grey levels."""
    matching = matched(gallery, gallery.trained.coordinates_of(crops, gallery.k))
    return Nearest.of(matching.to_people, matching.order)
