"""The bench: undisturbed, the verdict as it was; a face found anew; the curve of a photo."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import synthetic
from PIL import Image
from skimage import data

from eigenfaces import FaceSet, Gallery, Preparation, Recipe
from eigenfaces.arrays import Doubles
from eigenfaces.errors import Cancelled
from eigenfaces.faces.face_reading import Picture
from eigenfaces.laboratory.breaking.bench import Bench, PhotoCurve, change_words
from eigenfaces.laboratory.breaking.disturbances import (
    BLUR,
    DARKEN,
    NEUTRAL,
    TURN,
    FacePicture,
    Strengths,
)
from eigenfaces.laboratory.breaking.surroundings import Cutting
from eigenfaces.photographs.photos import Photo
from eigenfaces.recognition.probes import Probe, probes_on
from eigenfaces.recognition.verdict import identify
from eigenfaces.samples import PREPARATION


def synthetic_bench(person: str | None = "Ada") -> Bench:
    gallery = synthetic.small_gallery()
    face = np.clip(gallery.faces.image(1) + 0.02, 0, 1)
    photo = replace(gallery.index.photos[1], key="other", person=person)
    return Bench.alone(gallery, Probe(photo, face))


@pytest.fixture(scope="module")
def sample(att: FaceSet) -> tuple[Gallery, Probe]:
    """Nine photographs of ten people, and one of the first person's that is not enrolled."""
    rows = [row for row in range(100) if row % 10 != 9]
    gallery = Gallery(att.select(rows), PREPARATION, Recipe()).train().calibrate()
    return gallery, Probe(att.index.photos[19], att.image(19))


def test_nothing_disturbed_is_the_same_verdict() -> None:
    bench = synthetic_bench()
    now = bench.broken(NEUTRAL, align=False)
    assert now.face is not None
    assert now.verdict is not None
    assert np.array_equal(now.face, bench.probe.image)
    assert now.verdict.ranking == identify(bench.gallery, bench.probe.image).ranking
    headline, chip, sentence = change_words(bench.before, now)
    decision = bench.before.decision
    assert (headline, chip) == (decision.headline, decision.chip)
    assert sentence.startswith("Nothing is disturbed.")


def test_people_ruled_out_stay_ruled_out() -> None:
    bench = synthetic_bench(None)
    nearest = bench.before.closest.person
    from eigenfaces.recognition.answering import it_is_not

    gallery = it_is_not(bench.gallery, bench.probe, [nearest]).gallery
    without = Bench.alone(gallery, bench.probe)
    now = without.broken(Strengths(blur=1), align=False)
    assert now.verdict is not None
    assert nearest not in [match.person for match in now.verdict.ranking]
    assert without.person != nearest


def test_the_curve_goes_through_the_verdicts() -> None:
    bench = synthetic_bench()
    others = Strengths(darken=10)
    curve = bench.curve(TURN, others, align=False)
    assert curve.person == "Ada"
    for at in (0, 16, 20):
        now = bench.broken(others.but(TURN, float(curve.strengths[at])), align=False)
        assert now.verdict is not None
        distances = {match.person: match.distance for match in now.verdict.ranking}
        assert curve.own[at] == pytest.approx(distances.pop("Ada"))
        assert curve.other[at] == pytest.approx(min(distances.values()))


def test_a_curve_can_be_stopped() -> None:
    def stop(done: int, total: int) -> None:
        if done == 3:
            raise Cancelled

    with pytest.raises(Cancelled):
        synthetic_bench().curve(BLUR, NEUTRAL, align=False, tick=stop)


def test_who_is_followed() -> None:
    assert synthetic_bench("Grace").person == "Grace"
    assert synthetic_bench("Nobody enrolled").person == "Ada"
    assert synthetic_bench(None).person == "Ada"


def line(along: object, own: Doubles, other: Doubles, limit: float | None) -> PhotoCurve:
    strengths = np.linspace(-40, 40, 5) if along is TURN else np.linspace(0, 10, 5)
    chosen = TURN if along is TURN else BLUR
    return PhotoCurve(chosen, strengths, own, other, "Ada", limit, aligned=False)


def test_the_sentence_reads_crossings_off_the_lines() -> None:
    own, other = np.array([9.0, 5, 1, 3, 7]), np.array([8.0, 8, 8, 8, 8])
    said = line(TURN, own, other, 4.0).sentence
    assert said == (
        "It passes the mark at about +25° and −15°; somebody else is nearer from about −35° on."
    )


def test_the_sentence_where_nothing_is_crossed() -> None:
    own = np.ones(5)
    said = line(BLUR, own, own + 1, 2.0).sentence
    assert said == "It stays within the mark; nobody else comes nearer."
    assert "already at 0 px" in line(BLUR, own, own + 1, 0.5).sentence
    lost = np.array([1, 1, np.nan, np.nan, np.nan])
    assert line(BLUR, lost, lost + 1, None).sentence.endswith("no face is found from 3.75 px on.")


