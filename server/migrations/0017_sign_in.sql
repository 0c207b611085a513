-- Networks from which a user has signed in: wrong passwords from there are counted apart from strangers'. At most five of the last 90
-- days; a new password deletes them.
create table known_network (
  user_id bigint not null references app_user,
  -- an HMAC of user and network by the secret key: the table does not tell where a user was
  network_hash bytea not null,
  last_used_at timestamptz not null default now(),
  primary key (user_id, network_hash)
);
