"""How everything looks: colours and sizes, the style sheet, icons, pictures made of arrays.

No widget is defined here.
"""
