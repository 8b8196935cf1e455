"""Files become upright grey pictures: which there are and who is on them, and reading each one.

Where a face lies in a photograph is kept as a `placement.Placement`, with who said so.
"""
