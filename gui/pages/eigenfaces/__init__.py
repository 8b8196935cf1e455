"""The mean, the components, and how many of them are kept."""
