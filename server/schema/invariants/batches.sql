-- A batch's cost is its first hold and the sum of its rows.
create or replace function invariant_batch_cost() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'batch-cost', 'batch ' || b.id, format('cost %s, first hold %s, rows %s', b.cost_cents, t.cents, o.cents)
    from batch b
    left join transfer t on t.owner_id = b.user_id and t.kind = 'hold' and t.key = 'hold:batch:' || b.id || ':1'
    left join (select batch_id, sum(price_cents) as cents, count(*) as labels from shipment_order
      group by batch_id) o on o.batch_id = b.id
    where b.status is not null and (b.cost_cents is distinct from t.cents or b.cost_cents is distinct from o.cents
      or b.total_count is distinct from o.labels)
$$;

-- What was held for a batch is captured, released, or held for its open labels.
create or replace function invariant_batch_holds() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'batch-holds', 'batch ' || b.id, format('held %s, settled %s, open %s', h.cents, s.cents, o.cents)
    from batch b
    left join (select batch_id, sum(cents) as cents from transfer where kind = 'hold' and batch_id is not null
      group by batch_id) h on h.batch_id = b.id
    left join (select batch_id, sum(cents) as cents from transfer where kind in ('capture', 'release') and batch_id is not null
      group by batch_id) s on s.batch_id = b.id
    left join (select batch_id, sum(price_cents) as cents from shipment_order
      where state in ('queued', 'purchasing', 'unknown') and batch_id is not null group by batch_id) o on o.batch_id = b.id
    where coalesce(h.cents, 0) <> coalesce(s.cents, 0) + coalesce(o.cents, 0)
$$;

-- An ended batch has its files: the result, and the labels when any can be printed. A label whose carrier has not made its
-- file, or has lost it, cannot be printed.
create or replace function invariant_batch_files() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'batch-files', 'batch ' || b.id, format('labels %s in %s, result %s', g.good, coalesce(b.pdf_name, 'no file'),
      coalesce(b.result_name, 'missing'))
    from batch b
    join lateral (
      select count(*) as good, count(*) filter (where p.order_id is null or (p.state = 'stored' and p.problem is null)) as printed
        from shipment_order o left join carrier_label_file p on p.order_id = o.id and p.format = 'pdf'
        where o.batch_id = b.id and o.state in ('purchased', 'voiding')) g on true
    where b.status in ('completed', 'completed_with_errors', 'failed') and not b.files_stale and b.work_lease_until is null
      and ((b.pdf_name is null and g.printed > 0) or (b.pdf_name is not null and g.good = 0)
        or not exists (select 1 from label_file f where f.name = b.result_name and f.batch_id = b.id and f.user_id = b.user_id))
$$;

-- The frozen counts of an ended batch are the counts of its rows.
create or replace function invariant_batch_counts() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'batch-counts', 'batch ' || b.id,
      format('processed %s, failed %s; rows %s, %s', b.processed_count, b.failed_count, o.done + o.failed, o.failed)
    from batch b
    join lateral (
      select count(*) filter (where state in ('purchased', 'voiding', 'voided')) as done,
             count(*) filter (where state in ('failed', 'unknown')) as failed,
             count(*) filter (where state in ('queued', 'purchasing')) as open
        from shipment_order where batch_id = b.id) o on true
    where b.status in ('completed', 'completed_with_errors', 'failed')
      and (b.failed_count <> o.failed or b.processed_count <> o.done + o.failed or o.open > 0)
$$;
