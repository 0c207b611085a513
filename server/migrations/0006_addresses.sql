create table saved_address (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  -- the user's own name for it
  address_id text not null,
  name text not null,
  company text not null default '',
  phone text not null default '',
  street text not null,
  street2 text not null default '',
  city text not null,
  state text not null,
  zip text not null,
  country text not null default 'US',
  created_at timestamptz not null default now(),
  unique (user_id, address_id)
);
