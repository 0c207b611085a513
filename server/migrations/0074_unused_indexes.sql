-- Oldest program: 0071
-- The indexes that migrations 0069 and 0071 have left to programs of the version before, where there were orders or sales.
drop index if exists order_open_of_batch, sandbox_purchase_reference;
