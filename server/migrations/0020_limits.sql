-- Reserved ids of bulk orders that were never submitted: limited per user and swept after a day.
create index batch_unused on batch (user_id, id) where status is null;

-- Idempotency keys are swept when their 24 hours are over.
create index order_request_age on order_request (created_at);
-- Without it, deleting such an id reads all orders for its foreign key.
create index order_replaced on shipment_order (replaced_by) where replaced_by is not null;
