"""Import, train, calibrate, save, open, recognise and evaluate 400 … 20,000 photographs.

Pictures of 92 × 112 made of the sample (seed 1), twenty of each person, lie in a folder. Each size
is measured in a process of its own: median times on the clock, of what is done more than once;
after each step the peak of memory so far. Evaluated are ten folds with all their curves, from
10,000 photographs on three folds without. ``-k "Texture and 400"`` runs some of it.
"""

import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from measuring import Result, many_faces, timed
from PIL import Image

from eigenfaces import (
    EvaluationSetting,
    Gallery,
    KFold,
    Preparation,
    Project,
    evaluate,
    find_photos,
    identify_all,
    load_faces,
)
from eigenfaces.recognition.recipe import RECIPES

SHAPE = 112, 92


def peak_memory() -> int:
    """Return the most memory that the process has taken so far, in MB (Linux; else 0)."""
    status = Path("/proc/self/status")  # `resource.getrusage` counts the parent's, too
    lines = status.read_text().splitlines() if status.exists() else ["VmHWM: 0 kB"]
    return int(next(line for line in lines if "VmHWM" in line).split()[1]) // 1024


def lap(name: str, step: Callable[[], Result], runs: int = 1) -> Result:
    """Print how long a step takes, the median of some runs, and the memory taken so far."""
    spent, values = zip(*(timed(step) for _ in range(runs)), strict=True)
    print(f"  {name:10} {np.median(spent):9.3f} s   {peak_memory():5} MB", flush=True)
    return values[-1]


def measure(folder: Path, recipe_name: str) -> None:
    """Do everything with the photographs of a folder, as a process of its own does it."""
    preparation, recipe = Preparation(*SHAPE, already_cropped=True), RECIPES[recipe_name]
    path = folder / "many.eigenfaces"
    faces = lap("import", lambda: load_faces(find_photos(folder), preparation))
    assert not faces.skipped
    gallery, large = Gallery(faces, preparation, recipe), len(faces) >= 10_000
    trained = lap("train", gallery.train, 1 if large else 5)
    calibrated = lap("calibrate", trained.calibrate)
    lap("save", lambda: Project.create(path, calibrated).close())
    lap("open", lambda: Project.open(path).close(), 5)
    with closing(Project.open(path)) as project:
        probe = project.gallery.faces.pixels[:1]
        lap("recognise", lambda: identify_all(project.gallery, probe), 16)
    setting = EvaluationSetting(
        recipe, KFold(3 if large else 10), allow_leaks=True, curves=not large
    )
    lap("evaluate", lambda: evaluate(faces, setting))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("many")


@pytest.mark.parametrize("recipe", ["Eigenfaces", "Fisherfaces", "Texture"])
@pytest.mark.parametrize("count", [400, 3_000, 10_000, 20_000])
def test_sizes(folder: Path, count: int, recipe: str) -> None:
    for row, levels in enumerate(many_faces(count, SHAPE)):
        path = folder / f"Person {row // 20 + 1}" / f"{row % 20 + 1}.pgm"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            Image.fromarray(levels.reshape(SHAPE)).save(path)
    (folder / "many.eigenfaces").unlink(missing_ok=True)
    print(f"\n{count:,} photographs, {recipe}", flush=True)
    subprocess.run([sys.executable, __file__, str(folder), recipe], check=True)


if __name__ == "__main__":
    measure(Path(sys.argv[1]), sys.argv[2])
