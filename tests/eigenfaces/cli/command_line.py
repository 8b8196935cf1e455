"""Running commands in tests, and reading what they made."""

import contextlib
from dataclasses import replace
from pathlib import Path

from typer.testing import CliRunner, Result

from eigenfaces.cli import app
from eigenfaces.faces.face_set import Crops
from eigenfaces.project.project import Project
from eigenfaces.recognition.gallery import Gallery

CROPPED = ("--already-cropped", "--height", 32, "--width", 24)
"""How the synthetic people are built: no cascade finds faces in them."""


def eigenfaces(*said: object) -> Result:
    result = CliRunner().invoke(app, [str(each) for each in said])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result


def opened(file: Path) -> Gallery:
    """Return what is in a project file, its faces in memory: it is closed again."""
    with contextlib.closing(Project.open(file)) as project:
        faces = project.gallery.faces
        faces = replace(faces, pixels=Crops(faces.pixels.array))
        return replace(project.gallery, faces=faces)


def failure(*said: object) -> str:
    """Run what fails in an expected way; return its one sentence."""
    result = eigenfaces(*said)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.strip().endswith(".")
    return result.stderr
