"""Files become upright grey pictures: finding photographs, their people, and decoding.

The position of a face in a photograph is a `photos.Placement`, with its source.
"""
