-- reading.number: which sheet of the photo, from 0; below 0 of a result that came back after its
-- photo was read again.
CREATE TABLE photo (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    taken TEXT NOT NULL,
    taken_from TEXT NOT NULL,
    added TEXT NOT NULL,
    error TEXT
);
CREATE INDEX photo_taken ON photo (taken);
CREATE TABLE player (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE
);
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    made TEXT NOT NULL,
    level INTEGER,
    variant TEXT
);
CREATE TABLE result (
    id INTEGER PRIMARY KEY,
    player INTEGER REFERENCES player (id),
    game INTEGER REFERENCES game (id),
    best INTEGER NOT NULL REFERENCES reading (id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX result_best ON result (best);
CREATE INDEX result_game ON result (game);
CREATE TABLE reading (
    id INTEGER PRIMARY KEY,
    photo INTEGER NOT NULL REFERENCES photo (id),
    number INTEGER NOT NULL,
    result INTEGER NOT NULL REFERENCES result (id) DEFERRABLE INITIALLY DEFERRED,
    json TEXT NOT NULL,
    thumbnail BLOB,
    UNIQUE (photo, number)
);
CREATE INDEX reading_result ON reading (result);
CREATE TABLE correction (
    id INTEGER PRIMARY KEY,
    result INTEGER NOT NULL REFERENCES result (id),
    made TEXT NOT NULL,
    who TEXT NOT NULL,
    changes TEXT NOT NULL,
    json TEXT NOT NULL
);
CREATE INDEX correction_result ON correction (result);
