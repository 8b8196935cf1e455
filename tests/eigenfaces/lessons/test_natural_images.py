"""Natural images: components as scikit-learn has them, and waves found."""

import numpy as np
from made_subjects import images
from scipy.fft import idctn

from eigenfaces.errors import no_tick
from eigenfaces.lessons.natural_images import LESSON, best_shares, prepare
from eigenfaces.lessons.subjects import SUBJECTS

PATCHES = SUBJECTS["patches"].make(0)
READY = prepare(PATCHES, no_tick)


def test_pictures_made_of_waves_are_taken_apart_into_these() -> None:
    """Synthetic truth: every cosine has a variance of its own, so each component is one wave."""
    generator = np.random.default_rng(0)
    strengths = generator.permutation(np.geomspace(1, 0.01, 64)).reshape(8, 8)
    waves = generator.normal(size=(20_000, 8, 8)) * strengths
    made = idctn(waves, axes=(1, 2), norm="ortho")
    subject = images(made.reshape(-1, 64), 8, 8)
    found = LESSON.show(subject, own_mean=False).numbers["best"]
    assert np.min(found) > 0.9


def test_a_slanted_wave_is_two_cosines() -> None:
    both = np.zeros((1, 6, 6))
    both[0, 1, 2] = both[0, 2, 1] = np.sqrt(0.5)
    best, two = best_shares(both)
    np.testing.assert_allclose([best[0], two[0]], [0.5, 1])
    alone = np.zeros((1, 6, 6))
    alone[0, 3, 3] = 1
    np.testing.assert_allclose(best_shares(alone), 1)


def test_patches_are_waves_and_digits_are_not() -> None:
    natural = LESSON.picture(READY).numbers["best"]
    digits = LESSON.show(SUBJECTS["digits"].make(0)).numbers["best"]
    assert np.mean(natural[:10]) > 0.8 > 0.3 > np.mean(digits[:10])
    assert READY.chance < 0.1


def test_scaling_changes_nothing_at_first_and_spoils_the_waves_without_the_own_mean() -> None:
    def waves(own_mean: bool, scaled: bool) -> float:
        shown = LESSON.picture(READY, own_mean=own_mean, scaled=scaled)
        return float(np.mean(shown.numbers["best"][:10]))

    assert abs(waves(False, False) - waves(False, True)) < 0.01
    assert waves(True, False) - waves(True, True) > 0.1
    deviations = READY.ways[False, False].deviations
    assert deviations.min() > 0.97 * deviations.max()
