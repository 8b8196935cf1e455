"""The fit of a face space beside OpenCV, scikit-learn and its own floor: products and `eigh` alone.

``OPENBLAS_NUM_THREADS=2 uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_fit.py``

Faces of the sample, and faces made of them (seed 1); medians of interleaved runs.
"""

import numpy as np
import pytest
from measuring import many_faces, medians

from eigenfaces import load_sample
from eigenfaces.space.arrays import Floats
from eigenfaces.space.pca import as_grey, decompose


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
    labels = np.arange(count, dtype=np.int32)
    rivals = {
        "ours": lambda: decompose(levels, n_components=k),
        "floor (products and eigh alone)": lambda: floor(faces, k),
        "scikit-learn, full": lambda: PCA(k, svd_solver="full").fit(faces),
        "OpenCV": lambda: opencv.EigenFaceRecognizer_create(k).train(images, labels),
    }
    if k < 999:
        randomised = PCA(k, svd_solver="randomized", random_state=0)
        rivals["scikit-learn, randomised"] = lambda: randomised.fit(faces)
    spent = dict(zip(rivals, medians(*rivals.values(), rounds=5), strict=True))
    print(f"\nfit {count} × {faces.shape[1]}, {k} components: {spent['ours']:.3f} s")
    for name, seconds in spent.items():
        print(f"  {name:34} {seconds:8.3f} s  {seconds / spent['ours']:6.2f} × ours")
