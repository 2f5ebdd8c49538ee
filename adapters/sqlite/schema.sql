-- doc.go describes the format.
CREATE TABLE about (
  key   TEXT PRIMARY KEY, -- 'release' that made the store; 'readers' besides its owner
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE record (
  kind TEXT    NOT NULL, -- record.go lists the kinds
  id   INTEGER NOT NULL,
  body BLOB    NOT NULL, -- packed
  sum  INTEGER NOT NULL, -- of kind, id and body
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE total (
  kind TEXT PRIMARY KEY,
  rows INTEGER NOT NULL, -- of record
  sum  INTEGER NOT NULL, -- all their sums, combined by exclusive or
  last INTEGER NOT NULL  -- the greatest id that was ever given
) STRICT, WITHOUT ROWID;

CREATE TABLE block (
  id   INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 16), -- of the bytes: the first half of their SHA-256
  base INTEGER REFERENCES block (id),                  -- the block that serves as dictionary; it has none itself
  data BLOB NOT NULL                                   -- one Zstandard frame
) STRICT;
CREATE INDEX block_base ON block (base) WHERE base IS NOT NULL;
