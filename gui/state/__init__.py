"""State: the session with its gallery, the jobs, the settings, the actions. No module paints."""
