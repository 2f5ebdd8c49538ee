-- Times are INTEGER microseconds since 1970 in UTC; the zero time of the model is year 1, hence a large negative
-- number. Names of a cluster are bytes; text.go says how bytes that are no UTF-8 are kept in TEXT.

-- Which release of the program brought the store to which version of this schema.
CREATE TABLE migration (
  version    INTEGER PRIMARY KEY,
  applied_at INTEGER NOT NULL,
  release    TEXT    NOT NULL
) STRICT;

-- A cluster: master host and cell, "master/default"; empty where bundles do not say.
CREATE TABLE cluster (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- What one bundle says of one cluster at one moment. The numbers of an id are never given twice.
CREATE TABLE snapshot (
  id           INTEGER PRIMARY KEY AUTOINCREMENT,
  cluster_id   INTEGER NOT NULL REFERENCES cluster (id),
  bundle       BLOB    NOT NULL CHECK (length(bundle) = 32), -- SHA-256 of all names and contents: the bundle itself
  product      TEXT    NOT NULL,                             -- of the master: "SGE"
  version      TEXT    NOT NULL,                             -- of the master: "8.1.9"
  taken_at     INTEGER NOT NULL,
  location     TEXT    NOT NULL,                             -- UTC offset of printed local times
  source       TEXT    NOT NULL,                             -- where the bundle came from, for people
  imported_at  INTEGER NOT NULL,
  jobs         INTEGER NOT NULL,
  running      INTEGER NOT NULL,                             -- tasks
  pending      INTEGER NOT NULL,                             -- tasks
  raw_bytes    INTEGER NOT NULL,                             -- of the bundle's files
  stored_bytes INTEGER NOT NULL,                             -- that the import added to the store, compressed
  UNIQUE (cluster_id, bundle)
) STRICT;
CREATE INDEX snapshot_moment ON snapshot (cluster_id, taken_at, id);

-- Bytes, stored once: blocks of raw files and packed parts of the model. A content with a base is compressed with the
-- base's stored form as dictionary; a base has no base itself, so that reading takes two rows at most.
CREATE TABLE content (
  id      INTEGER PRIMARY KEY,
  hash    BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32), -- SHA-256 of the bytes
  size    INTEGER NOT NULL,                                  -- of the bytes
  form    INTEGER NOT NULL CHECK (form IN (0, 1)),           -- what is compressed: 0 the bytes, 1 their lines (lines.go)
  base_id INTEGER REFERENCES content (id),
  mark    INTEGER NOT NULL,                                  -- of a block: finds its place in the next bundle (split.go)
  data    BLOB    NOT NULL                                   -- one Zstandard frame
) STRICT;
CREATE INDEX content_base ON content (base_id) WHERE base_id IS NOT NULL;

-- A configured object as it was at some time, stored once: a host, a queue, a user, a policy … (noun). Its body is
-- JSON: the fields of the model's type but those that are zero and those that change by themselves (part). The views
-- below give the nouns columns.
CREATE TABLE object (
  id   INTEGER PRIMARY KEY,
  noun TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32), -- SHA-256 of noun and body
  body TEXT NOT NULL
) STRICT;
CREATE INDEX object_noun ON object (noun);

