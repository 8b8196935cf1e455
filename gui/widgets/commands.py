"""What keys do: actions by the table of `eigenfaces.manual.keys`; nothing else binds a key."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from eigenfaces.manual.keys import command, with_key
from .controls import Button


def bind(name: str, owner: QWidget, act: Callable[[], object], *parts: QWidget) -> QAction:
    """Return the action of a command; its keys count while the owner is seen and not disabled.

    With ``parts``, only while one of these, or something in it, has the focus.
    """
    told = command(name)
    return _action(owner, told.menu or told.does, told.sequences, act, parts)


def bind_each(name: str, owner: QWidget, act: Callable[[int], object], *parts: QWidget) -> None:
    """Let each key of a range do something: ``act`` gets 0 for the first of them."""
    told = command(name)
    for number, key in enumerate(told.sequences):
        _action(owner, told.does, [key], partial(act, number), parts)


def bind_button(name: str, button: Button) -> None:
    """Let a button be pressed by its key, while it could be by a click, and say so."""
    bind(name, button, button.click)
    button.setToolTip(with_key(name))


def _action(
    owner: QWidget,
    text: str,
    keys: list[str],
    act: Callable[[], object],
    parts: tuple[QWidget, ...],
) -> QAction:
    action, context = QAction(text, owner), Qt.ShortcutContext
    action.setShortcuts([QKeySequence(key) for key in keys])
    in_part, in_window = context.WidgetWithChildrenShortcut, context.WindowShortcut
    action.setShortcutContext(in_part if parts else in_window)
    action.triggered.connect(lambda: act())
    for widget in parts or (owner,):
        widget.addAction(action)
    return action
