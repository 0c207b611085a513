-- The same for order_bought_of_service.
create index concurrently order_label_of_service on shipment_order (user_id, service_uid, id) where tracking_number is not null;
