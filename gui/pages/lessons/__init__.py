"""The Lessons page: principal components, explained one idea at a time with interactive figures."""
