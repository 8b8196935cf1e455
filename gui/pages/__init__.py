"""The pages of the window, each in a file or a folder of its own. No page imports another."""
