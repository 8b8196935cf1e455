"""Linear algebra: the decomposition of faces, the face space it gives, and distances in that space.

Nothing here knows about names or files.
"""
