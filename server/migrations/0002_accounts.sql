create table app_user (
  id bigint generated always as identity primary key,
  name text not null,
  email text not null,
  -- the address without letter case: two spellings are one account
  email_key text not null unique,
  password_hash text not null,
  role text not null default 'user' check (role in ('user', 'friend', 'admin')),
  activation text not null default 'allow' check (activation in ('allow', 'block')),
  referral_code text not null unique,
  referred_by bigint references app_user,
  avatar text,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  check (referred_by <> id)
);
create index app_user_referred_by on app_user (referred_by, id) where referred_by is not null;

alter table account add constraint account_owner foreign key (owner_id) references app_user;

-- A sign-in. Only SHA-256 sums are kept of the token and of the download cookie's value.
create table login_session (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  token_hash bytea not null unique,
  download_hash bytea not null unique,
  kind text not null default 'normal' check (kind in ('normal', 'impersonation')),
  actor_id bigint references app_user,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  check ((kind = 'impersonation') = (actor_id is not null))
);
create index login_session_of_user on login_session (user_id);

create table password_reset (
  token_hash bytea primary key,
  user_id bigint not null references app_user,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);

create table audit_entry (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id bigint,
  subject_id bigint,
  action text not null,
  detail jsonb not null default '{}'
);
create index audit_entry_subject on audit_entry (subject_id, id);
create trigger audit_entry_immutable before update or delete on audit_entry for each row execute function refuse_change();
create trigger audit_entry_no_truncate before truncate on audit_entry for each statement execute function refuse_change();
