-- A stored balance is the sum of its transfers.
create or replace function invariant_balance_equals_journal() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'balance-equals-journal', 'account ' || a.id,
      format('stored %s/%s, journal %s/%s', b.debits, b.credits, coalesce(j.debits, 0), coalesce(j.credits, 0))
    from balance b
    join account a on a.id = b.account_id
    left join (
      select owner_id, account_id, sum(debits) as debits, sum(credits) as credits
        from (select owner_id, debit_account_id as account_id, cents as debits, 0 as credits from transfer
          union all select owner_id, credit_account_id, 0, cents from transfer) sides
        group by 1, 2) j on j.owner_id = a.owner_id and j.account_id = a.id
    where b.debits <> coalesce(j.debits, 0) or b.credits <> coalesce(j.credits, 0)
$$;

-- The totals that users see are the sums of their transfers.
create or replace function invariant_totals_equal_journal() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'totals-equal-journal', 'account ' || a.id,
      format('stored %s/%s/%s, journal %s/%s/%s', b.deposited, b.refunded, b.captured,
      coalesce(j.deposited, 0), coalesce(j.refunded, 0), coalesce(j.captured, 0))
    from balance b
    join account a on a.id = b.account_id
    left join (
      select owner_id, account_id, sum(deposited) as deposited, sum(refunded) as refunded, sum(captured) as captured
        from (
          select owner_id, credit_account_id as account_id, case kind when 'deposit' then cents else 0 end as deposited,
              case when kind in ('refund', 'carrier_credit') then cents else 0 end as refunded, 0 as captured
            from transfer where kind in ('deposit', 'refund', 'carrier_credit')
          union all
          select owner_id, debit_account_id, case kind when 'reversal' then -cents else 0 end,
              case kind when 'carrier_charge' then -cents else 0 end, case kind when 'capture' then cents else 0 end
            from transfer where kind in ('reversal', 'carrier_charge', 'capture')) sides
        group by 1, 2) j on j.owner_id = a.owner_id and j.account_id = a.id
    where b.deposited <> coalesce(j.deposited, 0) or b.refunded <> coalesce(j.refunded, 0) or b.captured <> coalesce(j.captured, 0)
$$;

-- No balance is below zero.
create or replace function invariant_balance_not_negative() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'balance-not-negative', 'account ' || account_id,
      format('%s', credits - debits) from balance where credits < debits
$$;

-- A user's held balance is the price of their open labels.
create or replace function invariant_held_equals_open_labels() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'held-equals-open-labels', 'user ' || a.owner_id,
      format('held %s, open labels %s', b.credits - b.debits, coalesce(o.cents, 0))
    from account a
    join balance b on b.account_id = a.id
    left join (select user_id, sum(price_cents) as cents from shipment_order
      where state in ('queued', 'purchasing', 'unknown') group by user_id) o on o.user_id = a.owner_id
    where a.kind = 'held' and b.credits - b.debits <> coalesce(o.cents, 0)
$$;

-- What an owed charge collected and gave back is the sum of its transfers.
create or replace function invariant_owed_charge_collected() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'owed-charge-collected', 'charge of ' || coalesce(c.subject, j.subject),
      format('collected %s, returned %s; journal %s, %s', c.collected_cents, c.returned_cents, j.collected, j.returned)
    from owed_charge c
    full join (
      select owner_id, case kind when 'carrier_charge' then regexp_replace(key, '^collect:(.*):[0-9]+$', '\1') else substr(key, 8) end as subject,
          coalesce(sum(cents) filter (where kind = 'carrier_charge'), 0) as collected,
          coalesce(sum(cents) filter (where kind = 'carrier_credit'), 0) as returned
        from transfer where kind = 'carrier_charge' or (kind = 'carrier_credit' and starts_with(key, 'return:'))
        group by 1, 2) j on j.owner_id = c.owner_id and j.subject = c.subject
    where coalesce(c.collected_cents, 0) <> coalesce(j.collected, 0) or coalesce(c.returned_cents, 0) <> coalesce(j.returned, 0)
$$;

-- Every adjustment has an administrator and a reason.
create or replace function invariant_adjustment_explained() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'adjustment-explained', 'transfer ' || id, 'no actor or no reason' from transfer
    where kind in ('adjust_up', 'adjust_down') and (actor_id is null or coalesce(reason, '') = '')
$$;

-- The stored count of a user's movements is that of their transfers.
create or replace function invariant_movement_count() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'movement-count', 'user ' || c.owner_id, format('stored %s, journal %s', c.counts, coalesce(j.counts, '{}'))
    from movement_count c
    left join lateral (
      select jsonb_object_agg(kind, n) as counts from (
        select kind, count(*) as n from transfer t
          where t.owner_id = c.owner_id and t.kind <> 'capture' and t.id <= c.last_transfer_id group by kind) kinds) j on true
    where c.counts <> coalesce(j.counts, '{}')
$$;

-- What lists of users are sorted by is what the balances say, except for users with transfers that are not copied yet. Without a progress
-- nothing is read from it.
create or replace function invariant_wallet_figure() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'wallet-figure', 'user ' || a.owner_id,
      format('stored %s, balances (%s,%s,%s)', f, av.credits - av.debits, av.deposited, hb.captured - av.refunded)
    from wallet_figure_progress p
    cross join account a
    join balance av on av.account_id = a.id
    join account h on h.owner_id = a.owner_id and h.kind = 'held'
    join balance hb on hb.account_id = h.id
    left join wallet_figure f on f.owner_id = a.owner_id
    where a.kind = 'available'
      and (f.available_cents, f.deposited_cents, f.spent_cents)
        is distinct from (av.credits - av.debits, av.deposited, hb.captured - av.refunded)
      and (f.owner_id is null or not exists (
        select from transfer t where t.owner_id = a.owner_id and t.id > p.last_transfer_id))
$$;