-- A list of objects in the master's order, stored once: all hosts, all queues …
CREATE TABLE list (
  id   INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32) -- SHA-256 of the members' hashes
) STRICT;
CREATE TABLE list_object (
  list_id   INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  seq       INTEGER NOT NULL,
  object_id INTEGER NOT NULL REFERENCES object (id),
  PRIMARY KEY (list_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX list_object_object ON list_object (object_id);
CREATE TABLE snapshot_list (
  snapshot_id INTEGER NOT NULL REFERENCES snapshot (id) ON DELETE CASCADE,
  noun        TEXT    NOT NULL,
  list_id     INTEGER NOT NULL REFERENCES list (id),
  PRIMARY KEY (snapshot_id, noun)
) STRICT, WITHOUT ROWID;
CREATE INDEX snapshot_list_list ON snapshot_list (list_id);

-- The contents of a snapshot. What changes by itself, in packed columns (pack.go): states and priorities of jobs and
-- tasks ('job_state', first being the least job number), the jobs in the master's order ('job_order': numbers of rows
-- of job), and load, usage, records … (first being an index into the noun's list). The bundle: its files one after the
-- other in blocks ('raw', first being the place in bytes), and their names and sizes in that order ('raw_file', first
-- being an index).
CREATE TABLE part (
  snapshot_id INTEGER NOT NULL REFERENCES snapshot (id) ON DELETE CASCADE,
  noun        TEXT    NOT NULL,
  first       INTEGER NOT NULL,
  content_id  INTEGER NOT NULL REFERENCES content (id),
  PRIMARY KEY (snapshot_id, noun, first)
) STRICT, WITHOUT ROWID;
CREATE INDEX part_content ON part (content_id);

-- What jobs ask for, stored once: everything that submission and qalter determine, but the name. JSON as in object.
CREATE TABLE spec (
  id   INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32), -- SHA-256 of the body
  body TEXT NOT NULL,
  owner      TEXT AS (body ->> '$.Owner') VIRTUAL,
  project    TEXT AS (body ->> '$.Project') VIRTUAL,
  department TEXT AS (body ->> '$.Department') VIRTUAL,
  pe         TEXT AS (body ->> '$.PE') VIRTUAL
) STRICT;
CREATE INDEX spec_owner ON spec (owner);

-- A job as it was at some time: cluster, number and submission time say which job, name and spec what it was like;
-- a job that qalter changed has a row for each form. The snapshots it is in are known from part 'job_order'.
CREATE TABLE job (
  id         INTEGER PRIMARY KEY,
  cluster_id INTEGER NOT NULL REFERENCES cluster (id),
  number     INTEGER NOT NULL,
  submitted  INTEGER NOT NULL,
  name       TEXT    NOT NULL,
  spec_id    INTEGER NOT NULL REFERENCES spec (id),
  UNIQUE (cluster_id, number, submitted, spec_id, name)
) STRICT;
CREATE INDEX job_spec ON job (spec_id);

-- The nouns, for people and for SQL: one row for each form that an object ever had, id being object.id or spec.id.
CREATE VIEW request (spec_id, kind, seq, resource, value, amount) AS
  SELECT s.id, 'hard', r.key, r.value ->> '$.Resource', r.value ->> '$.Value', coalesce(r.value ->> '$.Amount', 0.0)
  FROM spec s, json_each(s.body, '$.Hard') r
  UNION ALL
  SELECT s.id, 'soft', r.key, r.value ->> '$.Resource', r.value ->> '$.Value', coalesce(r.value ->> '$.Amount', 0.0)
  FROM spec s, json_each(s.body, '$.Soft') r;
CREATE VIEW host (id, name) AS
  SELECT id, body ->> '$.Name' FROM object WHERE noun = 'host';
CREATE VIEW queue (id, name) AS
  SELECT id, body ->> '$.Name' FROM object WHERE noun = 'queue';
CREATE VIEW queue_instance (id, name, queue, host, seq_no, slots, type) AS
  SELECT id, body ->> '$.Name', body ->> '$.Queue', body ->> '$.Host', coalesce(body ->> '$.SeqNo', 0),
         coalesce(body ->> '$.Slots', 0), body ->> '$.Type'
  FROM object WHERE noun = 'queue_instance';
CREATE VIEW resource (id, name, shortcut, type, relop, requestable, consumable, urgency) AS
  SELECT id, body ->> '$.Name', body ->> '$.Shortcut', body ->> '$.Type', body ->> '$.Relop', body ->> '$.Requestable',
         body ->> '$.Consumable', body ->> '$.Urgency'
  FROM object WHERE noun = 'resource';
CREATE VIEW user (id, name, functional_shares, override_tickets, default_project) AS
  SELECT id, body ->> '$.Name', coalesce(body ->> '$.FunctionalShares', 0), coalesce(body ->> '$.OverrideTickets', 0),
         body ->> '$.DefaultProject'
  FROM object WHERE noun = 'user';
CREATE VIEW project (id, name, functional_shares, override_tickets) AS
  SELECT id, body ->> '$.Name', coalesce(body ->> '$.FunctionalShares', 0), coalesce(body ->> '$.OverrideTickets', 0)
  FROM object WHERE noun = 'project';
CREATE VIEW userset (id, name, department, acl, functional_shares, override_tickets) AS
  SELECT id, body ->> '$.Name', coalesce(body ->> '$.Department', 0), coalesce(body ->> '$.ACL', 0),
         coalesce(body ->> '$.FunctionalShares', 0), coalesce(body ->> '$.OverrideTickets', 0)
  FROM object WHERE noun = 'userset';
CREATE VIEW share_node (id, depth, name, project, shares) AS
  SELECT id, coalesce(body ->> '$.Depth', 0), body ->> '$.Name', coalesce(body ->> '$.Project', 0),
         coalesce(body ->> '$.Shares', 0)
  FROM object WHERE noun = 'share_node';
CREATE VIEW policy (id, weight_priority, weight_urgency, weight_ticket, weight_waiting_time, weight_deadline,
                    functional_tickets, share_tree_tickets, hierarchy) AS
  SELECT id, coalesce(body ->> '$.WeightPriority', 0.0), coalesce(body ->> '$.WeightUrgency', 0.0),
         coalesce(body ->> '$.WeightTicket', 0.0), coalesce(body ->> '$.WeightWaitingTime', 0.0),
         coalesce(body ->> '$.WeightDeadline', 0.0), coalesce(body ->> '$.FunctionalTickets', 0),
         coalesce(body ->> '$.ShareTreeTickets', 0), body ->> '$.Hierarchy'
  FROM object WHERE noun = 'policy';
