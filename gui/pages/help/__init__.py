"""The Help page: the manual, its contents, a search, and figures of the open gallery."""
