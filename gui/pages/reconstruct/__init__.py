"""The Reconstruct page: a face rebuilt from its first k components, and the residual."""
