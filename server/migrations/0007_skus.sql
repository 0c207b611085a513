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
