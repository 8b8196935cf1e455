"""Running commands in tests, and reading what they made."""

import contextlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from eigenfaces.cli import app
from eigenfaces.faces.face_set import Crops
from eigenfaces.project.project import Project
from eigenfaces.recognition.gallery import Gallery

CROPPED = ("--already-cropped", "--height", 32, "--width", 24)
"""How the synthetic people are built: no cascade finds faces in them."""


def eigenfaces(*words: object) -> Result:
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result


def printed(*words: object, code: int = 0) -> str:
    """Run a command that ends with this exit code; return what it printed."""
    result = eigenfaces(*words)
    assert result.exit_code == code, result.output
    return result.stdout


def answer(*words: object, code: int = 0) -> Any:
    """Run a command; return its answer in JSON."""
    return json.loads(printed(*words, "--json", code=code))


def failure(*words: object) -> str:
    """Run what fails in an expected way; return its one sentence."""
    result = eigenfaces(*words)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("\n") == 1
    assert result.stderr.strip().endswith(".")
    return result.stderr


def opened(file: Path) -> Gallery:
    """Return what is in a project file, its faces in memory: it is closed again."""
    with contextlib.closing(Project.open(file)) as project:
        faces = project.gallery.faces
        faces = replace(faces, pixels=Crops(faces.pixels.array))
        return replace(project.gallery, faces=faces)
