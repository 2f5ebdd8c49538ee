-- What was stored, as sums of rows: a row that was changed, lost or put in behind the program's back is found out when it is read (seal.go).
-- A seal is of a snapshot, the analysis of one, a push or a drive (kind). Its body has a line for each noun: how many rows there are, and
-- their sum.
CREATE TABLE seal (
  kind TEXT    NOT NULL,
  id   INTEGER NOT NULL,
  body TEXT    NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- All seals of a kind together: how many there are, and their sums in one.
CREATE TABLE seal_root (
  kind TEXT    PRIMARY KEY,
  rows INTEGER NOT NULL,
  sum  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The sum of a job's row with its id and its spec's hash; every row has one.
ALTER TABLE job ADD COLUMN seal INTEGER;

-- Who besides its owner may read the store. No row: nobody.
CREATE TABLE sharing (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  readers TEXT NOT NULL -- 'group' or 'all'
) STRICT;
