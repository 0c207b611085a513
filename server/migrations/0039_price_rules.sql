-- Rules that price a service from the operator's costs; the version of prices that each order was charged by.

-- What the carrier charges the operator for a service, in the shape of its prices.
create table cost_version (
  id bigint generated always as identity primary key,
  default_id bigint not null references default_service,
  version int not null check (version >= 1),
  ranges jsonb not null,
  price_table jsonb,
  change_id bigint not null references price_change,
  created_at timestamptz not null default now(),
  unique (default_id, version)
);

-- 'costs': "content" has costs, and the prices of rules followed
alter table price_change add column kind text not null default 'prices';
alter table price_change add constraint price_change_kind check (kind in ('prices', 'costs')) not valid;

-- {"basisPoints", "fixedCents", "floorCents", "rounding"}: "ranges" and "price_table" are its result
alter table price_version add column rule jsonb;
alter table price_version add column cost_version_id bigint references cost_version;
alter table price_version add constraint price_version_rule check ((rule is null) = (cost_version_id is null)) not valid;

-- null: placed before versions were kept. Without a foreign key, which each row would pay for; versions are never deleted
alter table shipment_order add column price_version_id bigint;
