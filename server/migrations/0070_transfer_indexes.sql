-- Statements have an index without captures, reports read the newest transfers by their ids, and sums are checked for all users at once.
drop index transfer_of_owner;
