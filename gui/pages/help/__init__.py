"""The manual with its contents, a search, and the figures of the open gallery."""
