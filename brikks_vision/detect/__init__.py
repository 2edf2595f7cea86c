"""From photo to ink: everything that touches pixels, and no rule of any game."""
