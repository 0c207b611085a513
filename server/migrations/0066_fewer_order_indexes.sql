-- Their places are taken by the indexes of the three migrations before (docs/decisions/0078-what-a-purchase-writes.md).
drop index if exists order_of_user;
drop index if exists order_of_service;
drop index if exists order_of_batch;
