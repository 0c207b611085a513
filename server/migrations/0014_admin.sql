-- Sums of the ledger over quarters of an hour, so that the dashboard reads some thousand rows where a month has millions of transfers.
-- They only repeat the ledger (docs/decisions/0018): every transfer with an id up to the greatest last_transfer_id is in exactly one sum;
-- later ones are in none and are read themselves.
create table ledger_sum (
  period_start timestamptz not null,
  kind text not null references transfer_rule,
  transfers bigint not null,
  cents bigint not null,
  -- what the carrier charged for the labels of these transfers
  cost_cents bigint not null,
  last_transfer_id bigint not null,
  primary key (period_start, kind)
);
create index ledger_sum_last on ledger_sum (last_transfer_id);
