"""From files to upright grey pictures: find photographs and their people, and decode them.

`placement` says where a face lies on a photograph; `regions` reads faces that other programs have
marked.
"""
