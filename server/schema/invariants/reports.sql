-- The sums of reports are those of the transfers that they count. Only sums of users and services are compared, not of each quarter.
create or replace function invariant_report_sums() returns table (rule text, subject text, detail text)
  language sql stable as $$
  with journal as materialized (
    select t.owner_id as user_id, coalesce(o.service_uid, '') as service_uid, t.kind, count(*) as n, sum(t.cents) as cents,
        coalesce(sum(o.cost_cents), 0) as cost
      from transfer t left join shipment_order o on o.id = t.order_id
      where t.id <= (select last_transfer_id from report_progress)
      group by 1, 2, 3),
  moved as materialized (
    select user_id, service_uid,
        coalesce(sum(n) filter (where kind = 'capture'), 0) as labels, coalesce(sum(cents) filter (where kind in ('capture', 'carrier_charge')), 0) as charged,
        coalesce(sum(cost) filter (where kind = 'capture'), 0)
          + coalesce(sum(cents) filter (where kind = 'carrier_cost'), 0) as cost,
        coalesce(sum(n) filter (where kind = 'refund'), 0) as voided, coalesce(sum(cents) filter (where kind in ('refund', 'carrier_credit')), 0) as refunded,
        coalesce(sum(cost) filter (where kind = 'refund'), 0)
          + coalesce(sum(cents) filter (where kind = 'carrier_cost_back'), 0) as refunded_cost,
        coalesce(sum(cents) filter (where kind = 'deposit'), 0) as deposited,
        sum(case when kind in ('hold', 'adjust_down', 'reversal', 'carrier_charge') then -cents
            when kind in ('capture', 'carrier_cost', 'carrier_cost_back') then 0 else cents end) as available,
        sum(case when kind = 'hold' then cents when kind in ('capture', 'release') then -cents else 0 end) as held
      from journal group by 1, 2)
  select 'report-sums', 'user ' || coalesce(s.user_id, m.user_id), format('sums %s, journal %s', s.figures, m.figures)
    from (select user_id, array[sum(labels), sum(charged_cents), sum(cost_cents), sum(voided), sum(refunded_cents),
        sum(refunded_cost_cents), sum(deposited_cents), sum(available_cents), sum(held_cents)] as figures from user_sum group by 1) s
    full join (select user_id, array[sum(labels), sum(charged), sum(cost), sum(voided), sum(refunded), sum(refunded_cost),
        sum(deposited), sum(available), sum(held)] as figures from moved group by 1) m using (user_id)
    where s.figures is distinct from m.figures
  union all
  select 'report-sums', format('%s days of customer %s', grain.days, s.user_id), format('sums %s, journal %s', s.figures, s.expected)
    from (values (1), (16)) grain (days)
    cross join lateral (
      select coalesce(c.user_id, j.user_id) as user_id, c.figures, j.figures as expected
        from (select user_id, array[sum(labels), sum(charged_cents), sum(cost_cents), sum(voided), sum(refunded_cents),
            sum(refunded_cost_cents)] as figures from customer_sum where days = grain.days group by 1) c
        full join (select user_id, array[sum(labels), sum(charged), sum(cost), sum(voided), sum(refunded), sum(refunded_cost)] as figures
          from moved group by 1 having sum(labels) + sum(voided) > 0) j using (user_id)) s
    where s.figures is distinct from s.expected
  union all
  select 'report-sums', 'service ' || coalesce(s.service_uid, m.service_uid), format('sums %s, journal %s', s.figures, m.figures)
    from (select service_uid, array[sum(labels), sum(charged_cents), sum(cost_cents), sum(voided), sum(refunded_cents),
        sum(refunded_cost_cents)] as figures from trade_sum group by 1) s
    full join (select service_uid, array[sum(labels), sum(charged), sum(cost), sum(voided), sum(refunded), sum(refunded_cost)] as figures
      from moved group by 1 having sum(labels) + sum(voided) > 0) m using (service_uid)
    where s.figures is distinct from m.figures
  union all
  select 'report-sums', format('destinations of user %s', s.user_id), format('sums %s and %s, journal %s', s.quarters, s.days, s.expected)
    from (
      select coalesce(d.user_id, j.user_id) as user_id, d.quarters, d.days, j.labels as expected
        from (select user_id, sum(labels) filter (where days = 0) as quarters, sum(labels) filter (where days = 1) as days
          from destination_sum group by 1) d
        full join (select user_id, sum(labels) as labels from moved group by 1 having sum(labels) > 0) j using (user_id)) s
    where s.quarters is distinct from s.expected or s.days is distinct from s.expected
  union all
  select 'report-sums', 'failures', format('sums %s, journal %s', s.labels, m.labels)
    from (select coalesce(sum(labels), 0) as labels from failure_sum) s,
      (select coalesce(sum(n), 0) as labels from journal where kind = 'release') m
    where s.labels <> m.labels
  union all
  select 'report-sums', 'carrier accounts', format('sums %s, journal %s', s.figures, m.figures)
    from (select array[coalesce(sum(labels), 0), coalesce(sum(cost_cents), 0), coalesce(sum(refunded_cost_cents), 0)] as figures
        from carrier_account_sum) s,
      (select array[count(*) filter (where t.kind = 'capture'),
          coalesce(sum(case t.kind when 'capture' then coalesce(o.cost_cents, 0) when 'carrier_cost' then t.cents end), 0),
          coalesce(sum(case t.kind when 'refund' then coalesce(o.cost_cents, 0) when 'carrier_cost_back' then t.cents end), 0)] as figures
        from transfer t left join shipment_order o on o.id = t.order_id
        where t.id <= (select last_transfer_id from carrier_account_progress)
          and t.kind in ('capture', 'refund', 'carrier_cost', 'carrier_cost_back')) m
    where s.figures <> m.figures
$$;
