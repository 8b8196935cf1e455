"""The look of the program: colours and sizes, the style sheet, icons, arrays as pictures.

No widget is defined here.
"""
