"""The command line: its commands in the order in which they are wanted, under their headings."""

from eigenfaces.cli.building import build, faces, info, train
from eigenfaces.cli.collecting import check, find, update
from eigenfaces.cli.evaluating import compare, evaluate, published, repeat, sweep
from eigenfaces.cli.handing_on import export, forget
from eigenfaces.cli.learning import components, lesson, map, reconstruct, synthesise
from eigenfaces.cli.recognising import calibrate, recognise, verify
from eigenfaces.cli.running import app, register

__all__ = ["app"]

register("A project", build, info, train, faces, update, check, find, export, forget)
register("Who is on a photograph", recognise, calibrate, verify)
register("How often that is right", evaluate, repeat, compare, sweep, published)
register("The face space", components, reconstruct, synthesise, map, lesson)
