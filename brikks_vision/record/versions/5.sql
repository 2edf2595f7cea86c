-- "table" is a word of SQL's own.
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
