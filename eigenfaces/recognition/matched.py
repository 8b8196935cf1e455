"""Faces among the enrolled photographs of a gallery: how far they are from everybody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from eigenfaces.arrays import Floats
from eigenfaces.faces.crops import as_grey
from eigenfaces.recognition.comparison import Enrolled, Matching
from eigenfaces.recognition.held_out import Nearest
from eigenfaces.space.representation import Representation

if TYPE_CHECKING:
    from eigenfaces.recognition.gallery import Gallery

_SEEN: WeakKeyDictionary[Representation, dict[tuple[int, bytes], Floats]] = WeakKeyDictionary()
"""Coordinates of crops that are asked for again and again."""


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
    training, k = gallery.trained, gallery.k
    seen = _SEEN.setdefault(training.representation, {})
    new = [crop for crop in crops if (k, crop) not in seen]
    if new:
        levels = np.frombuffer(b"".join(new), np.uint8).reshape(len(new), -1)
        coordinates, _ = training.in_and_from(as_grey(levels), k)
        seen.update(zip(((k, crop) for crop in new), coordinates, strict=True))
    matching = matched(gallery, np.stack([seen[k, crop] for crop in crops]))
    order, distances = matching.order, matching.to_people
    first = order[:, 0]
    each = np.arange(len(crops))
    next_to = distances[each, order[:, 1]] if order.shape[1] > 1 else np.full(len(crops), np.inf)
    return Nearest(first, distances[each, first], next_to)
