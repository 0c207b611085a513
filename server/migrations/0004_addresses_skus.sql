create table saved_address (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
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

create table sku (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  sku text not null,
  max_qty int not null check (max_qty > 0),
  weight_lb numeric(10, 4) not null check (weight_lb > 0),
  length_in numeric(10, 4) not null check (length_in > 0),
  width_in numeric(10, 4) not null check (width_in > 0),
  height_in numeric(10, 4) not null check (height_in > 0),
  description text not null default '',
  unique (user_id, sku)
);
