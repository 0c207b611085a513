-- Where parcels are, for carriers that report it, and until when an unused label can still be voided.
create table parcel_tracking (
  order_id bigint primary key references shipment_order,
  user_id bigint not null references app_user,
  status text not null default 'unknown' check (status in ('unknown', 'pre_transit', 'in_transit', 'out_for_delivery',
    'available_for_pickup', 'delivered', 'return_to_sender', 'failure', 'cancelled')),
  detail text,
  -- the time of the carrier's newest event
  event_at timestamptz,
  last_checked_at timestamptz,
  attempt int not null default 0,
  -- null: nothing more is expected
  next_check_at timestamptz default clock_timestamp(),
  -- when an unused label is voided automatically; null: never, or its void was requested already
  auto_void_at timestamptz
);
create index parcel_tracking_due on parcel_tracking (next_check_at) where next_check_at is not null;
create index parcel_tracking_auto_void on parcel_tracking (auto_void_at) where auto_void_at is not null;
-- Labels are filtered by where their parcels are: those of all users, and those of one.
create index parcel_tracking_status on parcel_tracking (status, order_id);
create index parcel_tracking_status_of_user on parcel_tracking (user_id, status, order_id);
