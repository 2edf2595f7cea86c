"""Words for people: languages, phrases, and text made safe to show."""
