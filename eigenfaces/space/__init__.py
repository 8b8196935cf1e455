"""Linear algebra: the decomposition of faces, the resulting face space, and distances in it.

Nothing here knows about names or files.
"""
