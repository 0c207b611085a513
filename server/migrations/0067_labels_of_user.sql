-- In the place of order_bought_of_user, which has the newest label first: the database writes twice the pages for entries that come in
-- at the front.
create index concurrently order_label_of_user on shipment_order (user_id, id) where tracking_number is not null;
