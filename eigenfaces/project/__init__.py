"""Project files, which are changed in transactions, and exports for other programs.

Every file is written completely or not at all.
"""
