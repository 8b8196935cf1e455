"""Published protocols: who is in which part of them."""

import numpy as np
import pytest

from eigenfaces import EigenfacesError, FaceSet
from eigenfaces.evaluation.protocols import PROTOCOLS, Idiap


def test_idiap_is_for_forty_people(att: FaceSet) -> None:
    (fold,) = Idiap().folds(att)
    of = np.array([int(str(photo.person).split()[1]) for photo in att.index.photos])
    number = np.arange(400) % 10 + 1
    assert len(set(of[fold.train])) == 20
    assert not set(of[fold.train]) & set(of[fold.gallery])
    assert set(of[fold.gallery]) == set(of[fold.probes])
    assert set(number[fold.gallery]) == {2, 4, 5, 7, 9}
    assert set(number[fold.probes]) == {1, 3, 6, 8, 10}
    with pytest.raises(EigenfacesError, match="40 people"):
        Idiap().folds(att.select(range(390)))


def test_every_protocol_has_a_name_of_its_own() -> None:
    assert all(each.kind == kind for kind, each in PROTOCOLS.items())
