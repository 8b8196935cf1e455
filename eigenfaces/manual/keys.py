"""Keyboard shortcuts of the window, in one table for menus, tool tips and the manual."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

RANGE = " … "
"""The mark between the first and the last key of a range, as in “1 … 9”."""

UNUSED = "unused"
"""The part of a page for keys that work unless the focused control uses them itself."""

_QT = {
    "Page Up": ("PgUp",),
    "Page Down": ("PgDown",),
    "Enter": ("Return", "Enter"),
    "Arrow keys": ("Left", "Right", "Up", "Down"),
    "←": ("Left",),
    "→": ("Right",),
    "−": ("-",),
}
"""Qt's names for keys that the manual calls something else."""


@dataclass(frozen=True)
class Command:
    """Action that the user can start with a key or from a menu of the window.

    ``keys`` are written as in the manual: “F2”, “Ctrl+Shift+Z, Ctrl+Y”, or a range, “1 … 9”.
    ``does`` is the description in the manual and in tool tips. Without a ``page``, the keys work
    everywhere. With a ``part``, they work only while that part has the focus. ``menu`` and ``icon``
    are for menus. A command without a ``name`` is only listed: a control carries it out.
    """

    name: str
    keys: str
    does: str
    page: str = ""
    part: str = ""
    menu: str = ""
    icon: str = ""

    @property
    def sequences(self) -> list[str]:
        """The keys in Qt's notation.

        >>> Command("face", "1 … 3", "").sequences
        ['1', '2', '3']
        >>> Command("next", "Page Down, Space", "").sequences
        ['PgDown', 'Space']
        """
        keys = self.keys.split(", ") if self.keys else []
        return [sequence for key in keys for sequence in _sequences_of(key)]

    def collides(self, other: Command) -> bool:
        """Return whether the same key could trigger both this command and the other."""
        same_page = not self.page or not other.page or self.page == other.page
        same_part = not self.part or not other.part or self.part == other.part
        if self.part == other.part == UNUSED:  # the page gets a key before the window does
            same_page = self.page == other.page
        return same_page and same_part and not {*self.sequences}.isdisjoint(other.sequences)


def _sequences_of(key: str) -> tuple[str, ...]:
    first, is_range, last = key.partition(RANGE)
    if not is_range:
        return _QT.get(key, (key,))
    return tuple(f"{first[:-1]}{digit}" for digit in range(int(first[-1]), int(last[-1]) + 1))


_PEOPLE, _RECOGNISE, _RECONSTRUCT = "People", "Recognise", "Reconstruct"
_SYNTHESISE, _MAP, _LESSONS, _ADDING = "Synthesise", "Map", "Lessons", "Adding photos"
_PHOTOS = "list or photograph"
_LARGE = "large photo"
_HALL, _FIGURE = "A figure alone", "figure"
_PAGES = "People, Recognise, Eigenfaces, Reconstruct, Synthesise, Map, Evaluate, Lessons"

