"""Project files, changed in one transaction at a time, and files for other programs.

Every file is written completely or not at all.
"""
