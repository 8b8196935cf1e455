"""The window. It imports the core; the core never imports it."""

from gui.overrides import guard_overrides

guard_overrides()  # before any class of the window is made
