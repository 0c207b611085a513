-- Sums of the ledger by carrier account (docs/decisions/0044), in quarters of an hour: what each account sold and charged. Made
-- only where several accounts are connected. They have a progress of their own: without a row in carrier_account_progress
-- they are made from the first transfer on, also when a second account is added later.
create table carrier_account_progress (
  only_row boolean primary key default true check (only_row),
  last_transfer_id bigint not null
);

create table carrier_account_sum (
  -- at the carrier; that of labels without one where none is stored, otherwise ''
  account text not null,
  period_start timestamptz not null,
  labels int not null,
  cost_cents bigint not null,
  refunded_cost_cents bigint not null,
  primary key (account, period_start)
);
