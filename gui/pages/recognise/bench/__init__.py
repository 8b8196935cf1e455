"""The bench on which a probe is disturbed."""
