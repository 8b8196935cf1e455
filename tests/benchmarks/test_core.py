"""How fast the core is, beside a peer; and what 10 000 photographs take in time and memory.

``uv run --group dev pytest tests/benchmarks/test_core.py -s`` prints the figures.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from eigenfaces import FaceSet, FaceSpace, Gallery, Preparation, Recipe, identify_all, load_sample
from eigenfaces.space.pca import LEADING

medians: dict[str, float] = {}


@pytest.fixture(scope="module")
def att() -> FaceSet:
    return load_sample()


def remember(name: str, benchmark: Any) -> None:
    medians[name] = benchmark.stats.stats.median


def test_train_opencv(att: FaceSet, benchmark: Any) -> None:
    face = pytest.importorskip("cv2").face
    images = list(att.levels.astype(np.uint8).reshape(400, 112, 92))
    labels = np.arange(400, dtype=np.int32) // 10
    benchmark.pedantic(
        lambda: face.EigenFaceRecognizer_create().train(images, labels), rounds=3, warmup_rounds=1
    )
    remember("OpenCV", benchmark)


def test_train_eigenfaces(att: FaceSet, benchmark: Any) -> None:
    """From prepared faces to a trained gallery, the projection of all faces included."""
    gallery = Gallery(att, Preparation(*att.shape, already_cropped=True), Recipe())
    benchmark.pedantic(gallery.train, rounds=9, warmup_rounds=1)
    remember("Eigenfaces", benchmark)
    if "OpenCV" in medians:
        ratio = medians["OpenCV"] / medians["Eigenfaces"]
        print(f"\nTraining on AT&T: {ratio:.1f} times as fast as OpenCV.")
        assert ratio >= 10


def test_train_2000_of_16384(benchmark: Any) -> None:
    faces = np.random.default_rng(0).random((2000, 16384), np.float32)
    benchmark.pedantic(lambda: FaceSpace.fit(faces, (128, 128)), rounds=3, warmup_rounds=1)
    print(f"\n2000 × 16384: {benchmark.stats.stats.median:.2f} s")


def varied(att: FaceSet, count: int) -> NDArray[np.float32]:
    """Faces of the sample, turned, shifted, mirrored, lit otherwise, with noise: (count, d)."""
    rng = np.random.default_rng(1)
    made = np.empty((count, att.pixels.shape[1]), np.float32)
    for row in range(count):
        image = Image.fromarray(att.image(row % len(att))[:, :: rng.choice([-1, 1])])
        shift = tuple(rng.normal(0, 2, 2))
        turned = image.rotate(rng.normal(0, 4), Image.Resampling.BILINEAR, translate=shift)
        face = np.asarray(turned) ** np.exp(rng.normal(0, 0.2)) + rng.normal(0, 0.01, att.shape)
        made[row] = np.clip(face, 0, 1).ravel()
    return made


def test_the_randomised_route_follows_the_exact_one(att: FaceSet) -> None:
    """Takes a minute or two."""
    faces = varied(att, 5000)
    found = FaceSpace.fit(faces, att.shape)
    exact = FaceSpace.fit(faces, att.shape, largest_exact=len(faces)).first(len(found))
    values = np.abs(found.singular_values / exact.singular_values - 1)
    angles = np.linalg.norm(found.components.astype(np.float64) - exact.components, axis=1)
    print(f"\nSingular values to {values.max():.1e}, components to {angles.max():.1e} rad")
    assert len(found) == LEADING
    assert values[:300].max() < 1e-4
    assert (angles < 1e-2).sum() >= 250


def test_identify_one(att: FaceSet, benchmark: Any) -> None:
    gallery = Gallery(
        att, Preparation(*att.shape, already_cropped=True), Recipe.of(components=100)
    ).train()
    benchmark(lambda: identify_all(gallery, att.pixels[:1]))


@pytest.mark.parametrize("distance", ["L1", "L2", "L∞", "cosine"])
def test_identify_500_among_10_000(benchmark: Any, distance: str) -> None:
    rng = np.random.default_rng(0)
    faces = FaceSet.from_arrays(
        rng.random((10_000, 32, 32)), [f"Person {i // 10}" for i in range(10_000)]
    )
    recipe = Recipe.of(components=500, distance=distance)
    gallery = Gallery(faces, Preparation(32, 32, already_cropped=True), recipe).train()
    benchmark.pedantic(lambda: identify_all(gallery, faces.pixels[:500]), rounds=2)


MANY = """
import json, resource, sys, tempfile, time
from pathlib import Path
import numpy as np
from PIL import Image
from eigenfaces import Gallery, Preparation, Project, Recipe, find_photos, load_faces

folder = Path(sys.argv[1])
figures = {}
begun = time.perf_counter()

def lap(name):
    global begun
    figures[name + " s"] = round(time.perf_counter() - begun, 2)
    status = Path("/proc/self/status")  # resource.getrusage also counts the parent's peak there
    if status.exists():
        peak = next(line for line in status.read_text().splitlines() if "VmHWM" in line)
        figures[name + " peak MB"] = round(int(peak.split()[1]) / 1024)
    else:
        figures[name + " peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.perf_counter()

lap("import")
faces = load_faces(find_photos(folder), Preparation(112, 92, already_cropped=True))
assert len(faces) == 10_000, faces.skipped[:3]
lap("load")
gallery = Gallery(faces, Preparation(112, 92, already_cropped=True), Recipe()).train()
lap("train")
project = Project.create(folder / "many.eigenfaces", gallery)
lap("save")
project.save(gallery.rename(gallery.people[0], "Ada"))
lap("rename")
project.close()
project = Project.open(folder / "many.eigenfaces")
lap("open")
project.close()
figures["components"] = len(gallery.trained.space)
figures["file MB"] = round((folder / "many.eigenfaces").stat().st_size / 1e6)
print(json.dumps(figures))
"""


def write_many(folder: Path, att: FaceSet) -> None:
    """10 000 different pictures of 92 × 112, mixed from those of the sample, of 400 people."""
    rng = np.random.default_rng(0)
    for person in range(400):
        (folder / f"Person {person + 1}").mkdir()
        for number in range(25):
            chosen = att.levels[rng.integers(0, 400, 3)]
            weights = rng.dirichlet(np.ones(3))
            pixels = np.rint(weights @ chosen + rng.integers(-8, 9, 10304)).clip(0, 255)
            content = b"P5\n92 112\n255\n" + pixels.astype(np.uint8).tobytes()
            (folder / f"Person {person + 1}" / f"{number + 1}.pgm").write_bytes(content)


def test_10_000_photographs(tmp_path: Path, att: FaceSet) -> None:
    """Load, train by the Krylov route, save, edit and open, in a process of its own."""
    write_many(tmp_path, att)
    done = subprocess.run(
        [sys.executable, "-c", MANY, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for name, figure in json.loads(done.stdout).items():
        print(f"\n10 000 photographs: {name}: {figure}", end="")
    print()
