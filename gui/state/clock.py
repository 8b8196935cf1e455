"""The time, which the core never looks up."""

from __future__ import annotations

from PySide6.QtCore import QDateTime


def now() -> str:
    """Return the present second (ISO 8601), as it is kept with what is made or read."""
    return QDateTime.currentDateTimeUtc().toString("yyyy-MM-ddTHH:mm:ss") + "+00:00"
