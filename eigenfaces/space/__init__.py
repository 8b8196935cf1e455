"""The linear algebra: the decomposition, the face space that results, and distances in it.

Nothing here knows about people or files.
"""
