"""The tables of the record, and what leads from each version to the next."""

from __future__ import annotations

APPLICATION_ID = 0x42524B56  # "BRKV", in the header of every record
# What leads from each version to the next; never changed, only added to.
# reading.number: which sheet of the photo, from 0; below 0 of a result that came back after its
# photo was read again.
SCHEMAS = (
    """
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
""",
    """
CREATE TABLE file (
    path TEXT PRIMARY KEY,
    stamp TEXT NOT NULL,
    photo INTEGER NOT NULL REFERENCES photo (id)
);
CREATE INDEX file_photo ON file (photo);
""",
    """
CREATE TABLE material (
    reading INTEGER PRIMARY KEY REFERENCES reading (id) ON DELETE CASCADE,
    ink TEXT NOT NULL,
    picture BLOB NOT NULL
);
""",
    # change: what a person did; step: what it did to one row, so that it can be undone.
    # owner_claim: another owner than the one that stands was named. sheet_pair: what a person said
    # of two results that may be one sheet.
    """
CREATE TABLE change (
    id INTEGER PRIMARY KEY,
    made TEXT NOT NULL,
    who TEXT NOT NULL,
    kind TEXT NOT NULL,
    number INTEGER
);
CREATE TABLE step (
    id INTEGER PRIMARY KEY,
    change INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    of_table TEXT NOT NULL,
    of_row INTEGER NOT NULL,
    before TEXT NOT NULL
);
CREATE INDEX step_change ON step (change);
CREATE INDEX step_row ON step (of_table, of_row);
CREATE TABLE owner_claim (
    id INTEGER PRIMARY KEY,
    result INTEGER NOT NULL REFERENCES result (id),
    player TEXT NOT NULL,
    made TEXT NOT NULL,
    answered TEXT,
    UNIQUE (result, player)
);
CREATE TABLE sheet_pair (
    id INTEGER PRIMARY KEY,
    earlier INTEGER NOT NULL REFERENCES result (id),
    later INTEGER NOT NULL REFERENCES result (id),
    answer TEXT NOT NULL,
    who TEXT NOT NULL,
    made TEXT NOT NULL,
    UNIQUE (earlier, later)
);
CREATE INDEX sheet_pair_later ON sheet_pair (later);
""",
    # "table" is a word of SQL's own.
    """
CREATE TABLE play_table (
    id INTEGER PRIMARY KEY,
    made TEXT NOT NULL,
    level INTEGER,
    variant TEXT,
    game INTEGER REFERENCES game (id) ON DELETE SET NULL
);
CREATE INDEX play_table_game ON play_table (game);
CREATE TABLE seat (
    id INTEGER PRIMARY KEY,
    play_table INTEGER NOT NULL REFERENCES play_table (id) ON DELETE CASCADE,
    player INTEGER REFERENCES player (id),
    result INTEGER UNIQUE REFERENCES result (id) ON DELETE SET NULL
);
CREATE INDEX seat_table ON seat (play_table);
CREATE INDEX seat_player ON seat (player);
""",
    # board: a photo of a game board. sheet: the board's name. json: what was read with the answers,
    # which are what a person said of fields, by place. picture: JPEG with the reading drawn on it.
    """
CREATE TABLE board (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    taken TEXT NOT NULL,
    taken_from TEXT NOT NULL,
    added TEXT NOT NULL,
    game TEXT NOT NULL,
    sheet TEXT NOT NULL,
    player INTEGER REFERENCES player (id),
    json TEXT NOT NULL,
    answers TEXT NOT NULL,
    picture BLOB NOT NULL
);
CREATE INDEX board_taken ON board (taken);
CREATE INDEX board_player ON board (player);
""",
    # printing: a printing that is not the package's own, by its content (`Layout.printing`), as a
    # sheet definition, so that what was read with it can be shown and corrected wherever it is.
    """
CREATE TABLE printing (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    content TEXT NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (game, content)
);
""",
    # played: the name of the game that a result is of. former_board: the result that a board
    # became, by the number of its own that it had before (see `record.migration`).
    """
ALTER TABLE result ADD COLUMN played TEXT NOT NULL DEFAULT '';
CREATE INDEX result_played ON result (played);
CREATE TABLE former_board (
    number INTEGER PRIMARY KEY,
    result INTEGER NOT NULL
);
""",
    # settings: what is said of a game, as JSON: by the name of a setting, one of its values.
    """
ALTER TABLE game ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE play_table ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
UPDATE game SET settings =
    json_patch('{}', json_object('level', level, 'variant', variant));
UPDATE play_table SET settings =
    json_patch('{}', json_object('level', level, 'variant', variant));
ALTER TABLE game DROP COLUMN level;
ALTER TABLE game DROP COLUMN variant;
ALTER TABLE play_table DROP COLUMN level;
ALTER TABLE play_table DROP COLUMN variant;
""",
    # kept_photo: what a photo shows of a reading's sheet, kept to teach. total: the right one, as a
    # person said. wish: what the user wants from now on, by name.
    """
CREATE TABLE kept_photo (
    reading INTEGER PRIMARY KEY REFERENCES reading (id) ON DELETE CASCADE,
    made TEXT NOT NULL,
    total INTEGER,
    picture BLOB NOT NULL
);
CREATE TABLE wish (name TEXT PRIMARY KEY);
""",
)
SCHEMA_VERSION = len(SCHEMAS)
