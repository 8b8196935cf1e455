"""The fit of a face space beside OpenCV, scikit-learn and its own floor: products and `eigh` alone.

``uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_fit.py``

Faces of the sample, and faces made of them (`made_up.many_faces`, seed 1); medians of interleaved
runs.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from made_up import many_faces
from numpy.typing import NDArray
from timing import interleaved

from eigenfaces import load_sample
from eigenfaces.space.arrays import Bytes, Floats
from eigenfaces.space.pca import as_grey, decompose

ROUNDS = 5
SEED = 0


def floor(faces: Floats, k: int) -> Callable[[], object]:
    """Return the least that a fit can do: A Aᵀ, its eigenvectors, and k products with A."""

    def bare() -> NDArray[np.floating]:
        vectors = np.linalg.eigh((faces @ faces.T).astype(np.float64))[1]
        return np.ascontiguousarray(vectors[:, -k:].T, np.float32) @ faces

    return bare


def by_scikit_learn(faces: Floats, k: int, solver: str, **how: Any) -> Callable[[], object]:
    from sklearn.decomposition import PCA

    return lambda: PCA(k, svd_solver=solver, random_state=SEED, **how).fit(faces)


def by_opencv(levels: Bytes, shape: tuple[int, int], k: int) -> Callable[[], object]:
    face = pytest.importorskip("cv2").face
    images = list(levels.reshape(-1, *shape))
    labels = np.arange(len(levels), dtype=np.int32)
    return lambda: face.EigenFaceRecognizer_create(k).train(images, labels)


@pytest.mark.parametrize(
    ("count", "k"),
    [(400, 399), (1000, 999), (1000, 200)],
    ids=lambda number: str(number),
)
def test_fit(count: int, k: int) -> None:
    shape = (112, 92) if count == 400 else (128, 128)
    levels = load_sample().levels.astype(np.uint8) if count == 400 else many_faces(count, shape)
    crops, faces = levels, as_grey(levels)
    rivals = {
        "ours": lambda: decompose(crops, n_components=k),
        "floor (products and eigh alone)": floor(faces, k),
        "scikit-learn, full": by_scikit_learn(faces, k, "full"),
    }
    if k <= 200 or count == 400:
        rivals["scikit-learn, randomised"] = by_scikit_learn(faces, k, "randomized")
    times = interleaved(rivals, ROUNDS)
    times |= interleaved({"OpenCV": by_opencv(levels, shape, k)}, 1)
    print(f"\nfit {count} × {faces.shape[1]}, {k} components: {times['ours']:.3f} s")
    for name, seconds in times.items():
        print(f"  {name:34} {seconds:8.3f} s  {seconds / times['ours']:6.2f} × ours")


def test_accuracy() -> None:
    """Against an SVD in double precision, on AT&T."""
    levels = load_sample().levels
    centred = levels / 255 - (levels / 255).mean(axis=0)
    values, vectors = np.linalg.svd(centred, full_matrices=False)[1:]
    made = decompose(levels.astype(np.uint8))
    off = np.abs(made.singular_values / values[:399] - 1).max()
    signs = np.sign((made.components[:100] * vectors[:100]).sum(axis=1))[:, None]
    turned = np.linalg.norm(signs * made.components[:100] - vectors[:100], axis=1).max()
    skew = np.abs(made.components @ made.components.T - np.eye(399)).max()
    print(
        f"\nAT&T: singular values to {off:.1e} of each, the first 100 directions to {turned:.1e} "
        f"rad, orthonormal to {skew:.1e}"
    )
    assert off < 1e-6
    assert turned < 1e-4
