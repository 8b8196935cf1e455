"""The Lessons page: principal components, explained one idea at a time with moving pictures."""
