"""Photos that were sent lately, held in memory as they came, so that one can be kept to teach."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

MAX_HELD_BYTES = 100_000_000  # of all photos together; the oldest give way


@dataclass
class HeldPhotos:
    """The photos by the SHA-256 of their files."""

    most: int = MAX_HELD_BYTES
    _photos: OrderedDict[str, bytes] = field(default_factory=OrderedDict)
    _changing: threading.Lock = field(default_factory=threading.Lock)

    def hold(self, sha256: str, photo: bytes) -> None:
        with self._changing:
            self._photos[sha256] = photo
            self._photos.move_to_end(sha256)
            while sum(map(len, self._photos.values())) > self.most:
                self._photos.popitem(last=False)

    def all(self) -> Mapping[str, bytes]:
        """The photos that are held now."""
        with self._changing:
            return dict(self._photos)
