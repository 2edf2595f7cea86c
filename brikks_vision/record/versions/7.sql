-- printing: a printing that is not the package's own, by its content (`Layout.printing`), as a
-- sheet definition, so that what was read with it can be shown and corrected wherever it is.
CREATE TABLE printing (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    content TEXT NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (game, content)
);
