-- Labels are looked for by where their parcels are: of one user, and of all.
alter table parcel_tracking add column user_id bigint references app_user;
update parcel_tracking p set user_id = o.user_id from shipment_order o where o.id = p.order_id;
alter table parcel_tracking alter column user_id set not null;
create index parcel_tracking_status on parcel_tracking (status, order_id);
create index parcel_tracking_status_of_user on parcel_tracking (user_id, status, order_id);
