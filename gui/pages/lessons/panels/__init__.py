"""The panels of a lesson's drawing, each a widget that paints one kind."""
