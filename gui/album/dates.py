"""Dates of photographs, as text and as headings.

Dates are given as local times in ISO 8601 format, as in an album, or as "" if unknown.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from eigenfaces.project.album import MONTHS

UNKNOWN = "Date unknown"
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def taken_at(taken: str) -> datetime | None:
    """Return the date and time of a photograph, or None if they are not known."""
    try:
        return datetime.fromisoformat(taken)
    except ValueError:
        return None


def heading_of(taken: str, today: date) -> str:
    """Return the heading for a photograph: its month, “Today” or “Yesterday”.

    >>> heading_of("2024-06-15T16:42:07", date(2024, 7, 1))
    'June 2024'
    """
    moment = taken_at(taken)
    if moment is None:
        return UNKNOWN
    near = {today: "Today", today - timedelta(days=1): "Yesterday"}
    return near.get(moment.date(), f"{MONTHS[moment.month - 1]} {moment.year}")


def year_of(taken: str) -> str:
    """Return the year of a photograph as a heading.

    >>> year_of("2024-06-15T16:42:07")
    '2024'
    """
    moment = taken_at(taken)
    return UNKNOWN if moment is None else f"{moment.year}"


def day_words(taken: str) -> str:
    """Return the date of a photograph as text.

    >>> day_words("2024-06-15T16:42:07")
    '15 June 2024'
    """
    moment = taken_at(taken)
    return UNKNOWN if moment is None else f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"


def time_words(taken: str) -> str:
    """Return the weekday and time of a photograph as text, or "" if they are not known.

    >>> time_words("2024-06-15T16:42:07")
    'Saturday, 16:42'
    """
    moment = taken_at(taken)
    return "" if moment is None else f"{_DAYS[moment.weekday()]}, {moment:%H:%M}"
