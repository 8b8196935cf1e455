"""Photographs of an album: written as files, with faces on them, or only told of."""
