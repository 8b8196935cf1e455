"""Lessons on principal components. Each has its own file and an entry in `catalogue`."""
