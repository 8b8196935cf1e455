"""The Map page: all faces as points, and what such a view hides."""
