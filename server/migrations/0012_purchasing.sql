-- After a restore: labels that are purchased in the backup and may have been voided since. Each is looked up at the carrier; a label
-- that was voided there is voided here too, and each leaves this list.
create table bought_before_restore (
  order_id bigint primary key references shipment_order,
  -- a worker moves it on before it looks a label up, so that no other worker does
  next_check_at timestamptz not null default clock_timestamp()
);
create index bought_before_restore_due on bought_before_restore (next_check_at);
