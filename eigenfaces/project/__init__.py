"""The file of a project, changed one transaction at a time, and files for other programs.

Whatever is written is written whole, or not at all.
"""
