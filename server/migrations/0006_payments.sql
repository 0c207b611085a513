create table invoice (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  provider text not null check (provider in ('sandbox', 'btcpay')),
  -- what the provider is told of us; by it an invoice is found again when its answer was lost
  reference uuid not null default gen_random_uuid() unique,
  -- the provider's id; null between our own record and the provider's answer
  external_id text,
  -- who asks the provider to make it, one at a time: until when, and how often it was tried
  creating_until timestamptz,
  create_attempts int not null default 0,
  status text not null default 'New' check (status in ('New', 'Processing', 'Settled', 'Expired', 'Invalid')),
  additional_status text not null default 'None' check (additional_status in ('None', 'PaidLate', 'PaidPartial', 'Marked', 'PaidOver', 'Invalid')),
  paid_cents bigint not null default 0 check (paid_cents >= 0),
  confirmed_cents bigint not null default 0 check (confirmed_cents >= 0),
  credited_cents bigint not null default 0 check (credited_cents >= 0),
  -- how many credits this invoice has had; it makes the transfer's key
  credits int not null default 0,
  needs_review boolean not null default false,
  checkout_link text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  synced_at timestamptz,
  -- the number of the newest look at the provider that was recorded; an older look that comes late is dropped
  last_lookup bigint not null default 0,
  -- when the poller looks again; null: never
  next_lookup_at timestamptz default now() + interval '1 minute',
  check (credited_cents <= greatest(paid_cents, confirmed_cents) or needs_review),
  unique (provider, external_id)
);
create index invoice_of_user on invoice (user_id, id desc);
create index invoice_due on invoice (next_lookup_at) where next_lookup_at is not null;
create index invoice_review on invoice (id) where needs_review;
create sequence invoice_lookup;
-- A user has at most one invoice that is open and unpaid.
create unique index invoice_one_open on invoice (user_id) where status = 'New' and paid_cents = 0;

create table webhook_inbox (
  provider text not null,
  delivery_id text not null,
  body bytea not null,
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  primary key (provider, delivery_id)
);

-- The sandbox payment provider's own books, as if it were another company.
create table sandbox_invoice (
  id text primary key,
  order_ref text not null,
  status text not null default 'New' check (status in ('New', 'Processing', 'Settled', 'Expired', 'Invalid')),
  additional_status text not null default 'None',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sandbox_invoice_order on sandbox_invoice (order_ref);
create table sandbox_payment (
  id bigint generated always as identity primary key,
  invoice_id text not null references sandbox_invoice,
  cents bigint not null check (cents > 0),
  late boolean not null,
  settled boolean not null default true,
  received_at timestamptz not null default now()
);
create index sandbox_payment_invoice on sandbox_payment (invoice_id);
