-- Rows of parcel_tracking are copied from shipment_order, which has the key of the user and of which no row is ever deleted: two look-ups
-- for each parcel showed nothing more (decision 69).
alter table parcel_tracking
  drop constraint parcel_tracking_order_id_fkey,
  drop constraint parcel_tracking_user_id_fkey;
