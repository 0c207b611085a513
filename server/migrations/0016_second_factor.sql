-- An authenticator app or a passkey of a user.
create table second_factor (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  kind text not null check (kind in ('totp', 'passkey')),
  name text not null,
  -- of an app: encrypted by the secret key; and the last time step that was accepted, which is refused from then on
  sealed_secret bytea,
  last_step bigint,
  -- of a passkey: what it signs with, how often, how it is reached, and the host that it belongs to
  credential_id bytea unique,
  public_key bytea,
  counter bigint,
  transports text[],
  host text,
  backed_up boolean not null default false,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  constraint second_factor_of_kind check (
    case kind
      when 'totp' then sealed_secret is not null and last_step is not null and credential_id is null
      else credential_id is not null and public_key is not null and counter is not null and transports is not null and host is not null
        and sealed_secret is null
    end)
);
create index second_factor_of_user on second_factor (user_id, kind);

-- Recovery codes that are still unused. Only their SHA-256 hashes are stored: 125 random bits cannot be guessed from them.
create table recovery_code (
  code_hash bytea primary key,
  user_id bigint not null references app_user,
  created_at timestamptz not null default now()
);
create index recovery_code_of_user on recovery_code (user_id);

-- What a sign-in, a proof or the setup of a factor still waits for, or has used up.
create table login_challenge (
  -- SHA-256 of the challenge
  hash bytea primary key,
  user_id bigint not null references app_user,
  kind text not null check (kind in ('login', 'proof', 'totp', 'passkey', 'passkey-login')),
  -- login: SHA-256 of the password's hash, so that a new password ends the sign-in
  password_mark bytea,
  -- totp: the secret that no code has confirmed yet, encrypted
  sealed_secret bytea,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index login_challenge_of_user on login_challenge (user_id, kind);
create unique index login_challenge_one_totp on login_challenge (user_id) where kind = 'totp';

-- When the user last proved who they are; a sign-in does.
alter table login_session add column proven_at timestamptz;
update login_session set proven_at = created_at;
alter table login_session alter column proven_at set default now(), alter column proven_at set not null;

-- Adjustments beyond an administrator's daily limit, decided by another administrator.
create table balance_adjustment_request (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  -- cents that are added to the available balance, or taken from it
  difference bigint not null check (difference <> 0),
  reason text not null,
  state text not null default 'open' check (state in ('open', 'confirmed', 'declined', 'replaced')),
  asked_by bigint not null references app_user,
  asked_at timestamptz not null default now(),
  decided_by bigint references app_user,
  decided_at timestamptz,
  constraint balance_request_not_own check (user_id <> asked_by and user_id is distinct from decided_by),
  constraint balance_request_two_administrators check (decided_by is distinct from asked_by),
  constraint balance_request_decided check (
    (state = 'open') = (decided_at is null) and (state in ('confirmed', 'declined')) = (decided_by is not null))
);
create unique index balance_request_open on balance_adjustment_request (user_id, asked_by) where state = 'open';
create index balance_request_confirmed on balance_adjustment_request (asked_by, decided_at) where state = 'confirmed';
-- The sum of what an administrator adjusted in a day.
create index transfer_adjusted_by on transfer (actor_id, created_at) include (cents) where kind in ('adjust_up', 'adjust_down');
