-- What tells clusters of one name apart, as model.Identity writes it: of a snapshot what its bundle says, of a push and a drive which cluster alone they are for.
-- What an older release stored says nothing.
ALTER TABLE snapshot ADD COLUMN identity TEXT NOT NULL DEFAULT '';
ALTER TABLE push ADD COLUMN identity TEXT NOT NULL DEFAULT '';
ALTER TABLE drive ADD COLUMN identity TEXT NOT NULL DEFAULT '';

-- Whose the job of an order is, and its partner: owner and submission.
ALTER TABLE push_order ADD COLUMN whose TEXT NOT NULL DEFAULT '';
ALTER TABLE push_order ADD COLUMN with_whose TEXT NOT NULL DEFAULT '';

-- The name of a cluster is its own in the store; what its bundles call it others may be called too. Empty: its bundles give it no name.
ALTER TABLE cluster ADD COLUMN called TEXT NOT NULL DEFAULT '';
UPDATE cluster SET called = name;

-- What an older release stored of bundles without a name stays under the empty one. New ones stand alone.

-- Processes keep each other out by locks of the kernel's.
DROP TABLE push_lock;
