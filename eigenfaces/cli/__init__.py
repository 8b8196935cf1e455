"""The command line of projects (build, info …), of evaluation (evaluate, repeat …), and learn."""

from eigenfaces.cli import commands, evaluate, faces, learn, published, repeat, sweep
from eigenfaces.cli.running import app

__all__ = ["app", "commands", "evaluate", "faces", "learn", "published", "repeat", "sweep"]
