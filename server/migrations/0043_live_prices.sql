-- Live prices (docs/decisions/0061): what the carrier quoted for a parcel, kept so that the price shown is the price paid.

-- "parcel": service, ZIP codes, weight and size. "cost_cents" and "reason" are null while the first question is open;
-- "asking_until": a process asks the carrier until then; "attempt" tells its answer from a later one's.
create table carrier_quote (
  account text not null,
  parcel text not null,
  cost_cents bigint check (cost_cents >= 0),
  reason text,
  attempt int not null default 1,
  asked_by bigint not null,
  asked_at timestamptz not null,
  asking_until timestamptz,
  answered_at timestamptz,
  expires_at timestamptz,
  primary key (account, parcel)
);
create index carrier_quote_asked_by on carrier_quote (asked_by, asked_at);
create index carrier_quote_asked_at on carrier_quote (asked_at);

-- A live rule has no costs of its own; the carrier's quote is kept with each order.
alter table price_version drop constraint price_version_rule;
alter table price_version add constraint price_version_rule
  check ((rule is null) = (cost_version_id is null) or rule @> '{"live": true}') not valid;

-- What the carrier quoted for the label before it was bought, and when; null: not priced by a quote
alter table shipment_order add column quoted_cents bigint;
alter table shipment_order add column quoted_at timestamptz;
