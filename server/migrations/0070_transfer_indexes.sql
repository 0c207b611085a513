-- Oldest program: 0062
-- Statements have an index without captures, reports read the newest transfers by their ids, also in programs of the version before, and
-- sums are checked for all users at once.
drop index transfer_of_owner;
