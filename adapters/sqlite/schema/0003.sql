-- Orders for clusters. A push is stored before its first command is sent, and each order's state as it changes.
CREATE TABLE push (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  cluster     TEXT    NOT NULL,
  holder      TEXT    NOT NULL,           -- who pushes
  kind        TEXT    NOT NULL,
  undoes      INTEGER REFERENCES push (id),
  snapshot_at INTEGER NOT NULL,
  begun_at    INTEGER NOT NULL,
  ended_at    INTEGER,                    -- NULL while it is not finished
  wanted      TEXT    NOT NULL,           -- job ids in the wanted order, one a line
  outcome     TEXT    NOT NULL
) STRICT;
CREATE INDEX push_cluster ON push (cluster, id);
CREATE TABLE push_order (
  push_id   INTEGER NOT NULL REFERENCES push (id) ON DELETE CASCADE,
  seq       INTEGER NOT NULL,
  job       TEXT    NOT NULL,
  attribute TEXT    NOT NULL,
  was       TEXT    NOT NULL,
  becomes   TEXT    NOT NULL,
  partner   TEXT    NOT NULL,
  why       TEXT    NOT NULL,
  call      INTEGER NOT NULL,
  state     TEXT    NOT NULL CHECK (state IN ('planned', 'sent', 'confirmed', 'refused', 'overtaken', 'unknown')),
  words     TEXT    NOT NULL,
  PRIMARY KEY (push_id, seq)
) STRICT, WITHOUT ROWID;

-- Who may send orders to a cluster now.
CREATE TABLE push_lock (
  cluster TEXT    PRIMARY KEY,
  holder  TEXT    NOT NULL,
  until   INTEGER NOT NULL
) STRICT;
