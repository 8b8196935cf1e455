"""The public names exist, and the manual's equivalents of OpenCV and scikit-learn calls run."""

import re
from pathlib import Path
from typing import Any

import numpy as np
from build_site import api
from PIL import Image
from skimage import data

import eigenfaces
from eigenfaces.manual.sections import sections


def test_each_is_there() -> None:
    """The names are imported lazily, on first use."""
    assert all(hasattr(eigenfaces, name) for name in eigenfaces.__all__)


def test_the_site_has_each_once() -> None:
    shown = re.findall(r"^::: eigenfaces\.(.+)$", api(), re.MULTILINE)
    assert sorted(shown) == sorted(eigenfaces.__all__)


def test_the_version_is_the_one_that_is_cited() -> None:
    cited = Path(__file__).parents[1].joinpath("CITATION.cff").read_text("utf-8")
    assert f"\nversion: {eigenfaces.__version__}\n" in cited
    assert Path(eigenfaces.__file__).with_name("py.typed").exists()


def test_what_the_manual_shows_beside_others_runs(rng: np.random.Generator, tmp_path: Path) -> None:
    """Except the calls that write a project, which many other tests cover."""
    (section,) = (part for part in sections() if part.key == "from-opencv-or-scikit-learn")
    cells = re.findall(r"^\| .+? \| (.+) \|$", section.text, re.MULTILINE)
    codes = [code for cell in cells for code in re.findall(r"`([^`]+)`", cell)]
    people = np.repeat(rng.integers(40, 200, (12, 20, 18)), 4, axis=0)
    images = (people + rng.integers(0, 30, people.shape)).astype(np.uint8)
    names = [name for name in "ABCDEFGHIJKL" for _ in range(4)]
    Image.fromarray(data.astronaut()).save(tmp_path / "new.png")
    scope: dict[str, Any] = {name: getattr(eigenfaces, name) for name in eigenfaces.__all__}
    scope |= {"images": images, "names": names, "image": images[5], "path": tmp_path / "new.png"}
    scope["prepared"] = eigenfaces.Preparation(20, 18, already_cropped=True)
    scope["faces"] = eigenfaces.FaceSet.from_arrays(images / 255, names)
    results = {}
    for code in codes:
        if code.startswith("gallery = "):
            exec(code, scope)
            scope["space"] = scope["gallery"].trained.space
        elif not re.search(r"…|^\w+$|Project", code):
            results[code] = eval(code, scope)
    assert len(results) > 12
    assert results["identify(gallery, image / 255).closest"].person == "B"
    figures = results["evaluate(faces, EvaluationSetting(Recipe(), KFold(10))).metrics"]
    assert all(0 <= f.low <= f.value <= f.high <= 1 for f in figures)
