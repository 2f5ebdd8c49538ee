-- Whose the job of a claim or a start is: owner and submission. What an older release stored says nothing.
ALTER TABLE drive_claim ADD COLUMN whose TEXT NOT NULL DEFAULT '';
ALTER TABLE drive_start ADD COLUMN whose TEXT NOT NULL DEFAULT '';
