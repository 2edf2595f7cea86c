"""What a person can say of the toy that its sheet does not."""

from brikks_vision.reading import Setting

SETTINGS = (Setting("weather", ("dry", "rain"), "What the weather was."),)
