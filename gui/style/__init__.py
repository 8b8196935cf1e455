"""Appearance of the program: colours, sizes, the style sheet, icons and images made from arrays.

This package defines no widgets.
"""
