-- Emails that wait to be sent, and for 30 days which ones were.
create table mail (
  id bigint generated always as identity primary key,
  -- part of the Message-ID, the same for each attempt: mail clients show a mail that was sent twice once
  message_id uuid not null unique,
  kind text not null,
  -- whose account it is about; null until it is written, and for an address without an account
  user_id bigint,
  -- recipient and text, encrypted by the secret key: they contain valid links. Erased as soon as the mail is sent
  sealed bytea,
  -- false: a request whose user is looked up, and whose text is written, after the response
  written boolean not null,
  -- an HMAC of the address, for the limit per recipient; and the masked address that administrators see
  recipient_hash text,
  recipient_hint text,
  created_at timestamptz not null default now(),
  -- when what it carries ends: it is not sent later
  expires_at timestamptz not null,
  attempts int not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- while a process sends it; when the process dies, another one sends it again after this
  lease_until timestamptz,
  -- why the last attempt failed
  problem text check (problem in ('unreachable', 'signin', 'sender', 'busy', 'refused', 'disk', 'unreadable', 'error')),
  ended_at timestamptz,
  outcome text check (outcome in ('sent', 'refused', 'expired', 'canceled', 'replaced', 'unreadable')),
  constraint mail_ended check ((ended_at is null) = (outcome is null)),
  constraint mail_waits_with_content check (ended_at is not null or sealed is not null),
  constraint mail_sent_is_erased check (outcome is distinct from 'sent' or (sealed is null and recipient_hint is null))
);
create index mail_due on mail (written, next_attempt_at) where ended_at is null;
create index mail_of_recipient on mail (recipient_hash, kind, id) where ended_at is null;
create index mail_ended_at on mail (ended_at) where ended_at is not null;
