"""The main window: menus, navigation, bars and messages around the pages.

Only this folder knows all pages.
"""
