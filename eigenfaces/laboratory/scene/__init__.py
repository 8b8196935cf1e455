"""A whole photograph, searched place by place for what lies near face space."""