def test_ready_crops_are_cut_anew_as_the_gallerys_are(sample: tuple[Gallery, Probe]) -> None:
    gallery, probe = sample
    bench = Bench.of(gallery, probe)
    assert bench.can_align
    assert bench.cutting is not None
    assert bench.cutting.anew is not None
    assert bench.picture.margins == (0, 0)  # the crop is the picture
    turned = bench.face(Strengths(turn=20), align=True)
    assert turned is not None
    again = bench.cutting.found_in(FacePicture(turned, turned.shape))
    plain = bench.face(NEUTRAL, align=True)
    assert again is not None
    assert plain is not None
    as_it_is = bench.face(Strengths(turn=20), align=False)
    assert as_it_is is not None
    middle = np.s_[30:90, 20:72]
    assert (
        np.abs(turned - plain)[middle].mean() < 0.6 * np.abs(as_it_is - probe.image)[middle].mean()
    )


def test_a_face_that_is_not_found_is_not_named(sample: tuple[Gallery, Probe]) -> None:
    gallery, probe = sample
    bench = Bench.of(gallery, probe)
    now = bench.broken(Strengths(darken=95, noise=50), align=True)
    assert now.face is None
    assert now.verdict is None
    headline, chip, sentence = change_words(bench.before, now)
    assert headline == "No face found"
    assert "named" in chip
    assert sentence.endswith("So nobody is named.")


def test_words_for_what_changes(sample: tuple[Gallery, Probe]) -> None:
    gallery, probe = sample
    bench = Bench.of(gallery, probe)
    assert bench.before.decision.person == probe.photo.person
    chips = {
        strength: change_words(bench.before, bench.broken(Strengths(turn=strength), align=False))
        for strength in (1, 40)
    }
    assert chips[1][1] == "still named"
    assert chips[40][1] in ("no longer named", "another name")
    assert " instead of " in chips[1][2] or " no longer " in chips[1][2]


def test_crops_that_show_no_faces_cannot_be_aligned() -> None:
    gallery = synthetic.small_gallery()
    cutting = Cutting.of(gallery)
    assert cutting.anew is None
    assert cutting.found_in(FacePicture(gallery.faces.image(0), gallery.faces.shape)) is None


@pytest.fixture
def astronaut(tmp_path: Path) -> tuple[Gallery, Probe]:
    """A gallery of ordinary photographs, and a probe that is found in one."""
    path = tmp_path / "astronaut.png"
    Image.fromarray(data.astronaut()).convert("L").save(path)
    (probe,) = probes_on(Photo(path, None), Preparation())
    noise = np.random.default_rng(0).random((4, *Preparation().shape))
    faces = FaceSet.from_arrays(0.1 * noise + 0.4, ["Ada", "Ada", "Grace", "Grace"])
    return Gallery(faces, Preparation(), Recipe()).train(), probe


def test_an_ordinary_photograph_is_disturbed_before_it_is_cut(
    astronaut: tuple[Gallery, Probe],
) -> None:
    gallery, probe = astronaut
    bench = Bench.of(gallery, probe)
    picture = bench.picture
    assert picture.grey.shape == (3 * 112, 3 * 92)
    assert np.array_equal(picture.face, probe.image)  # bit for bit
    down, across = picture.margins
    left_edge = np.abs(np.diff(picture.grey[down:-down, across - 3 : across + 3], axis=1)).mean(0)
    assert left_edge[2] < 2 * left_edge.max(initial=0, where=np.arange(5) != 2)  # and no seam
    # Moved by a fifth: what comes in is what the photograph shows there.
    eyes = probe.photo.placement.eyes
    assert eyes is not None
    moved = bench.face(Strengths(across=20), align=False)
    step = eyes.distance / Preparation().eye_distance * 0.2 * 92
    shifted = type(eyes)((eyes.left[0] - step, eyes.left[1]), (eyes.right[0] - step, eyes.right[1]))
    tilt = eyes.angle
    assert abs(tilt) < 6
    expected = Picture(probe.photo.path.read_bytes()).crop(shifted, Preparation())
    assert moved is not None
    assert np.abs(moved - expected).mean() < 0.05
    assert np.abs(moved - probe.image).mean() > 0.1


def test_aligned_anew_it_is_the_same_face_again(astronaut: tuple[Gallery, Probe]) -> None:
    gallery, probe = astronaut
    bench = Bench.of(gallery, probe)
    strengths = Strengths(turn=20, across=12, down=-8, size=120)
    again, as_it_is = (bench.face(strengths, align=way) for way in (True, False))
    assert again is not None
    assert as_it_is is not None
    assert np.abs(again - probe.image).mean() < 0.25 * np.abs(as_it_is - probe.image).mean()


def test_a_photograph_that_has_changed_is_left_alone(astronaut: tuple[Gallery, Probe]) -> None:
    gallery, probe = astronaut
    Image.fromarray(data.camera()).save(probe.photo.path)
    assert Bench.of(gallery, probe).picture.margins == (0, 0)
    probe.photo.path.unlink()
    assert Bench.of(gallery, probe).picture.margins == (0, 0)


def test_an_enrolled_photo_is_known_as_such(sample: tuple[Gallery, Probe]) -> None:
    gallery, probe = sample
    assert not Bench.alone(gallery, probe).is_enrolled
    enrolled = Probe(gallery.index.photos[3], gallery.faces.image(3))
    assert Bench.alone(gallery, enrolled).is_enrolled


def test_darker_is_farther(sample: tuple[Gallery, Probe]) -> None:
    gallery, probe = sample
    curve = Bench.alone(gallery, probe).curve(DARKEN, NEUTRAL, align=False)
    assert (np.diff(curve.own[8:]) > 0).all()
