-- The rules of 0010, of which one has become truer: a label whose carrier has not made its file, or has lost it, is in no file. Nothing is
-- wrong with a bulk order that has only such labels and no PDF.
create or replace function check_invariants() returns table (rule text, subject text, detail text) language sql stable as $$
  -- I1 a stored balance is the sum of its transfers
  select 'balance-equals-journal', 'account ' || a.id, format('stored %s/%s, journal %s/%s', b.debits, b.credits, j.debits, j.credits)
    from balance b
    join account a on a.id = b.account_id
    left join lateral (
      select coalesce(sum(t.cents) filter (where t.debit = a.id), 0) as debits, coalesce(sum(t.cents) filter (where t.credit = a.id), 0) as credits
        from transfer t where t.owner_id = a.owner_id and (t.debit = a.id or t.credit = a.id)) j on true
    where b.debits <> j.debits or b.credits <> j.credits
  union all
  -- I1 and so are the totals shown to the user
  select 'totals-equal-journal', 'account ' || a.id, format('stored %s/%s/%s, journal %s/%s/%s', b.deposited, b.refunded, b.captured,
      j.deposited, j.refunded, j.captured)
    from balance b
    join account a on a.id = b.account_id
    left join lateral (
      select coalesce(sum(t.cents) filter (where t.kind = 'deposit' and t.credit = a.id), 0) as deposited,
             coalesce(sum(t.cents) filter (where t.kind = 'refund' and t.credit = a.id), 0) as refunded,
             coalesce(sum(t.cents) filter (where t.kind = 'capture' and t.debit = a.id), 0) as captured
        from transfer t where t.owner_id = a.owner_id) j on true
    where b.deposited <> j.deposited or b.refunded <> j.refunded or b.captured <> j.captured
  union all
  -- I2 nothing below zero
  select 'balance-not-negative', 'account ' || account_id, format('%s', credits - debits) from balance where credits < debits
  union all
  -- I4 a bought label has exactly one capture of its price in its round, and nothing else has one
  select 'capture-equals-label', 'order ' || coalesce(o.id, t.order_id), format('state %s, price %s, captured %s', o.state, o.price_cents, t.cents)
    from (select * from shipment_order where state in ('purchased', 'voiding', 'voided')) o
    full join (select * from transfer where kind = 'capture') t on t.order_id = o.id
    where o.id is null or t.id is null or t.cents <> o.price_cents or t.round <> o.round
  union all
  -- I4 money of a label is its owner's and is entered under its bulk order
  select 'settlement-of-owner', 'transfer ' || t.id, format('%s of user %s, batch %s; the label is of user %s, batch %s', t.kind,
      t.owner_id, t.batch_id, o.user_id, o.batch_id)
    from transfer t
    left join shipment_order o on o.id = t.order_id
    where t.kind in ('capture', 'release', 'refund') and (o.id is null or t.owner_id <> o.user_id or t.batch_id is distinct from o.batch_id)
  union all
  -- I5 a failed label has had its last round's hold released, once
  select 'release-equals-failed', 'order ' || o.id, format('round %s of a failed label was not released', o.round)
    from shipment_order o
    where o.state = 'failed'
      and not exists (select 1 from transfer t where t.kind = 'release' and t.order_id = o.id and t.round = o.round and t.cents = o.price_cents)
  union all
  -- I5 an open label's round is not settled yet
  select 'open-label-unsettled', 'order ' || o.id, format('%s, yet round %s is settled', o.state, o.round)
    from shipment_order o
    where o.state in ('queued', 'purchasing', 'unknown')
      and exists (select 1 from transfer t where t.kind in ('capture', 'release') and t.order_id = o.id and t.round = o.round)
  union all
  -- I5 a new round begins only after the one before has given its money back
  select 'earlier-rounds-released', 'order ' || o.id, format('round %s, yet %s releases before it', o.round, count(t.id))
    from shipment_order o
    left join transfer t on t.kind = 'release' and t.order_id = o.id and t.round < o.round and t.cents = o.price_cents
    where o.round > 1
    group by o.id
    having count(t.id) <> o.round - 1
  union all
  -- I6 what is held of a user is what his open labels cost
  select 'held-equals-open-labels', 'user ' || a.owner_id, format('held %s, open labels %s', b.credits - b.debits, coalesce(o.cents, 0))
    from account a
    join balance b on b.account_id = a.id
    left join (select user_id, sum(price_cents) as cents from shipment_order where state in ('queued', 'purchasing', 'unknown') group by user_id) o
      on o.user_id = a.owner_id
    where a.kind = 'held' and b.credits - b.debits <> coalesce(o.cents, 0)
  union all
  -- I7 a bulk order's cost is its first hold and the sum of its rows
  select 'batch-cost', 'batch ' || b.id, format('cost %s, first hold %s, rows %s', b.cost_cents, t.cents, o.cents)
    from batch b
    left join transfer t on t.owner_id = b.user_id and t.kind = 'hold' and t.key = 'hold:batch:' || b.id || ':1'
    left join (select batch_id, sum(price_cents) as cents, count(*) as labels from shipment_order group by batch_id) o on o.batch_id = b.id
    where b.status is not null and (b.cost_cents is distinct from t.cents or b.cost_cents is distinct from o.cents or b.total_count is distinct from o.labels)
  union all
  -- I7 what was held for a bulk order was spent, given back, or is held for its open labels
  select 'batch-holds', 'batch ' || b.id, format('held %s, settled %s, open %s', h.cents, s.cents, o.cents)
    from batch b
    left join (select batch_id, sum(cents) as cents from transfer where kind = 'hold' and batch_id is not null
      group by batch_id) h on h.batch_id = b.id
    left join (select batch_id, sum(cents) as cents from transfer where kind in ('capture', 'release') and batch_id is not null
      group by batch_id) s on s.batch_id = b.id
    left join (select batch_id, sum(price_cents) as cents from shipment_order
      where state in ('queued', 'purchasing', 'unknown') and batch_id is not null group by batch_id) o on o.batch_id = b.id
    where coalesce(h.cents, 0) <> coalesce(s.cents, 0) + coalesce(o.cents, 0)
  union all
  -- I7 and a label of its own has its own hold
  select 'label-hold', 'order ' || o.id, format('nothing was held for round %s', o.round)
    from shipment_order o
    where o.batch_id is null
      and not exists (select 1 from transfer t where t.owner_id = o.user_id and t.key = 'hold:order:' || o.id || ':' || o.round
        and t.cents = o.price_cents)
  union all
  -- I8 an invoice has credited what it says, in as many transfers as it says
  select 'invoice-credit', 'invoice ' || coalesce(i.id, t.invoice_id), format('credited %s in %s, transfers %s in %s', i.credited_cents, i.credits, t.cents, t.n)
    from (select * from invoice where credits > 0 or credited_cents > 0) i
    full join (select invoice_id, sum(cents) as cents, count(*) as n from transfer where kind = 'deposit' group by invoice_id) t on t.invoice_id = i.id
    where i.id is null or t.invoice_id is null or i.credited_cents <> t.cents or i.credits <> t.n
  union all
  -- I9 a refund is for a voided label and is what it cost
  select 'refund-equals-label', 'order ' || t.order_id, format('refunded %s of %s, state %s', t.cents, o.price_cents, o.state)
    from transfer t join shipment_order o on o.id = t.order_id
    where t.kind = 'refund' and (t.cents <> o.price_cents or o.state <> 'voided')
  union all
  -- I9 a voided label was paid back
  select 'voided-refunded', 'order ' || o.id, 'voided without a refund'
    from shipment_order o
    where o.state = 'voided' and not exists (select 1 from transfer t where t.kind = 'refund' and t.order_id = o.id)
  union all
  -- I10 a tracking number is on one label
  select 'label-once', 'tracking ' || tracking_number, format('on %s labels', count(*))
    from shipment_order
    where tracking_number is not null
    group by tracking_number
    having count(*) > 1
  union all
  -- I10 an ended bulk order has its files: the result, and the labels if there are any that can be printed
  select 'batch-files', 'batch ' || b.id, format('labels %s in %s, result %s', g.good, coalesce(b.pdf_name, 'no file'),
      coalesce(b.result_name, 'missing'))
    from batch b
    join lateral (
      select count(*) as good, count(*) filter (where p.order_id is null or (p.state = 'kept' and p.problem is null)) as printed
        from shipment_order o left join carrier_paper p on p.order_id = o.id
        where o.batch_id = b.id and o.state in ('purchased', 'voiding')) g on true
    where b.status in ('completed', 'completed_with_errors', 'failed') and not b.files_stale and b.work_lease_until is null
      and ((b.pdf_name is null and g.printed > 0) or (b.pdf_name is not null and g.good = 0)
        or not exists (select 1 from label_file f where f.name = b.result_name and f.batch_id = b.id and f.user_id = b.user_id))
  union all
  -- I11 the frozen counts of a bulk order at its end are the counts of its rows
  select 'batch-counts', 'batch ' || b.id, format('processed %s, failed %s; rows %s, %s', b.processed_count, b.failed_count, o.done + o.failed, o.failed)
    from batch b
    join lateral (
      select count(*) filter (where state in ('purchased', 'voiding', 'voided')) as done,
             count(*) filter (where state in ('failed', 'unknown')) as failed,
             count(*) filter (where state in ('queued', 'purchasing')) as open
        from shipment_order where batch_id = b.id) o on true
    where b.status in ('completed', 'completed_with_errors', 'failed')
      and (b.failed_count <> o.failed or b.processed_count <> o.done + o.failed or o.open > 0)
  union all
  -- I12 who and why of every adjustment
  select 'adjustment-explained', 'transfer ' || id, 'no actor or no reason' from transfer
    where kind in ('adjust_up', 'adjust_down') and (actor_id is null or coalesce(reason, '') = '')
$$;
