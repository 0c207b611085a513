-- What the carrier offers, as of the last look.
create table raw_service (
  uid text primary key,
  name text not null,
  category text not null,
  max_weight int not null check (max_weight > 0),
  seen_at timestamptz not null default now()
);

-- Evidence: one row for each try to buy, written before the carrier is asked.
create table carrier_call (
  id bigint generated always as identity primary key,
  order_id bigint not null,
  round int not null,
  attempt int not null,
  fence int not null,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  outcome text check (outcome in ('bought', 'permanent', 'retryable', 'unknown', 'account')),
  code text,
  message text,
  unique (order_id, fence)
);

-- The sandbox carrier keeps books of its own, as if it were another company; nothing else reads or writes these.
create table sandbox_purchase (
  attempt_key text primary key,
  reference text not null,
  round int not null,
  tracking_number text not null unique,
  service_uid text not null,
  cost_cents bigint not null,
  request_hash text not null,
  bought_at timestamptz not null default clock_timestamp(),
  voided_at timestamptz
);
create sequence sandbox_serial;
create index sandbox_purchase_reference on sandbox_purchase (reference);
create table sandbox_call_count (
  attempt_key text primary key,
  refusals int not null
);

create table default_service (
  id bigint generated always as identity primary key,
  uid text not null unique,
  name text not null,
  category text not null default 'Other',
  max_weight int not null default 70 check (max_weight > 0),
  -- still offered by the carrier
  offered boolean not null default true,
  enabled boolean not null default true,
  position int not null default 0
);

create table user_service (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  default_id bigint not null references default_service,
  name text not null,
  enabled boolean not null,
  unique (user_id, default_id)
);

-- Price ranges, versioned: the newest version of a service counts; older ones stay readable with who set them and when.
-- ranges: [{"from": 1, "to": 70, "cents": 650}], whole pounds, contiguous from 1 to the service's maximum.
create table price_version (
  id bigint generated always as identity primary key,
  default_id bigint references default_service,
  user_service_id bigint references user_service,
  version int not null,
  ranges jsonb not null,
  set_by bigint references app_user,
  created_at timestamptz not null default now(),
  check ((default_id is null) <> (user_service_id is null)),
  unique (default_id, version),
  unique (user_service_id, version)
);
create trigger price_version_immutable before update or delete on price_version for each row execute function refuse_change();
