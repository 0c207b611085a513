-- Whether an email address is the user's, and changes of it.
alter table app_user add column email_verified_at timestamptz;
-- an administrator's invitation that waits for its password
alter table app_user add column invited_at timestamptz;
update app_user set email_verified_at = now();
create index app_user_unverified on app_user (id) where email_verified_at is null and deleted_at is null;

-- A change that waits for the link in the new mailbox (open), is made (done), was given up, or was undone by the link in the old one.
create table email_change (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  -- null when the old address was never verified: nothing can be undone then
  old_email text,
  old_email_key text,
  new_email text not null,
  state text not null default 'open' check (state in ('open', 'done', 'canceled', 'undone')),
  -- the session that asked, which stays signed in
  session_id bigint not null,
  created_at timestamptz not null default now(),
  done_at timestamptz,
  constraint email_change_old check ((old_email is null) = (old_email_key is null)),
  constraint email_change_done check (state <> 'done' or done_at is not null)
);
create index email_change_of_user on email_change (user_id);
create unique index email_change_open on email_change (user_id) where state = 'open';
create index email_change_reserves on email_change (old_email_key) where state = 'done';

create table email_link (
  token_hash bytea primary key,
  user_id bigint not null references app_user,
  purpose text not null check (purpose in ('verify', 'change', 'undo')),
  change_id bigint references email_change on delete cascade,
  -- the address that it was mailed to
  email_key text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint email_link_change check ((purpose = 'verify') = (change_id is null))
);
create index email_link_of_user on email_link (user_id);
create index email_link_change on email_link (change_id) where change_id is not null;
