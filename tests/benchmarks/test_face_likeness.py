"""Is it a face at all: faces lost, what is no face refused, nobody named."""

import numpy as np
import pytest
from measuring import ENROLLED, draws, members_and_strangers, spread, yale
from nonfaces import nonfaces
from numpy.typing import NDArray

from eigenfaces import Preparation
from eigenfaces.faces.face_set import FaceSet
from eigenfaces.faces.general_model import face_vectors
from eigenfaces.importing.load import load_faces
from eigenfaces.photographs.find import FoundPhotos
from eigenfaces.recognition.calibration import FacenessModel
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.verdict import identify_all
from eigenfaces.sample import PREPARATION, load_sample

DRAWS, NAMED_DRAWS = len(draws(20)), len(draws(5))
"""Galleries; galleries in which what is no face is searched for."""


def names_of(faces: FaceSet) -> NDArray[np.str_]:
    return np.array([photo.person for photo in faces.index.photos])


@pytest.mark.parametrize(("name", "people"), [("AT&T", 20), ("Yale", 10)])
def test_faces_lost_and_what_is_no_face_refused(name: str, people: int) -> None:
    """The general face space has seen AT&T faces, those of the gallery and those asked about."""
    faces = load_sample()
    if name == "Yale":
        faces = load_faces(FoundPhotos(tuple(yale())), Preparation())
    names, crops = names_of(faces), faces.pixels[:].reshape(-1, *faces.shape)
    upright, upside_down = face_vectors(crops), face_vectors(crops[:, ::-1])
    others = nonfaces()
    no_faces = face_vectors(np.stack(list(others.values())))
    shares: dict[str, list[float]] = {}
    for seed in range(DRAWS):
        enrolled, members, strangers = members_and_strangers(names, people, seed)
        who = np.unique(names[enrolled], return_inverse=True)[1]
        like, _ = FacenessModel.fit(faces.pixels.select(enrolled), faces.shape, who)
        queries = {
            "members": upright[members],
            "strangers": upright[strangers],
            "members upside down": upside_down[members],
        } | {name: no_faces[[row]] for row, name in enumerate(others)}
        for kind, vectors in queries.items():
            refused = like.residuals(vectors) > like.limit
            shares.setdefault(kind, []).append(100 * float(refused.mean()))
    print(
        f"\n{name}, {people} people x {ENROLLED}, {DRAWS} draws (seeds 0 …): % refused as no face"
    )
    for kind, values in shares.items():
        print(f"  {kind}: {spread(values)}")
    assert np.mean(shares["members"]) <= 2
    assert np.mean(shares["strangers"]) <= 3
    assert np.mean(shares["noise"]) == np.mean(shares["flat"]) == 100


@pytest.mark.parametrize("recipe", RECIPES)
def test_what_is_no_face_is_not_named(recipe: str) -> None:
    faces, others = load_sample(), nonfaces()
    pixels = np.stack([crop.ravel() for crop in others.values()])
    kinds: dict[str, set[str]] = {name: set() for name in others}
    for seed in range(NAMED_DRAWS):
        enrolled, *_ = members_and_strangers(names_of(faces), 20, seed)
        gallery = Gallery(faces.select(enrolled.tolist()), PREPARATION, RECIPES[recipe]).train()
        verdicts = identify_all(gallery.calibrate(), pixels)
        for name, verdict in zip(others, verdicts, strict=True):
            kinds[name].add(verdict.decision.kind)
    print(f"\n{recipe}, AT&T, 20 people x {ENROLLED}, share 1 %, seeds 0 to {NAMED_DRAWS - 1}:")
    for name, decisions in kinds.items():
        print(f"  {name}: {', '.join(sorted(decisions))}")
    assert not {"sure", "likely", "ask", "not calibrated"} & set().union(*kinds.values())
