"""The look of the program: colours and sizes, the style sheet, icons, images of arrays.

No widget is defined here.
"""
