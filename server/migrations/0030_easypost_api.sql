-- What programs keep through /v2, which speaks EasyPost's interface. `key` is the part of an id after its prefix.
create table api_address (
  id bigint generated always as identity primary key,
  key uuid not null unique default gen_random_uuid(),
  user_id bigint not null references app_user,
  -- AddressText of server/easypost/rules.ts
  content jsonb not null,
  -- AddressVerifications of contract/easypost-objects.ts; null: not asked for
  verifications jsonb,
  used_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index api_address_of_user on api_address (user_id, id desc);
create index api_address_unused on api_address (used_at);

-- Inches and ounces
create table api_parcel (
  id bigint generated always as identity primary key,
  key uuid not null unique default gen_random_uuid(),
  user_id bigint not null references app_user,
  length float8,
  width float8,
  height float8,
  weight float8 not null,
  used_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default clock_timestamp()
);
create index api_parcel_of_user on api_parcel (user_id, id desc);
create index api_parcel_unused on api_parcel (used_at);

create table api_batch (
  id bigint generated always as identity primary key,
  key uuid not null unique default gen_random_uuid(),
  user_id bigint not null references app_user,
  reference text,
  -- of the file that was asked for
  label_format text check (label_format in ('pdf', 'zpl')),
  -- until all that was queued is bought or refused
  is_buying boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index api_batch_of_user on api_batch (user_id, id desc);
create index api_batch_buying on api_batch (id) where is_buying;

-- A draft costs nothing. It has an order from the moment its purchase is accepted.
create table api_shipment (
  id bigint generated always as identity primary key,
  key uuid not null unique default gen_random_uuid(),
  user_id bigint not null references app_user,
  reference text,
  -- AddressCopy and ParcelCopy of server/easypost/rules.ts
  sender jsonb not null,
  receiver jsonb not null,
  parcel jsonb not null,
  options jsonb not null default '{}',
  -- StoredRates of server/easypost/rates.ts
  rates jsonb not null,
  rated_at timestamptz not null default clock_timestamp(),
  -- StoredRate of server/easypost/rates.ts, of the order
  selected jsonb,
  -- the newest one; only a failed order is replaced
  order_id bigint unique references shipment_order,
  batch_id bigint references api_batch,
  -- EasyPost's name of the service to buy in a batch
  batch_service text,
  batch_state text check (batch_state in ('created', 'creation_failed', 'queued', 'ordered', 'refused')),
  batch_message text,
  -- of a queued one: when a worker places its order, and the key with which it was queued
  buy_after timestamptz,
  api_key_id bigint references api_key,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((batch_id is null) = (batch_state is null)),
  check ((order_id is null) = (selected is null)),
  check ((batch_state = 'queued') = (buy_after is not null))
);
create index api_shipment_of_user on api_shipment (user_id, id desc);
create index api_shipment_ordered on api_shipment (user_id, id desc) where order_id is not null;
create index api_shipment_draft on api_shipment (user_id, id desc) where order_id is null;
create index api_shipment_reference on api_shipment (user_id, reference) where reference is not null;
create index api_shipment_of_batch on api_shipment (batch_id, id) where batch_id is not null;
create index api_shipment_queued on api_shipment (buy_after) where batch_state = 'queued';
create index api_shipment_unbought on api_shipment (created_at) where order_id is null;

-- A void that was asked for through /v2
create table api_refund (
  id bigint generated always as identity primary key,
  key uuid not null unique default gen_random_uuid(),
  user_id bigint not null references app_user,
  order_id bigint not null unique references shipment_order,
  created_at timestamptz not null default clock_timestamp()
);
create index api_refund_of_user on api_refund (user_id, id desc);

-- Events of /v2 are found by the message of their deliveries.
create index webhook_delivery_of_message on webhook_delivery (message_id);
