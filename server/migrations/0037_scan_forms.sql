-- A SCAN form: the carrier accepts all its parcels by one scan. It is asked for once per sender address, and again only with proof that
-- no earlier call has made it.
create table scan_form (
  id bigint generated always as identity primary key,
  -- for programs: an id that cannot be guessed
  key uuid not null unique default gen_random_uuid(),
  user_id bigint not null references app_user,
  -- unknown: the carrier does not tell whether it made the form, so its labels may be on it
  state text not null default 'asked' check (state in ('asked', 'made', 'failed', 'unknown')),
  sender jsonb not null,
  -- when the parcels are mailed, in the time of US Eastern
  day date not null,
  -- name and number of labels of each service when it was asked for
  services jsonb not null,
  labels int not null check (labels > 0),
  carrier_account text not null,
  requested_by bigint not null references app_user,
  fence int not null default 0,
  attempt int not null default 0,
  run_after timestamptz not null default now(),
  -- of a call whose outcome is open
  called_at timestamptz,
  -- what the carrier calls the form, or its request
  upstream_ref text,
  -- the form is made and its file has not been delivered
  awaits_file boolean not null default false,
  files text[] not null default '{}',
  problem text,
  made_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint scan_form_made check ((state = 'made') = (made_at is not null)),
  constraint scan_form_awaits_file check (not awaits_file or state = 'made')
) with (fillfactor = 70);
create index scan_form_of_user on scan_form (user_id, id desc);
create index scan_form_due on scan_form (run_after) where state = 'asked' or awaits_file;

alter table shipment_order add column scan_form_id bigint references scan_form;
create index order_of_scan_form on shipment_order (scan_form_id) where scan_form_id is not null;
-- Labels of a day that can be put on a form.
create index order_without_scan_form on shipment_order (user_id, purchased_at) where state = 'purchased' and scan_form_id is null;

-- The sandbox's forms, by the caller's name of them.
create table sandbox_scan_form (
  name text primary key,
  tracking_numbers text[] not null,
  made_at timestamptz not null default now()
);
create index sandbox_scan_form_numbers on sandbox_scan_form using gin (tracking_numbers);
