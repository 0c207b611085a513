-- Services that the carrier offers, as of the last look-up.
create table raw_service (
  uid text primary key,
  name text not null,
  category text not null,
  -- lb
  max_weight int not null check (max_weight > 0),
  last_offered_at timestamptz not null default now()
);

-- One row for each call that buys or voids a label, written before the call is made.
create table carrier_call (
  id bigint generated always as identity primary key,
  order_id bigint not null,
  act text not null default 'buy' check (act in ('buy', 'void')),
  round int not null,
  attempt int not null,
  fence int not null,
  -- the account at the carrier; null for calls made before it was recorded
  account text,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  outcome text check (outcome in ('bought', 'permanent', 'retryable', 'unknown', 'account', 'voided', 'submitted')),
  code text,
  message text,
  unique (order_id, fence)
);

-- The carrier's own id of an attempt to buy: needed to look the attempt up, to void, to print and to track its label. It is written
-- before the purchase where the carrier has the id by then (two-step purchase), else with its first response. Steps of a void that a
-- carrier reports only once are notes too, with the step behind the reference.
create table carrier_note (
  reference text not null,
  round int not null,
  -- ids differ between accounts at a carrier; '' for notes made before the account was recorded
  account text not null default '',
  upstream_ref text not null,
  -- written before a call to buy; null while no such call may have bought it
  buy_requested_at timestamptz,
  recorded_at timestamptz not null default clock_timestamp(),
  primary key (reference, round, account)
);

-- Calls that an account at a carrier may still receive: a token bucket that fills with time, by the database's clock.
create table carrier_budget (
  account text primary key,
  tokens float8 not null,
  filled_at timestamptz not null default clock_timestamp(),
  -- no calls before: the carrier requires a pause, or its account has a problem that only the operator can solve
  paused_until timestamptz,
  -- the account's problem and since when; null during a pause that the carrier requires
  pause_reason text,
  paused_since timestamptz,
  constraint carrier_budget_pause check ((pause_reason is null) = (paused_since is null))
);

-- Records of the sandbox carrier, which acts as a separate company: no other module reads or writes the following tables.
create table sandbox_purchase (
  attempt_key text primary key,
  reference text not null,
  round int not null,
  tracking_number text not null unique,
  service_uid text not null,
  cost_cents bigint not null,
  request_hash text not null,
  -- the command in the receiver's second street line, so that a void can be made to fail; null: the label can be voided
  command text,
  bought_at timestamptz not null default clock_timestamp(),
  voided_at timestamptz
);
create index sandbox_purchase_reference on sandbox_purchase (reference);
create sequence sandbox_serial;

create table sandbox_call_count (
  attempt_key text primary key,
  refusals int not null
);
