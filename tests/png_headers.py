"""PNG files that claim a size in their header, whatever pixels they hold."""

import struct
import zlib


def png_claiming(width: int, height: int, pixel_data: bytes = b"") -> bytes:
    """pixel_data: what stands where the compressed pixels should be."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        checksum = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header), chunk(b"IDAT", pixel_data), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
