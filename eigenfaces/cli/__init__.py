"""The command line: build, info, recognise, components, reconstruct, faces, learn."""

from eigenfaces.cli import commands, faces, learn
from eigenfaces.cli.running import app

__all__ = ["app", "commands", "faces", "learn"]
