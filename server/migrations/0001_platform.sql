-- Settings of this installation: its mode (sandbox or live), its instance name, when it was restored.
create table app_setting (
  key text primary key,
  value text not null,
  created_at timestamptz not null default now()
);

-- Attempts per key, such as sign-ins per address. They are in the database so that they survive a restart.
create table throttle (
  key text primary key,
  hits int not null,
  resets_at timestamptz not null
);
create index throttle_resets on throttle (resets_at);
