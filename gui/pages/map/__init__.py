"""The Map page: all faces as points, and what a view of them hides."""
