"""The command line of projects (build, info …) and of evaluation (evaluate, repeat …)."""

from eigenfaces.cli import commands, evaluate, faces, published, repeat, sweep
from eigenfaces.cli.running import app

__all__ = ["app", "commands", "evaluate", "faces", "published", "repeat", "sweep"]
