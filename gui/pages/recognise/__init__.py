"""The Recognise page: who is closest to a probe, and why."""
