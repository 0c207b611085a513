-- After a restore: labels that the backup has as bought and that may have been voided since. The carrier is asked about each; one that
-- has been is voided here too, the others leave this list. `next_check_at`: who asks keeps others from it until then.
create table bought_before_restore (
  order_id bigint primary key references shipment_order,
  next_check_at timestamptz not null default clock_timestamp()
);
create index bought_before_restore_due on bought_before_restore (next_check_at);
