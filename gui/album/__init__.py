"""Photographs of a project as people look at them: thumbnails, the grid, and one of them large."""
