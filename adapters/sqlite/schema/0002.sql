-- What an analysis of a snapshot found, which can be derived again: where its waiting jobs stand (part 'standing', packed,
-- first being the least job number), how much was in use, and why what waits does.
CREATE TABLE analysis (
  snapshot_id INTEGER PRIMARY KEY REFERENCES snapshot (id) ON DELETE CASCADE,
  rules       TEXT    NOT NULL, -- the release whose rules the planned run follows, and what made the analysis
  slots       INTEGER NOT NULL, -- of all queue instances; of PBS: CPUs of vnodes
  used        INTEGER NOT NULL
) STRICT;
CREATE TABLE waiting (
  snapshot_id INTEGER NOT NULL REFERENCES analysis (snapshot_id) ON DELETE CASCADE,
  seq         INTEGER NOT NULL,
  cause       TEXT    NOT NULL,
  jobs        INTEGER NOT NULL,
  tasks       INTEGER NOT NULL,
  PRIMARY KEY (snapshot_id, seq)
) STRICT, WITHOUT ROWID;
