"""Widgets that make up pages: text, controls, cards, bars, faces and lists of faces."""
