"""Files become upright grey pictures: finding photographs, their people, and decoding them.

`placement` says where a face lies in one, `regions` where other programs have marked some.
"""
