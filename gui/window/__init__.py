"""The main window: menus, navigation, bars and messages around the pages."""
