"""Appearance, face size and recipe."""
