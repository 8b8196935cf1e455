"""Features: texture block by block; Fisherfaces and Texture as recipes, in galleries and folds."""

import numpy as np
import pytest

from eigenfaces import EvaluationSetting, FaceSet, Gallery, Preparation, evaluate
from eigenfaces.errors import EigenfacesError
from eigenfaces.evaluation.protocols import FirstPhotos, LeaveOneOut
from eigenfaces.faces import texture
from eigenfaces.recognition.features import BLOCKS, TextureFeatures
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.recognition.verdict import identify_all


@pytest.mark.parametrize("shape", [(112, 92), (60, 97)])
def test_a_pattern_lies_in_its_cell_and_a_wave_at_its_place(shape: tuple[int, int]) -> None:
    features, (pattern, wave) = TextureFeatures(), np.zeros((2, 2, sum(BLOCKS)))
    pattern[0, (2 * texture.PATTERN_CELLS + 5) * texture.PATTERN_BINS + 7] = 1
    place = np.ravel_multi_index((3, 4, 6), (9, *texture.PLACES))
    wave[0, BLOCKS[0] + BLOCKS[1] + place] = 1
    patterns, waves = (features.contribution_map(parts, shape) for parts in (pattern, wave))
    rows, columns = (np.arange(side - 4) * 8 // (side - 4) for side in shape)
    inside = np.zeros(shape, bool)
    inside[2:-2, 2:-2] = (rows[:, None] == 2) & (columns == 5)
    assert ((patterns > 0) == inside).all()
    middle = np.array(np.unravel_index(waves.argmax(), shape)) * texture.GABOR_SIZE / shape
    assert (
        np.abs(middle - [4 * texture.GABOR_SPACING, 6 * texture.GABOR_SPACING]).max()
        < texture.GABOR_SPACING / 2
    )
    turned = features.contribution_map(wave[::-1], shape)  # of the mirror image
    np.testing.assert_array_equal(turned, waves[:, ::-1])


@pytest.fixture(scope="module")
def faces(att: FaceSet) -> FaceSet:
    """Eight people × six photographs."""
    return att.select([10 * person + photo for person in range(8) for photo in range(6)])


def trained(faces: FaceSet, name: str) -> Gallery:
    preparation = Preparation(*faces.shape, already_cropped=True)
    return Gallery(faces, preparation, RECIPES[name]).train()


def test_seven_people_are_needed(faces: FaceSet) -> None:
    """To train and to evaluate; some may be removed, and others enrolled, afterwards."""
    few, name = faces.select(range(36)), "Fisherfaces"
    with pytest.raises(EigenfacesError, match="needs 7 people or more, and there are 6"):
        trained(few, name)
    for folds in (FirstPhotos(3), LeaveOneOut()):
        with pytest.raises(EigenfacesError, match="needs 7 people or more"):
            evaluate(few, EvaluationSetting(RECIPES[name], folds))
    gallery = trained(faces, name)
    fewer = gallery.remove([photo.id for photo in faces.index.photos[18:]]).calibrate()
    nearest = [v.closest.person for v in identify_all(fewer, faces.pixels[:18:6])]
    assert nearest == [*fewer.people]
    assert not any(v.decision.person for v in identify_all(fewer, faces.pixels[18:]))
    with pytest.raises(EigenfacesError, match="there are 3"):
        fewer.train()


def test_of_very_many_faces_some_are_fitted_to(
    att: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A third of them; who is not among those drawn is told apart by what the others differ in."""
    monkeypatch.setattr("eigenfaces.space.principal.MOST_FITTED", 80)
    first = np.flatnonzero(np.arange(400) % 10 < 6)
    gallery = trained(att.select(first), "Fisherfaces")
    assert gallery.trained.matching_coordinates.shape == (240, 33)
    nearest = [verdict.closest.person for verdict in identify_all(gallery, att.pixels[6::10])]
    assert np.mean(np.array(nearest) == np.array(att.index.people)) > 0.9


def test_the_three_blocks_of_texture_count_alike(att: FaceSet) -> None:
    """On other faces than those that their scales were learnt on, within 15 %."""
    features = TextureFeatures().of(att.pixels[::4], att.shape)
    assert features.shape == (100, sum(BLOCKS))
    for block in np.split(features, np.cumsum(BLOCKS)[:-1], axis=1):
        assert np.sqrt(block.var(axis=0, ddof=1).sum()) == pytest.approx(1, rel=0.15)