COMMANDS = (
    Command("page", "Ctrl+1 … Ctrl+8", f"Go to {_PAGES}"),
    Command("new", "Ctrl+N", "Start a new project", menu="New project", icon="add"),
    Command("open", "Ctrl+O", "Open a project", menu="Open project…", icon="open"),
    Command("sample", "", "", menu="Open the sample gallery", icon="play"),
    Command(
        "save as",
        "Ctrl+S",
        "Save the project elsewhere, and continue there",
        menu="Save project as…",
        icon="save",
    ),
    Command("folder", "Ctrl+Shift+O", "Add a folder of photos", menu="Folder…", icon="folder"),
    Command("files", "", "", menu="Files, or a list of them (CSV)…", icon="image"),
    Command("camera", "", "", menu="Camera…", icon="camera"),
    Command(
        "look",
        "Ctrl+R",
        "Look in the folders of the project for new photos",
        menu="Look for new photos",
        icon="folder",
    ),
    Command("check", "", "", menu="Check the collection…", icon="check"),
    Command("paste", "Ctrl+V", "Paste photos, as if they were dropped on this page"),
    Command("undo", "Ctrl+Z", "Undo the last change", menu="Undo", icon="undo"),
    Command("redo", "Ctrl+Shift+Z, Ctrl+Y", "Redo the change", menu="Redo", icon="redo"),
    Command("train", "Ctrl+T", "Find the eigenfaces of all photos"),
    Command("find", "Ctrl+F", "Find a person or a photo; on Help, a word"),
    Command(
        "export",
        "Ctrl+E",
        "Save what this page shows to a file",
        menu="Export from this page…",
        icon="export",
    ),
    Command(
        "inspector",
        "Ctrl+I",
        "Show or hide the details of what is selected",
        menu="Show or hide the details",
        icon="details",
    ),
    Command(
        "hall",
        "F11",
        "Show only this page’s figure, for a whole room, or the whole page again",
        menu="Show the figure alone, for a whole room",
        icon="screen",
    ),
    Command("help", "F1", "Read about this page"),
    Command("quit", "Ctrl+Q", "Quit", menu="Quit", icon="cross"),
    Command("", "Esc", "Clear the search or the message; close what is open", part=UNUSED),
    Command(
        "", "Arrow keys, Enter", "In a chart, go to the next point, and select it", part="a chart"
    ),
    Command("rename", "F2", "Give this person, or these faces, a name", _PEOPLE),
    Command("merge", "Ctrl+M", "Move all these photos to another person", _PEOPLE),
    Command("photograph", "Ctrl+P", "See the whole photo, and correct the face", _PEOPLE),
    Command("remove person", "Del", "Remove this person from the gallery", _PEOPLE, "people"),
    Command("remove photos", "Del", "Remove the chosen photos from the gallery", _PEOPLE, "photos"),
    Command("", "←, →, Home, End", "The previous or next photo; first or last", _PEOPLE, _LARGE),
    Command("", "F", "Turn full screen on or off", _PEOPLE, _LARGE),
    Command("", "N", "Show or hide the names", _PEOPLE, _LARGE),
    Command("", "I", "It is …: name a face", _PEOPLE, _LARGE),
    Command("", "S", "Mark the photo as a favourite", _PEOPLE, _LARGE),
    Command("", "Space", "Start or pause a slideshow", _PEOPLE, _LARGE),
    Command("yes", "Enter", "Right; if the face is unknown, go to the next", _RECOGNISE, _PHOTOS),
    Command("it is…", "I", "It is …: type a name", _RECOGNISE, _PHOTOS),
    Command("other", "O", "It is the other of two", _RECOGNISE, _PHOTOS),
    Command("nearest", "Y", "An unknown face is the nearest person", _RECOGNISE, _PHOTOS),
    Command("not", "N", "Not this person", _RECOGNISE, _PHOTOS),
    Command("nobody", "U", "Nobody I know", _RECOGNISE, _PHOTOS),
    Command("no face", "X", "Not a face", _RECOGNISE, _PHOTOS),
    Command("face", "1 … 9", "Choose a face of the photo", _RECOGNISE, _PHOTOS),
    Command("", "←, →, Space", "The previous face, the next face", _RECOGNISE, _PHOTOS),
    Command("photo before", "Page Up", "The previous photo", _RECOGNISE, _PHOTOS),
    Command("next photo", "Page Down", "The next photo", _RECOGNISE, _PHOTOS),
    Command("take off", "Del", "Remove the photo from the list", _RECOGNISE, _PHOTOS),
    Command("why", "W", "The distances and limits, and where they come from", _RECOGNISE, _PHOTOS),
    Command("back", "Esc", "Go back to the photo", _RECOGNISE, UNUSED),
    Command("correct", "Ctrl+P", "See the whole photo, and correct the face", _RECOGNISE),
    Command(
        "", "←, →, Page Up, Page Down", "One or ten components fewer or more", _RECONSTRUCT, "k"
    ),
    Command("", "Home, End", "No components, or all of them", _RECONSTRUCT, "k"),
    Command("play k", "Space", "Add components one by one", _RECONSTRUCT, UNUSED),
    Command("copy rebuilt", "Ctrl+C", "Copy the picture", _RECONSTRUCT),
    Command("random", "R", "Draw every score at random from N(0, λ)", _SYNTHESISE, UNUSED),
    Command("reset", "0", "Back to the start", _SYNTHESISE, UNUSED),
    Command("play morph", "Space", "Play the morph", _SYNTHESISE, UNUSED),
    Command("", "←, →, Page Up, Page Down, Home, End", "Move the slider", _SYNTHESISE, "slider"),
    Command("", "Del", "Set the slider to 0", _SYNTHESISE, "slider"),
    Command("copy made", "Ctrl+C", "Copy the picture", _SYNTHESISE),
    Command("fit", "F", "Show all faces", _MAP, "map"),
    Command(
        "",
        "Arrow keys",
        "Select the neighbour in that direction; with Shift, turn three axes",
        _MAP,
        "map",
    ),
    Command("", "+, −", "Zoom in or out", _MAP, "map"),
    Command("lesson before", "Page Up", "The previous lesson", _LESSONS, "list or figure"),
    Command("next lesson", "Page Down", "The next lesson", _LESSONS, "list or figure"),
    Command("play lesson", "Space", "Play the slider", _LESSONS, UNUSED),
    Command("", "Enter, Arrow keys", "Select the next point, or move it", _LESSONS, "a figure"),
    Command("step before", "Page Up", "The previous step or lesson", _HALL, _FIGURE),
    Command("next step", "Page Down", "The next step or lesson", _HALL, _FIGURE),
    Command("", "←, →", "The same, or move the slider while it has the focus", _HALL, UNUSED),
    Command("play alone", "Space", "Play the slider", _HALL, _FIGURE),
    Command("", "1 … 9, Enter", "Choose another face; confirm it and go on", _ADDING, "photo"),
    Command("", "R, Shift+R", "Turn the photo right or left", _ADDING, "photo"),
    Command("", "C", "The whole photo is the face", _ADDING, "photo"),
    Command("", "S", "Search again, thoroughly", _ADDING, "photo"),
    Command("", "Del", "Leave the photo out", _ADDING, "photo"),
    Command("", "0", "Show the whole photo", _ADDING, "photo"),
    Command("", "Arrow keys", "Move the box; with Shift, by 10", _ADDING, "photo"),
    Command("", "+, −", "Make the box larger or smaller", _ADDING, "photo"),
)


def command(name: str) -> Command:
    """Return the command with this name."""
    (found,) = (each for each in COMMANDS if each.name == name)
    return found


def with_key(name: str, words: str = "") -> str:
    """Return the description of a command, or ``words``, with its first key, for a tool tip.

    >>> with_key("merge")
    'Move all these photos to another person (Ctrl+M)'
    """
    told = command(name)
    return f"{words or told.does} ({told.keys.partition(', ')[0]})"


def keys_page() -> str:
    """Return tables of all keys as Markdown, one for each page."""
    rows = defaultdict[str, list[str]](list)
    for each in COMMANDS:
        if each.keys:
            rows[each.page or "Everywhere"].append(f"| {each.keys} | {each.does} |")
    parts = (
        "\n".join((f"**{page}**\n\n| keys | what they do |\n|---|---|", *lines))
        for page, lines in rows.items()
    )
    return "\n\n".join(parts)
