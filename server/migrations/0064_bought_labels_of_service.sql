-- The same for lists of one service.
create index concurrently order_bought_of_service on shipment_order (user_id, service_uid, id desc) where tracking_number is not null;
