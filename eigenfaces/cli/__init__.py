"""The command line: build, info, recognise, components, reconstruct."""

from eigenfaces.cli.commands import app

__all__ = ["app"]
