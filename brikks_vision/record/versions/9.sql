-- settings: what is said of a game, as JSON: by the name of a setting, one of its values.
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
