-- Prices with steps below a pound, zones and dimensional weight; changes of many services at once; the zone matrix.

-- A change of prices by an administrator: from a file, or back to earlier prices.
create table price_change (
  id bigint generated always as identity primary key,
  -- null: the default services
  user_id bigint references app_user,
  -- one per confirmed preview: a repeated request finds its change
  request_key uuid not null unique,
  -- [{"uid", "ranges", "table"}]
  content jsonb not null,
  -- null: back to earlier prices
  file_name text,
  reason text not null,
  state text not null check (state in ('scheduled', 'applied', 'canceled', 'failed')),
  starts_at timestamptz not null,
  set_by bigint not null references app_user,
  ended_by bigint references app_user,
  ended_at timestamptz,
  failure text,
  created_at timestamptz not null default now(),
  constraint price_change_ended check ((state = 'scheduled') = (ended_at is null)),
  constraint price_change_failure check ((state = 'failed') = (failure is not null))
);
create index price_change_due on price_change (starts_at) where state = 'scheduled';
create index price_change_of_user on price_change (user_id, id desc);

-- {"steps": [{"toOz": 16, "cents": [null, 450, ...]}], "dimDivisor": null}; "ranges" then has the highest price of each pound
alter table price_version add column price_table jsonb;
alter table price_version add column change_id bigint references price_change;

-- Zones between the first three digits of two ZIP codes; the newest matrix counts.
create table zone_matrix (
  id bigint generated always as identity primary key,
  -- a byte for each pair at origin * 1000 + destination: 1 to 9; 0 where there is none
  zones bytea not null check (length(zones) = 1000000),
  pairs int not null check (pairs between 0 and 1000000),
  content_hash text not null,
  reason text not null,
  set_by bigint not null references app_user,
  created_at timestamptz not null default now()
);
