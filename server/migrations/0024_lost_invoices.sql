-- Since when the payment service knows nothing of an invoice that it made; null while it does.
alter table invoice add column lost_at timestamptz;

-- Deposits are shown less what was taken back of them: the sums that are kept already get what they have left out.
insert into ledger_sum (slot, kind, transfers, cents, cost_cents, last_transfer_id)
  select date_bin('15 minutes', created_at, 'epoch'), kind, count(*), sum(cents), 0, max(id) from transfer
    where kind = 'reversal' and id <= (select coalesce(max(last_transfer_id), 0) from ledger_sum) group by 1, 2;
