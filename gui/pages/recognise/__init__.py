"""Who is closest to a probe, and why."""
