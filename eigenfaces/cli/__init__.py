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

_GROUPS = {
    "A project": ("build", "info", "train", "faces"),
    "Who is on a photograph": ("recognise", "calibrate"),
    "How often that is right": ("evaluate", "repeat", "compare", "sweep", "published"),
    "The face space": ("components", "reconstruct", "synthesise", "map", "lesson"),
}
"""The commands in the order in which they are wanted, under the headings that help shows."""

_commands = {str(getattr(each.callback, "__name__", "")): each for each in app.registered_commands}
app.registered_commands.clear()
for title, names in _GROUPS.items():
    for name in names:
        found = _commands.pop(name)
        found.rich_help_panel = title
        app.registered_commands.append(found)
assert not _commands, f"No heading has the commands {', '.join(_commands)}."
