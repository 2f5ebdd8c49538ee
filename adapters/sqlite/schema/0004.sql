-- The time in which the program decides what a cluster starts where. What is taken from the cluster is stored before it is.
CREATE TABLE drive (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  cluster  TEXT    NOT NULL,
  system   TEXT    NOT NULL,
  holder   TEXT    NOT NULL,             -- who began it
  owns     TEXT    NOT NULL,             -- which jobs, in words
  begun_at INTEGER NOT NULL,
  ended_at INTEGER,                      -- NULL while something may not be back
  outcome  TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX drive_open ON drive (cluster) WHERE ended_at IS NULL;

-- What is not back. A row is deleted when it is.
CREATE TABLE drive_claim (
  drive_id  INTEGER NOT NULL REFERENCES drive (id) ON DELETE CASCADE,
  job       TEXT    NOT NULL,            -- empty for the server
  attribute TEXT    NOT NULL,
  was       TEXT    NOT NULL,
  becomes   TEXT    NOT NULL,
  state     TEXT    NOT NULL CHECK (state IN ('planned', 'sent', 'confirmed', 'refused', 'overtaken', 'unknown')),
  words     TEXT    NOT NULL,
  PRIMARY KEY (drive_id, job, attribute)
) STRICT, WITHOUT ROWID;

-- What was decided, and what became of it.
CREATE TABLE drive_start (
  drive_id INTEGER NOT NULL REFERENCES drive (id) ON DELETE CASCADE,
  seq      INTEGER NOT NULL,
  job      TEXT    NOT NULL,
  tasks    TEXT    NOT NULL,
  places   TEXT    NOT NULL,
  at       INTEGER NOT NULL,
  state    TEXT    NOT NULL CHECK (state IN ('planned', 'sent', 'confirmed', 'refused', 'overtaken', 'unknown')),
  words    TEXT    NOT NULL,
  PRIMARY KEY (drive_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX drive_start_unsettled ON drive_start (drive_id) WHERE state IN ('planned', 'sent', 'unknown');
