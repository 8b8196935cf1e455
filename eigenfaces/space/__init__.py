"""The linear algebra: the decomposition, the face space that it gives, and distances in it.

Nothing here knows of people or files.
"""
