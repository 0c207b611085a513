-- A user's orders with one service, newest first.
create index order_of_service on shipment_order (user_id, service_uid, id desc);
