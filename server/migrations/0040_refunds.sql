-- Voids of a user, newest first: the list of refunds (docs/decisions/0062).
create index order_void_requested on shipment_order (user_id, void_requested_at desc, id desc) where void_requested_at is not null;
