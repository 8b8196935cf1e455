"""Main window, with the menus, navigation, bars and messages around the pages."""
