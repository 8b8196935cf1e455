"""``python -m eigenfaces``: the command line."""

from eigenfaces.cli import app

app(prog_name="eigenfaces")
