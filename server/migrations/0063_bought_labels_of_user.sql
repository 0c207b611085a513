-- A user's labels, for lists with a filter. A label enters it once, when it is bought; order_of_user has an entry for each version of the row.
create index concurrently order_bought_of_user on shipment_order (user_id, id desc) where tracking_number is not null;
