create table app_user (
  id bigint generated always as identity primary key,
  name text not null,
  email text not null,
  -- the email in lowercase: two spellings are one user
  email_key text not null unique,
  password_hash text not null,
  role text not null default 'user' check (role in ('user', 'friend', 'admin')),
  activation text not null default 'allow' check (activation in ('allow', 'block')),
  referral_code text not null unique,
  referred_by bigint references app_user,
  avatar text,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint app_user_not_own_referrer check (referred_by <> id)
);
create index app_user_referred_by on app_user (referred_by, id) where referred_by is not null;

-- A signed-in browser. Of the token and of the download cookie's value only the SHA-256 hashes are stored.
create table login_session (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  token_hash bytea not null unique,
  download_hash bytea not null unique,
  kind text not null default 'normal' check (kind in ('normal', 'impersonation')),
  -- the administrator who acts as the user
  impersonator_id bigint references app_user,
  -- the administrator's own session in which an impersonation began. Signing out of it ends the impersonation; impersonations that
  -- began in the administrator's other browsers go on.
  parent_session_id bigint,
  user_agent text,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint login_session_impersonator check ((kind = 'impersonation') = (impersonator_id is not null))
);
create index login_session_of_user on login_session (user_id);
create index login_session_parent on login_session (parent_session_id) where parent_session_id is not null;

create table password_reset (
  token_hash bytea primary key,
  user_id bigint not null references app_user,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);

-- What was done, by which user and to which user. Rows are never changed (server/schema/triggers/accounts.sql).
create table audit_entry (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  actor_id bigint,
  subject_id bigint,
  action text not null,
  detail jsonb not null default '{}'
);
-- The audit is filtered by user, by administrator, by action, and by both. Without the last two indexes a hundred thousand entries of
-- one administrator are read to find one.
create index audit_entry_subject on audit_entry (subject_id, id);
create index audit_entry_actor on audit_entry (actor_id, id);
create index audit_entry_action on audit_entry (action, id);
create index audit_entry_subject_action on audit_entry (subject_id, action, id);
create index audit_entry_actor_action on audit_entry (actor_id, action, id);
