-- Signature and Saturday delivery of a label, with their prices.

alter table shipment_order add column signature text not null default 'none';
alter table shipment_order add column saturday boolean not null default false;
-- the part of price_cents that the options cost
alter table shipment_order add column options_cents bigint not null default 0;
-- Not validated: the defaults hold for existing rows, and reading them all would stop orders.
alter table shipment_order add constraint shipment_order_signature check (signature in ('none', 'signature', 'adult')) not valid;
alter table shipment_order add constraint shipment_order_options_cents check (options_cents between 0 and price_cents) not valid;

-- What the options of a service cost on top of its price; the newest version counts.
create table option_price_version (
  id bigint generated always as identity primary key,
  default_id bigint not null references default_service,
  version int not null check (version > 0),
  -- {"signature": 350, "adult": null, "saturday": null}: cents, null is not offered
  cents jsonb not null,
  set_by bigint not null references app_user,
  created_at timestamptz not null default now(),
  unique (default_id, version)
);
