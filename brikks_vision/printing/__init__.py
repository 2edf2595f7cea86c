"""What the PDF of any sheet needs: pages, shapes, text, markers and styles; it knows no game.

A game draws one sheet in the sheet frame (see `brikks_vision.layout`) with `shapes`, `lettering`,
`bricks`, `fields` and `markers`; `document` puts the sheets on pages, and `files.write_whole`
writes the file.
"""
