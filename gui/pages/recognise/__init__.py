"""The Recognise page: who the faces in a photograph are, and why."""
