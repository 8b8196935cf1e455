"""The Help page: the manual, its contents and a search."""
