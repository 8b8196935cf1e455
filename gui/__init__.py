"""The window. It imports the core; the core never imports it."""
