"""A face rebuilt from its first k components, and what is left over."""
