"""The command line of projects (build, info …) and of evaluation (evaluate, repeat …)."""

from eigenfaces.cli import (
    components,
    evaluate,
    faces,
    lesson,
    mapping,
    project_commands,
    published,
    recognising,
    repeat,
    sweep,
    synthesise,
)
from eigenfaces.cli.running import app

__all__ = [
    "app",
    "components",
    "evaluate",
    "faces",
    "lesson",
    "mapping",
    "project_commands",
    "published",
    "recognising",
    "repeat",
    "sweep",
    "synthesise",
]
