create table invoice (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  provider text not null check (provider in ('sandbox', 'btcpay')),
  -- our id at the provider; by it an invoice is found again when the response was lost
  reference uuid not null default gen_random_uuid() unique,
  -- the provider's id; null between our own record and the provider's response
  external_id text,
  -- the lease of the process that creates it at the provider, and how often that was attempted
  creating_until timestamptz,
  create_attempts int not null default 0,
  status text not null default 'New' check (status in ('New', 'Processing', 'Settled', 'Expired', 'Invalid')),
  additional_status text not null default 'None' check (additional_status in ('None', 'PaidLate', 'PaidPartial', 'Marked', 'PaidOver', 'Invalid')),
  paid_cents bigint not null default 0 check (paid_cents >= 0),
  confirmed_cents bigint not null default 0 check (confirmed_cents >= 0),
  credited_cents bigint not null default 0 check (credited_cents >= 0),
  -- how many credits this invoice has had; it is part of the transfer's key
  credit_count int not null default 0,
  -- what was reversed of the credits, and in how many transfers
  reversed_cents bigint not null default 0,
  reversal_count int not null default 0,
  needs_review boolean not null default false,
  -- the state that an operator has decided about; another state is reviewed again
  reviewed_state text,
  checkout_link text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  settled_at timestamptz,
  -- since when the provider does not know an invoice that it made; null while it does
  lost_at timestamptz,
  synced_at timestamptz,
  -- the number (sequence invoice_lookup) of the newest look-up that was recorded; an older one that comes late is dropped
  last_lookup bigint not null default 0,
  -- when the poller looks again; null: never
  next_lookup_at timestamptz default now() + interval '1 minute',
  unique (provider, external_id),
  constraint invoice_credit_is_paid check
    (credited_cents - reversed_cents <= greatest(paid_cents, confirmed_cents) or needs_review or reviewed_state is not null),
  constraint invoice_reversal_is_credited check (reversed_cents between 0 and credited_cents)
);
create index invoice_of_user on invoice (user_id, id desc);
create index invoice_due on invoice (next_lookup_at) where next_lookup_at is not null;
create index invoice_review on invoice (id) where needs_review;
-- A user has at most one invoice that is open and unpaid.
create unique index invoice_one_open on invoice (user_id) where status = 'New' and paid_cents = 0;
-- What customers have paid and do not have in their balance yet.
create index invoice_pending_credit on invoice (id)
  where status in ('New', 'Processing', 'Settled') and paid_cents > credited_cents and not needs_review;
create sequence invoice_lookup;

-- Messages of the payment provider. A message is stored before it is answered and handled after.
create table webhook_inbox (
  provider text not null,
  delivery_id text not null,
  body bytea not null,
  invoice_ref text not null default '',
  reference uuid,
  received_at timestamptz not null default now(),
  handled_at timestamptz,
  attempts int not null default 0,
  -- when another process handles a message that is still open
  retry_at timestamptz not null default now(),
  primary key (provider, delivery_id)
);
create index webhook_pending on webhook_inbox (retry_at) where handled_at is null;
create index webhook_received on webhook_inbox (received_at);

-- Records of the sandbox payment provider, which acts as a separate company.
create table sandbox_invoice (
  id text primary key,
  reference text not null,
  status text not null default 'New' check (status in ('New', 'Processing', 'Settled', 'Expired', 'Invalid')),
  additional_status text not null default 'None',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sandbox_invoice_order on sandbox_invoice (reference);

create table sandbox_payment (
  id bigint generated always as identity primary key,
  invoice_id text not null references sandbox_invoice,
  cents bigint not null check (cents > 0),
  late boolean not null,
  settled boolean not null default true,
  received_at timestamptz not null default now()
);
create index sandbox_payment_invoice on sandbox_payment (invoice_id);
