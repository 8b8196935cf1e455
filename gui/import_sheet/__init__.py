"""The sheet in which photos are added: who is on them, how they are cut, what comes of each."""
