-- What a carrier calls an attempt of ours. Written before money moves where it has a name by then (two-step), else with its first
-- answer; needed to look the attempt up, to void, to print and to follow its label.
create table carrier_note (
  reference text not null,
  round int not null,
  upstream_ref text not null,
  noted_at timestamptz not null default clock_timestamp(),
  primary key (reference, round)
);

-- How many questions a carrier account may still be asked (a token bucket: it fills with time, by the database's clock), and until
-- when nothing may be asked at all: the carrier said so, or its account has a problem that only the operator can solve.
create table carrier_budget (
  account text primary key,
  tokens float8 not null,
  filled_at timestamptz not null default clock_timestamp(),
  paused_until timestamptz,
  -- what the account's problem is and since when; null where the carrier has only asked for a rest
  pause_reason text,
  paused_since timestamptz,
  check ((pause_reason is null) = (paused_since is null))
);

-- The labels that carriers make: wanted from the moment of the purchase, kept as bytes among the label files. Labels that we draw
-- ourselves have none.
create table carrier_label_file (
  order_id bigint primary key references shipment_order,
  state text not null default 'wanted' check (state in ('wanted', 'kept', 'gone')),
  attempt int not null default 0,
  -- not to be fetched before; whoever fetches moves it on first
  run_after timestamptz not null default clock_timestamp(),
  problem text,
  file_name text,
  mime text check (mime in ('application/pdf', 'image/png')),
  bytes bigint,
  sha256 text,
  stored_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  check ((state = 'kept') = (file_name is not null and mime is not null and bytes is not null and sha256 is not null and stored_at is not null))
);
create index carrier_label_file_pending on carrier_label_file (run_after) where state = 'wanted';

-- Where parcels are, for carriers that say it, and until when an unused label can still be voided.
create table parcel_tracking (
  order_id bigint primary key references shipment_order,
  status text not null default 'unknown' check (status in ('unknown', 'pre_transit', 'in_transit', 'out_for_delivery',
    'available_for_pickup', 'delivered', 'return_to_sender', 'failure', 'cancelled')),
  detail text,
  -- when the carrier saw the parcel there
  seen_at timestamptz,
  last_checked_at timestamptz,
  attempt int not null default 0,
  -- null: nothing more is to be expected
  next_check_at timestamptz default clock_timestamp(),
  -- when an unused label is voided by itself; null: never, or it was asked for already
  auto_void_at timestamptz
);
create index parcel_tracking_due on parcel_tracking (next_check_at) where next_check_at is not null;
create index parcel_tracking_auto_void on parcel_tracking (auto_void_at) where auto_void_at is not null;
