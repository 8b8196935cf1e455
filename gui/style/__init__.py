"""Appearance of the program: colours, sizes, the style sheet, icons and images of arrays.

This package defines no widgets.
"""
