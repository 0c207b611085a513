-- The server locks balances and may not change them. PostgreSQL asks of a lock the right to change one column: this one, which is never
-- written.
alter table balance add column row_lock boolean;
