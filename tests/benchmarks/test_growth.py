"""How the time and the memory of a fit grow with the number of faces: 1000 … 100 000.

``uv run --group dev pytest -o addopts="" -s tests/benchmarks/test_growth.py``

Faces of 92 × 112 made of the sample (`made_up.many_faces`, seed 1) lie in a project file. Each size
is opened and trained in a process of its own, with one thread: what is told is processor time, and
the peak of memory. Up to 3000 faces all components are found, above the leading 500.
``EIGENFACES_LARGEST=100000`` goes further than 10 000 (a quarter of an hour);
``EIGENFACES_GROWTH=growth.png`` draws the figure of the manual.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from made_up import many_faces
from numpy.typing import NDArray

from eigenfaces import FaceSet, Gallery, Preparation, Project, Recipe
from eigenfaces.faces.photo_index import FacePhoto, PhotoIndex
from eigenfaces.space.arrays.crops import Crops

SIZES = (1000, 2000, 3000, 5000, 10_000, 20_000, 50_000, 100_000)
SHAPE = (112, 92)

SCRIPT = """
import json, resource, sys, time
from pathlib import Path
import eigenfaces.space.pca, eigenfaces.recognition.gallery
from eigenfaces import Project, identify_all

def peak():
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if "VmHWM" in line)
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

empty = peak()
begun = time.process_time()
project = Project.open(Path(sys.argv[1]))
opened = time.process_time() - begun
begun = time.process_time()
gallery = project.gallery.train()
trained = time.process_time() - begun
after = peak()
face = gallery.faces.pixels[:1]
identify_all(gallery, face)
begun = time.process_time()
for _ in range(5):
    identify_all(gallery, face)
asked = (time.process_time() - begun) / 5
print(json.dumps({"open": opened, "train": trained, "identify": asked, "empty MB": empty,
                  "peak MB": after, "components": len(gallery.trained.space)}))
project.close()
"""


def saved(levels: NDArray[np.uint8], path: Path) -> None:
    """Write a project of these faces, twenty of each person."""
    photos = tuple(
        FacePhoto(Path(f"{row}.png"), f"Person {row // 20}", f"{row:064x}", SHAPE, crop=f"{row:x}")
        for row in range(len(levels))
    )
    faces = FaceSet(Crops(levels), SHAPE, PhotoIndex(photos))
    Project.create(
        path, Gallery(faces, Preparation(*SHAPE, already_cropped=True), Recipe())
    ).close()


def test_growth(tmp_path: Path) -> None:
    largest = int(os.environ.get("EIGENFACES_LARGEST", "10000"))
    sizes = [size for size in SIZES if size <= largest]
    every, rows = many_faces(sizes[-1], SHAPE), []
    print("\nfaces    components    open s   train s  one probe ms  peak MB")
    for size in sizes:
        path = tmp_path / f"{size}.eigenfaces"
        saved(every[:size], path)
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(path)],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        )
        assert done.returncode == 0, done.stderr
        path.unlink()
        row = {"faces": size} | json.loads(done.stdout)
        rows.append(row)
        print(
            f"{size:7,} {row['components']:10} {row['open']:11.2f} {row['train']:9.2f} "
            f"{1000 * row['identify']:12.2f} {row['peak MB']:9.0f}",
            flush=True,
        )
    if "EIGENFACES_GROWTH" in os.environ:
        draw(rows, Path(os.environ["EIGENFACES_GROWTH"]))


def draw(rows: list[dict[str, Any]], path: Path) -> None:
    """Draw time and memory over the number of faces, on logarithmic axes."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    faces = np.array([row["faces"] for row in rows])
    for name, key in (("training", "train"), ("opening", "open")):
        axes[0].loglog(faces, [row[key] for row in rows], "o-", label=f"{name}, s")
    axes[0].loglog(faces, [1000 * row["identify"] for row in rows], "o-", label="one probe, ms")
    start = rows[-1]["train"] / faces[-1]
    axes[0].loglog(faces, start * faces, "k:", lw=1, label="in proportion to the faces")
    axes[1].loglog(faces, [row["peak MB"] for row in rows], "o-", label="peak while training")
    axes[1].loglog(
        faces,
        faces * SHAPE[0] * SHAPE[1] * 4 / 2**20,
        "k:",
        lw=1,
        label="their pixels in single precision",
    )
    for axis, label in zip(axes, ("processor time", "memory, MB"), strict=True):
        axis.set(xlabel="faces of 92 × 112 in the gallery", ylabel=label)
        axis.legend(frameon=False, fontsize=8)
        axis.grid(alpha=0.3)
    figure.savefig(path, dpi=110)
