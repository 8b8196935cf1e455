"""The pages of the window, each in its own module or package. No page imports another."""
