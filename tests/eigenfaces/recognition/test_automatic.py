"""Network as a recipe, and Automatic, which chooses among all of them."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from eigenfaces import (
    Cancelled,
    FaceSet,
    Gallery,
    Preparation,
    Project,
    find_photos,
    identify_all,
    load_faces,
)
from eigenfaces.faces import network
from eigenfaces.faces.face_set import crop_hash
from eigenfaces.faces.read import Picture
from eigenfaces.recognition import automatic
from eigenfaces.recognition.automatic import choose_recipe
from eigenfaces.recognition.decision import TOO_CLOSE, decide, guarantee_text
from eigenfaces.recognition.limits import general_limit
from eigenfaces.recognition.neighbours import Matching
from eigenfaces.recognition.network import NetworkFeatures
from eigenfaces.recognition.probes import Probe, ProbeList
from eigenfaces.recognition.recipe import RECIPES
from eigenfaces.sample import PREPARATION
from eigenfaces.space.distances import DISTANCES

NETWORK = RECIPES["Network"]


def gallery_of(att: FaceSet, rows: list[int]) -> Gallery:
    return Gallery(att.select(rows), PREPARATION, NETWORK).train().calibrate()


@pytest.mark.parametrize("rows", [[0, 10], [0, 1, 10, 11, 20, 21], list(range(0, 400, 2))])
def test_distances_are_those_of_the_numbers_however_few_faces_there_are(
    att: FaceSet, rows: list[int]
) -> None:
    """Of photographs plainly, and of people by the mean of their m: √(d² + 0.08 (1 − 1/m))."""
    gallery = gallery_of(att, rows)
    probes = att.pixels[5:400:40]
    numbers = [NETWORK.features.of(pixels, att.shape) for pixels in (probes, att.pixels[rows])]
    to_photos = np.linalg.norm(numbers[0][:, None] - numbers[1][None], axis=2)
    people = np.array(rows) // 10
    scores = []
    for person in np.unique(people):
        own = numbers[1][people == person]
        squares = ((numbers[0] - own.mean(axis=0)) ** 2).sum(axis=1)
        scores.append(np.sqrt(squares + 0.08 * (1 - 1 / len(own))))
    verdicts = identify_all(gallery, probes)
    nearest = [verdict.distances[0] for verdict in verdicts]
    np.testing.assert_allclose(nearest, to_photos.min(axis=1), rtol=1e-4)
    closest = [verdict.closest for verdict in verdicts]
    np.testing.assert_allclose([c.distance for c in closest], np.min(scores, axis=0), rtol=1e-4)
    for verdict in verdicts:  # shown is the nearest photograph of the person who is chosen
        own = [r for r in verdict.rows if gallery.index.photos[r].person == verdict.closest.person]
        assert verdict.closest.row == own[0]


def test_the_limit_is_one_law_without_a_step(att: FaceSet) -> None:
    for people in (2, 19, 20, 40):
        rows = [row for row in range(10 * people) if row % 10 < 5]
        known = gallery_of(att, rows).calibrated
        assert known is not None
        assert known.reason == ""
        for share in (0.01, 0.1):
            law = general_limit(share, [5] * people)
            assert known.limit(share) == pytest.approx(law) or known.strangers.speak(share)
        promise = guarantee_text(known.guarantee(0.01), 0.01)
        assert ("other people’s photos" in promise) == (not known.strangers.speak(0.01))


def test_within_the_limit_only_two_who_are_too_close_are_asked_about(att: FaceSet) -> None:
    few = gallery_of(att, [0, 10]).calibrated
    for distance in np.linspace(0.2, 0.58, 18):
        for ratio in (1.0, 1.04, 1.06, 1.2):
            two = ("Ada", distance), ("Bob", ratio * distance)
            kind = decide(few, 0.01, *two, 0.9).kind
            assert kind == "ask" if ratio < TOO_CLOSE else kind in ("sure", "likely")


def test_what_the_network_sees_no_face_in_gets_no_name_near_somebody_either(att: FaceSet) -> None:
    few = gallery_of(att, [0, 10]).calibrated
    for distance, kind in ((0.7, "no face"), (0.3, "near but no face")):
        decision = decide(few, 0.01, ("Ada", distance), ("Bob", 0.9), 0.1, is_face=False)
        assert decision.kind == kind
    assert decide(few, 0.01, ("Ada", 0.7), ("Bob", 0.9), 0.99).kind == "unknown"
    decision = decide(few, 0.01, ("Ada", 0.7), None, 0.1, is_face=False)
    assert "a picture without a face" in decision.sentence
    assert decision.face_limit is None


def test_a_score_is_comparable_for_any_number_of_photographs(rng: np.random.Generator) -> None:
    """A person’s photographs scatter around what all of them show; so does their mean, less."""
    scatter = NETWORK.mean_scatter
    person, width = rng.normal(0, 0.05, 128), np.sqrt(scatter / 128)
    faces = person + rng.normal(0, width, (4000, 128))
    by_count = []
    for count in (1, 2, 8):
        matching = Matching(
            rule="class mean",
            people=np.repeat(np.arange(4000 // count), count),
            count=4000 // count,
            distances=DISTANCES["L2"].between,
            probes=np.zeros((1, 128)),
            photos=faces,
            mean_scatter=scatter,
        )
        by_count.append(np.mean(matching.to_people**2))
    np.testing.assert_allclose(by_count, by_count[0], rtol=0.03)


def test_a_project_keeps_what_describes_its_faces(
    att: FaceSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also what was described after it was saved; but not while it is opened to be read."""
    path, gallery = tmp_path / "network.eigenfaces", gallery_of(att, [0, 1, 10, 11])
    Project.create(path, gallery).close()
    content, never_seen = path.read_bytes(), 1 - att.image(1)
    Project.open(path, shared=True).close()
    assert path.read_bytes() == content
    project = Project.open(path)
    project.save(gallery.remove([gallery.index.photos[0].id]))
    project.save(project.gallery, probe_list=ProbeList((Probe(att.index.photos[1], never_seen),)))
    identify_all(gallery, never_seen[None])
    project.close()
    fresh = network.FaceDescriptorCache()
    for module in ("project.project", "project.rows", "recognition.network", "faces.network"):
        monkeypatch.setattr(f"eigenfaces.{module}.DESCRIPTORS", fresh)
    project = Project.open(path)
    known = [bool(fresh.known([photo.crop])) for photo in gallery.index.photos]
    assert known == [False, True, True, True]
    assert fresh.known([crop_hash(never_seen)])
    (one,), (other,) = (identify_all(g, att.pixels[12:13]) for g in (gallery, project.gallery))
    project.close()
    assert one.closest.person == other.closest.person


