"""The people of a gallery who take part in an evaluation, and changes since a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from eigenfaces.evaluation.records import Record
from eigenfaces.recognition.gallery import Gallery
from eigenfaces.wording import count, some_of


def photos_each(gallery: Gallery) -> dict[str, int]:
    """Return how many photos of each person would take part."""
    return dict(
        Counter(
            photo.person
            for photo in gallery.index.photos
            if photo.person is not None and not photo.excluded
        )
    )


def lacking(photos: Mapping[str, int]) -> str:
    """Return why an evaluation is impossible with these numbers of photos; empty if possible."""
    if not photos:
        return "Nobody in the gallery has a name. Give the photos names on People first."
    if len(photos) < 2:
        return f"An evaluation needs at least two people, and there is only “{next(iter(photos))}”."
    if max(photos.values()) < 2:
        return (
            "To search for a photo, another one of the same person must be enrolled, and nobody "
            f"has two: {some_of([f'{name} (1)' for name in photos])}."
        )
    return ""


def changed_since(record: Record, gallery: Gallery) -> str:
    """Return how the gallery has changed since a run; empty if it has not."""
    then = {photo.key: photo.person for photo in record.evaluation.photos}
    now = {
        photo.key: photo.person
        for photo in gallery.index.photos
        if photo.person is not None and not photo.excluded
    }
    renamed = sum(then[key] != now[key] for key in then.keys() & now.keys())
    parts = [
        f"{count(number)} {verb}"
        for number, verb in (
            (len(now.keys() - then.keys()), "came"),
            (len(then.keys() - now.keys()), "went"),
            (renamed, "got another name"),
        )
        if number
    ]
    if record.preparation != gallery.preparation:
        parts.append("the faces were cut anew")
    if not parts:
        return ""
    return f"Since this run the gallery has changed: {', '.join(parts)}. Run again to measure it."
