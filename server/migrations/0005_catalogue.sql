create table default_service (
  id bigint generated always as identity primary key,
  uid text not null unique,
  name text not null,
  category text not null default 'Other',
  -- lb
  max_weight int not null default 70 check (max_weight > 0),
  -- the carrier still offers it
  offered boolean not null default true,
  enabled boolean not null default true,
  position int not null default 0
);

create table user_service (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  default_id bigint not null references default_service,
  name text not null,
  enabled boolean not null,
  unique (user_id, default_id)
);

-- Price ranges of a service. The newest version counts; older ones stay readable, with the administrator and the time.
create table price_version (
  id bigint generated always as identity primary key,
  default_id bigint references default_service,
  user_service_id bigint references user_service,
  version int not null,
  -- [{"from": 1, "to": 70, "cents": 650}]: whole pounds, without gaps from 1 to the service's maximum
  ranges jsonb not null,
  set_by bigint references app_user,
  created_at timestamptz not null default now(),
  constraint price_version_of_one_service check ((default_id is null) <> (user_service_id is null)),
  unique (default_id, version),
  unique (user_service_id, version)
);
