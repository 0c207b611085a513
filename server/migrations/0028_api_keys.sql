-- Keys with which programs call as their user. Only the SHA-256 hash of a key is stored: its 178 random bits cannot be guessed from it.
create table api_key (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  name text not null,
  last4 text not null check (char_length(last4) = 4),
  scopes text[] not null check (cardinality(scopes) > 0),
  daily_limit_cents bigint check (daily_limit_cents > 0),
  created_by bigint not null references app_user,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  -- The first of a line of keys that replace each other; null: this one. They share what they spend in a day.
  first_id bigint references api_key,
  -- The newer key; this one ends at expires_at.
  replaced_by bigint references api_key,
  revoked_at timestamptz
);
create index api_key_of_user on api_key (user_id, id) where revoked_at is null;

-- What was ordered with a limited key on its last day (UTC), less labels that were not bought. Changed under the lock of the user's balance.
create table api_key_spending (
  first_id bigint primary key references api_key,
  day date not null,
  cents bigint not null check (cents >= 0)
);

-- The key that a bulk order was submitted with.
alter table batch add column api_key_id bigint references api_key;
-- The key that the round of a label was ordered with: of a single label, or of a retried row. Rows of the first round have that of their batch.
alter table shipment_order add column api_key_id bigint references api_key;
