-- A refund may wait some days after the carrier's confirmation of the void (docs/decisions/0062). Both null: the void is not
-- confirmed, or its refund did not wait.
alter table shipment_order add column void_confirmed_at timestamptz;
alter table shipment_order add column refund_due_at timestamptz;
-- Not validated: existing rows have neither, and reading them all would stop orders.
alter table shipment_order add constraint order_refund_due check ((void_confirmed_at is null) = (refund_due_at is null)) not valid;
