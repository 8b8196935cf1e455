"""State of the window: the session, jobs, settings and actions. Nothing here draws."""
