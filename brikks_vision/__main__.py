"""``python -m brikks_vision`` is ``brikks-scan``."""

from brikks_vision.commands.start import main

if __name__ == "__main__":
    main()
