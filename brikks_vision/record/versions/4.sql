-- change: what a person did; step: what it did to one row, so that it can be undone.
-- owner_claim: another owner than the one that stands was named. sheet_pair: what a person said
-- of two results that may be one sheet.
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
