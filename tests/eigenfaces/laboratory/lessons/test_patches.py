"""Patches of natural images: cut as the listing cuts them, and another seed cuts others."""

import numpy as np

from eigenfaces.laboratory.lessons.patches import patches


def test_the_code_makes_the_same_patches() -> None:
    for seed in (0, 3):
        found: dict[str, np.ndarray] = {"np": np}  # type: ignore[dict-item]
        made = patches(seed)
        exec(made.code, found)
        np.testing.assert_array_equal(found["x"], made.values)


def test_they_are_patches_of_the_four_photographs() -> None:
    made = patches(0)
    assert made.values.shape == (4000, 144)
    assert made.shape == (12, 12)
    assert 0 <= made.values.min() < made.values.max() <= 1
    assert len(np.unique(made.values, axis=0)) > 3900
    assert not np.array_equal(made.values, patches(1).values)
