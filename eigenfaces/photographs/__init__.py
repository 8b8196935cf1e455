"""Find photographs and the people in them, and decode them as upright grey pictures.

`placement` describes where a face is in a photograph, and `regions` reads faces that other programs
have marked.
"""
