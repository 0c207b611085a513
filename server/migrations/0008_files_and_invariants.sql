-- How often rows of an ended batch have changed. Files are up to date when they were made of the newest change; until then they
-- stay stale, so that a making which fails or dies is taken up again.
alter table batch add column changes int not null default 0;

-- The failed labels of a batch, in the order of its table, without a walk over those that were bought.
create index order_unbought on shipment_order (batch_id, row_no) where state in ('failed', 'unknown');

alter function check_invariants() rename to invariants_of_money;

create function invariants_of_labels() returns table (rule text, subject text, detail text) language sql stable as $$
  -- I5 a new round begins only after the one before has given its money back
  select 'earlier-rounds-released', 'order ' || o.id, format('round %s, yet %s releases before it', o.round, count(t.id))
    from shipment_order o
    left join transfer t on t.kind = 'release' and t.order_id = o.id and t.round < o.round and t.cents = o.price_cents
    where o.round > 1
    group by o.id
    having count(t.id) <> o.round - 1
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
  -- I4 money of a label is its owner's and is entered under its bulk order
  select 'settlement-of-owner', 'transfer ' || t.id, format('%s of user %s, batch %s; the label is of user %s, batch %s', t.kind,
      t.owner_id, t.batch_id, o.user_id, o.batch_id)
    from transfer t
    left join shipment_order o on o.id = t.order_id
    where t.kind in ('capture', 'release', 'refund') and (o.id is null or t.owner_id <> o.user_id or t.batch_id is distinct from o.batch_id)
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
  -- I10 an ended bulk order has its files: the result, and the labels if there are any
  select 'batch-files', 'batch ' || b.id, format('labels %s in %s, result %s', g.good, coalesce(b.pdf_name, 'no file'),
      coalesce(b.result_name, 'missing'))
    from batch b
    join lateral (select count(*) as good from shipment_order where batch_id = b.id and state in ('purchased', 'voiding')) g on true
    where b.status in ('completed', 'completed_with_errors', 'failed') and not b.files_stale and b.work_lease_until is null
      and ((b.pdf_name is not null) <> (g.good > 0)
        or not exists (select 1 from label_file f where f.name = b.result_name and f.batch_id = b.id and f.user_id = b.user_id))
$$;

create function check_invariants() returns table (rule text, subject text, detail text) language sql stable as $$
  select * from invariants_of_money()
  union all
  select * from invariants_of_labels()
$$;