def test_a_face_is_described_by_its_photograph_rather_than_by_its_crop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from skimage import data

    fresh = network.FaceDescriptorCache()  # another test may have described the same face
    for module in ("faces.read", "recognition.network", "faces.network"):
        monkeypatch.setattr(f"eigenfaces.{module}.DESCRIPTORS", fresh)
    monkeypatch.setattr(network, "is_installed", lambda: True)
    monkeypatch.setattr(Picture, "chip", lambda self, eyes, exact: self.colours(150))
    path = tmp_path / "astronaut.png"
    Image.fromarray(data.astronaut()).save(path)
    picture = Picture(path.read_bytes())
    (face,) = picture.faces()
    levels = picture.crop(face.eyes, Preparation())
    numbers = NetworkFeatures().of(levels.reshape(1, -1) / np.float32(255), Preparation().shape)
    np.testing.assert_array_equal(numbers, network.describe([picture.colours(150)]))


def test_a_face_of_a_project_is_described_by_its_photograph_if_that_is_still_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else by its crop; and who waits for it may stop it."""
    from skimage import data

    folder = tmp_path / "Eileen"
    folder.mkdir()
    Image.fromarray(data.astronaut()).save(folder / "1.png")
    Image.fromarray(data.astronaut()[:, ::-1]).save(folder / "2.png")
    faces = load_faces(find_photos(tmp_path), Preparation())
    (folder / "2.png").unlink()
    seen: list[float] = []

    def describe(chips: list[np.ndarray]) -> np.ndarray:
        seen.extend(float(np.ptp(chip, axis=2).mean()) for chip in chips)
        return np.zeros((len(chips), 128), np.float32)

    monkeypatch.setattr(network, "describe", describe)
    cache = network.FaceDescriptorCache()
    for module in ("recognition.network", "faces.network"):
        monkeypatch.setattr(f"eigenfaces.{module}.DESCRIPTORS", cache)

    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        NetworkFeatures().read_photographs(faces, stop)
    NetworkFeatures().read_photographs(faces)
    (coloured,) = seen
    NetworkFeatures().of_all(faces.pixels, faces.shape)
    assert coloured > 10, "the chip of a grey crop has no colour"
    assert seen[1:] == [0.0]


def test_the_simplest_recipe_near_the_best_is_chosen_and_of_photographs_network(
    att: FaceSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "is_installed", lambda: True)
    nothing = SimpleNamespace(principal=None, people=None)
    monkeypatch.setattr(automatic.PrincipalFaces, "of", lambda *args, **more: nothing)
    rng, faces = np.random.default_rng(0), att.select(range(80))
    for _ in range(100):
        shares = dict(zip(RECIPES, rng.choice([0.5, 0.8, 0.93, 0.96, 0.985], 4), strict=True))
        monkeypatch.setattr(
            automatic,
            "share_named_rightly",
            lambda refits, shares=shares: shares[refits.recipe.name],
        )
        choice, _ = choose_recipe(faces, range(80), crops=True)
        assert choice.shares.items() <= shares.items()
        mine = shares[choice.recipe]
        assert mine >= max(shares.values()) - automatic.MOST_BEHIND
        simpler = list(RECIPES)[: list(RECIPES).index(choice.recipe)]
        best = max(choice.shares.values()) if mine < 1 - automatic.MOST_BEHIND else 1
        assert all(shares[name] < best - automatic.MOST_BEHIND for name in simpler)
        choice, _ = choose_recipe(faces, range(80), crops=False)
        assert {"Eigenfaces", "Network"} <= choice.shares.keys()
        near = shares["Network"] >= max(shares.values()) - automatic.MOST_BEHIND
        assert choice.recipe == (
            "Network" if near else automatic.preferred_recipe(shares, crops=True)
        )


@pytest.mark.parametrize(("crops", "chosen"), [(False, "Network"), (True, "Eigenfaces")])
@pytest.mark.parametrize("rows", [[0, 10, 20], [0, 1, 2]])
def test_where_nothing_can_be_held_out(
    att: FaceSet, rows: list[int], crops: bool, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "is_installed", lambda: True)
    choice, _ = choose_recipe(att.select(rows), range(3), crops=crops)
    assert (choice.recipe, choice.shares, choice.missing) == (chosen, {}, False)
    assert "nothing can be held out" in choice.reason
    monkeypatch.setattr(network, "is_installed", lambda: False)
    without, _ = choose_recipe(att.select(rows), range(3), crops=crops)
    assert (without.recipe, without.missing) == ("Eigenfaces", not crops)
    assert ("uv sync --group network" in without.reason) == (not crops)


@pytest.mark.parametrize(("share", "missing"), [(0.9, True), (0.98, False)])
def test_network_is_missed_only_where_it_could_be_ahead(
    att: FaceSet, share: float, missing: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network, "is_installed", lambda: False)
    monkeypatch.setattr(automatic, "share_named_rightly", lambda refits: share)
    choice, _ = choose_recipe(att.select(range(20)), range(20), crops=False)
    assert (choice.recipe, choice.missing) == ("Eigenfaces", missing)
    assert f"it names {100 * share:.1f} % of your photos" in choice.reason
    assert ("Network might name more" in choice.reason) == missing


def test_a_recipe_chosen_by_hand_ends_automatic(att: FaceSet) -> None:
    gallery = replace(Gallery.new(PREPARATION), faces=att.select(range(40))).train()
    assert gallery.automatic is not None
    assert gallery.recipe.name == gallery.automatic.recipe == "Eigenfaces"
    assert gallery.automatic.reason.startswith("Eigenfaces was chosen: it names 100.0 % of")
    assert gallery.train(recipe=NETWORK).automatic is None
    assert gallery.with_recipe(NETWORK).automatic is None
