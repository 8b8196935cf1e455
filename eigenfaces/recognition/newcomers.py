"""Who came into a gallery after it was trained: enrolled, but nothing is fitted to them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eigenfaces.faces.photo_index import FacePhoto
from eigenfaces.recognition.people_features import PeopleFeatures
from eigenfaces.recognition.training import Training
from eigenfaces.space.people_axes import FEWEST_PEOPLE
from eigenfaces.space.svd import LARGEST_EXACT


def newcomers(photos: Sequence[FacePhoto], training: Training) -> Sequence[int]:
    """Return the places of photographs that a training was not fitted to.

    None, if too few of those it was fitted to are left: held out, what is fitted to these alone
    would not be the space there is either. And none of very many whose people are fitted to: there
    probes are projected as those enrolled, who may have no part outside.
    """
    of_people = isinstance(training.recipe.features, PeopleFeatures)
    if of_people and len(photos) > LARGEST_EXACT:
        return ()
    came = [at for at, photo in enumerate(photos) if not training.is_fitted_to(photo)]
    left = np.setdiff1d(np.arange(len(photos)), came)
    people = {photos[at].person for at in left} - {None}
    is_there = len(people) >= FEWEST_PEOPLE and 2 * len(left) >= len(training.fitted)
    return came if is_there else ()
