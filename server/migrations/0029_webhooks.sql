-- Messages about facts, written in the transaction of the fact and passed on soon after.
create table outbox (
  id bigint generated always as identity primary key,
  -- named in every try; random, so that a database restored from a backup gives no second message the same one
  message_id uuid not null default gen_random_uuid(),
  user_id bigint not null,
  type text not null,
  data jsonb not null,
  -- of a row of a bulk order
  is_bulk_row boolean not null,
  at timestamptz not null default clock_timestamp()
);

-- Which messages are written at all: those of users who receive them.
create table outbox_subscription (
  user_id bigint not null,
  type text not null,
  -- also messages of rows of bulk orders
  bulk_rows boolean not null,
  primary key (user_id, type)
);

create table webhook_endpoint (
  id bigint generated always as identity primary key,
  user_id bigint not null references app_user,
  url text not null,
  -- the shape of bodies and signatures
  format text not null,
  types text[] not null,
  bulk_rows boolean not null,
  enabled boolean not null default true,
  -- user, gone: answered 410, dead: nothing succeeded for three days
  off_reason text,
  -- sealed; the previous one signs too until its end
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  -- its deliveries are deleted in the background
  deleted_at timestamptz,
  -- the first failure after the last success
  failing_since timestamptz,
  failures_in_row int not null default 0,
  -- it asked for time, or several tries in a row failed
  paused_until timestamptz,
  -- when the next delivery is due, null for none
  due_at timestamptz,
  -- one process at a time delivers to an endpoint
  lease_until timestamptz,
  fence int not null default 0,
  constraint webhook_endpoint_format check (format in ('standard', 'easypost')),
  constraint webhook_endpoint_off check (enabled = (off_reason is null)),
  constraint webhook_endpoint_off_reason check (off_reason in ('user', 'gone', 'dead')),
  constraint webhook_endpoint_previous check ((previous_secret is null) = (previous_secret_until is null))
);
create index webhook_endpoint_of_user on webhook_endpoint (user_id) where deleted_at is null;
create index webhook_endpoint_due on webhook_endpoint (due_at) where due_at is not null and enabled and deleted_at is null;
create index webhook_endpoint_deleted on webhook_endpoint (id) where deleted_at is not null;

create table webhook_delivery (
  id bigint generated always as identity primary key,
  endpoint_id bigint not null references webhook_endpoint,
  message_id uuid not null,
  type text not null,
  -- sent unchanged by every try
  body text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- once: a test, which is tried by its call alone; canceled: the endpoint was switched off or the database restored
  state text not null,
  -- tries of the schedule
  tries int not null default 0,
  next_try_at timestamptz,
  constraint webhook_delivery_state check (state in ('waiting', 'once', 'delivered', 'failed', 'canceled')),
  constraint webhook_delivery_next check ((state = 'waiting') = (next_try_at is not null))
);
create index webhook_delivery_due on webhook_delivery (endpoint_id, next_try_at) where state = 'waiting';
create index webhook_delivery_of_endpoint on webhook_delivery (endpoint_id, id desc);
create index webhook_delivery_waiting on webhook_delivery (created_at) where state = 'waiting';
create index webhook_delivery_once on webhook_delivery (created_at) where state = 'once';
create index webhook_delivery_by_age on webhook_delivery (created_at);

create table webhook_try (
  id bigint generated always as identity primary key,
  delivery_id bigint not null references webhook_delivery on delete cascade,
  -- asked for by the user: not of the schedule
  is_replay boolean not null,
  at timestamptz not null,
  duration_ms int not null,
  outcome text not null,
  -- HTTP status and the beginning of the answer, null without an answer
  status int,
  answer text,
  constraint webhook_try_answer check (octet_length(answer) <= 8192)
);
create index webhook_try_of_delivery on webhook_try (delivery_id, id);
