"""The main window: menus, navigation, bars and messages around the pages.

Only it knows which pages there are.
"""
