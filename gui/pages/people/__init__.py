"""Everybody in the gallery, their photographs, and how consistent they are."""
