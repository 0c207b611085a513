-- Purchases that carriers have been asked for and have not answered, each with the lease of its label (docs/decisions/0073). The row is
-- committed before the call. With the answer, or when the lease has ended, it becomes a row of carrier_call. Orders are not referenced
-- by a key: a row comes from a selection of orders, and no order is ever deleted.
create table open_carrier_call (
  order_id bigint primary key,
  round int not null,
  attempt int not null,
  -- of the claim; the order has an earlier one until the call ends
  fence int not null,
  account text not null,
  started_at timestamptz not null default clock_timestamp(),
  lease_until timestamptz not null
) with (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
