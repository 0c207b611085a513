-- Sums of the ledger for reports (docs/decisions/0044). They only repeat the ledger: every transfer with an id up to the one in
-- report_progress is in exactly one row of each table that counts its kind; later ones are in none and are read themselves. Without a row
-- in report_progress all sums are made again.
create table report_progress (
  only_row boolean primary key default true check (only_row),
  last_transfer_id bigint not null
);

-- Of a user in a quarter of an hour, by the service of the label; '' for transfers without a label.
create table user_sum (
  user_id bigint not null,
  period_start timestamptz not null,
  service_uid text not null,
  service_name text not null,
  labels int not null,
  charged_cents bigint not null,
  -- what the carrier charged for the labels
  cost_cents bigint not null,
  voided int not null,
  refunded_cents bigint not null,
  refunded_cost_cents bigint not null,
  deposited_cents bigint not null,
  -- by how much the two balances changed
  available_cents bigint not null,
  held_cents bigint not null,
  primary key (user_id, period_start, service_uid)
);
create index user_sum_period on user_sum (period_start);

-- Labels bought by a user, by the state of the receiver: of quarters of an hour, and again of whole days of UTC.
create table destination_sum (
  user_id bigint not null,
  -- 0: a quarter of an hour
  days smallint not null check (days in (0, 1)),
  period_start timestamptz not null,
  state text not null,
  labels int not null,
  primary key (user_id, days, period_start, state)
);

-- All users together in a quarter of an hour.
create table trade_sum (
  period_start timestamptz not null,
  service_uid text not null,
  labels int not null,
  charged_cents bigint not null,
  cost_cents bigint not null,
  voided int not null,
  refunded_cents bigint not null,
  refunded_cost_cents bigint not null,
  primary key (period_start, service_uid)
);

-- A user in whole days of UTC, and again in 16 of them, counted from 1970-01-01.
create table customer_sum (
  days smallint not null check (days in (1, 16)),
  period_start timestamptz not null,
  user_id bigint not null,
  labels int not null,
  charged_cents bigint not null,
  cost_cents bigint not null,
  voided int not null,
  refunded_cents bigint not null,
  refunded_cost_cents bigint not null,
  primary key (days, period_start, user_id)
);

-- Labels that were not bought in a quarter of an hour; '' without a reason.
create table failure_sum (
  period_start timestamptz not null,
  reason text not null,
  labels int not null,
  primary key (period_start, reason)
);
