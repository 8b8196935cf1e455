"""The fit of a face space beside OpenCV, scikit-learn and its own floor: products and `eigh` alone.

``OPENBLAS_NUM_THREADS=2 uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_fit.py``

Faces of the sample, and faces made of them (seed 1); medians of interleaved runs.
"""

import numpy as np
import pytest
from measuring import many_faces, times

from eigenfaces import load_sample
from eigenfaces.space.arrays import Floats
from eigenfaces.space.pca import as_grey, decompose

ROUNDS = 5


def floor(faces: Floats, k: int) -> Floats:
    """Do the least that a fit can do: A Aᵀ, its eigenvectors, and k products with A."""
    vectors = np.linalg.eigh((faces @ faces.T).astype(np.float64))[1]
    return np.ascontiguousarray(vectors[:, -k:].T, np.float32) @ faces


@pytest.mark.parametrize(("count", "k"), [(400, 399), (1000, 999), (1000, 200)])
def test_fit(count: int, k: int) -> None:
    from sklearn.decomposition import PCA

    opencv = pytest.importorskip("cv2").face
    shape = (112, 92) if count == 400 else (128, 128)
    levels = load_sample().levels.astype(np.uint8) if count == 400 else many_faces(count, shape)
    faces, images = as_grey(levels), list(levels.reshape(-1, *shape))
    labels = np.arange(len(levels), dtype=np.int32)
    rivals = {
        "ours": lambda: decompose(levels, n_components=k),
        "floor (products and eigh alone)": lambda: floor(faces, k),
        "scikit-learn, full": lambda: PCA(k, svd_solver="full").fit(faces),
    }
    if k <= 200 or count == 400:
        randomised = PCA(k, svd_solver="randomized", random_state=0)
        rivals["scikit-learn, randomised"] = lambda: randomised.fit(faces)
    spent = times(rivals, ROUNDS)
    spent |= times(
        {"OpenCV": lambda: opencv.EigenFaceRecognizer_create(k).train(images, labels)}, 1
    )
    print(f"\nfit {count} × {faces.shape[1]}, {k} components: {spent['ours']:.3f} s")
    for name, seconds in spent.items():
        print(f"  {name:34} {seconds:8.3f} s  {seconds / spent['ours']:6.2f} × ours")


def test_accuracy() -> None:
    """Against an SVD in double precision, on AT&T."""
    levels = load_sample().levels
    centred = levels / 255 - (levels / 255).mean(axis=0)
    values, vectors = np.linalg.svd(centred, full_matrices=False)[1:]
    made = decompose(levels.astype(np.uint8))
    off = np.abs(made.singular_values / values[:399] - 1).max()
    signs = np.sign((made.components[:100] * vectors[:100]).sum(axis=1))[:, None]
    turned = np.linalg.norm(signs * made.components[:100] - vectors[:100], axis=1).max()
    print(f"\nAT&T: singular values to {off:.1e}, the first 100 directions to {turned:.1e} rad")
    assert off < 1e-6
    assert turned < 1e-4
