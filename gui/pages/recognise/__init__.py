"""The Recognise page: who is in a photograph, and the reasons for each verdict."""
