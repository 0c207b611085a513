-- A purchased label has exactly one capture, of its price and in its round, and no other label has one.
create or replace function invariant_capture_equals_label() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'capture-equals-label', 'order ' || coalesce(o.id, t.order_id),
      format('state %s, price %s, captured %s', o.state, o.price_cents, t.cents)
    from (select * from shipment_order where state in ('purchased', 'voiding', 'voided')) o
    full join (select * from transfer where kind = 'capture') t on t.order_id = o.id
    where o.id is null or t.id is null or t.cents <> o.price_cents or t.round <> o.round
$$;

-- A capture, a release and a refund belong to the owner of the label and to its batch.
create or replace function invariant_settlement_of_owner() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'settlement-of-owner', 'transfer ' || t.id,
      format('%s of user %s, batch %s; the label is of user %s, batch %s', t.kind,
      t.owner_id, t.batch_id, o.user_id, o.batch_id)
    from transfer t
    left join shipment_order o on o.id = t.order_id
    where t.kind in ('capture', 'release', 'refund') and (o.id is null or t.owner_id <> o.user_id
      or t.batch_id is distinct from o.batch_id)
$$;

-- The hold of a failed label's last round is released, once.
create or replace function invariant_release_equals_failed() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'release-equals-failed', 'order ' || o.id, format('round %s of a failed label was not released', o.round)
    from shipment_order o
    where o.state = 'failed'
      and not exists (select 1 from transfer t
        where t.kind = 'release' and t.order_id = o.id and t.round = o.round and t.cents = o.price_cents)
$$;

-- An open label's round is not settled.
create or replace function invariant_open_label_unsettled() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'open-label-unsettled', 'order ' || o.id, format('%s, yet round %s is settled', o.state, o.round)
    from shipment_order o
    where o.state in ('queued', 'purchasing', 'unknown')
      and exists (select 1 from transfer t where t.kind in ('capture', 'release') and t.order_id = o.id and t.round = o.round)
$$;

-- A label that a carrier has been asked for waits in its round, and its fence rises when the call ends.
create or replace function invariant_open_call_of_label() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'open-call-of-label', 'order ' || c.order_id,
      format('a call of round %s, fence %s is open; the label is %s in round %s, fence %s', c.round, c.fence, o.state, o.round, o.fence)
    from open_carrier_call c
    left join shipment_order o on o.id = c.order_id
    where o.id is null or o.state <> 'queued' or o.round <> c.round or o.fence >= c.fence
$$;

-- Every round before the current one was released.
create or replace function invariant_earlier_rounds_released() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'earlier-rounds-released', 'order ' || o.id,
      format('round %s, yet %s releases before it', o.round, count(t.id))
    from shipment_order o
    left join transfer t on t.kind = 'release' and t.order_id = o.id and t.round < o.round and t.cents = o.price_cents
    where o.round > 1
    group by o.id
    having count(t.id) <> o.round - 1
$$;

-- A single label has a hold of its own.
create or replace function invariant_label_hold() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'label-hold', 'order ' || o.id, format('nothing was held for round %s', o.round)
    from shipment_order o
    where o.batch_id is null
      and not exists (select 1 from transfer t where t.owner_id = o.user_id and t.key = 'hold:order:' || o.id || ':' || o.round
        and t.cents = o.price_cents)
$$;

-- A refund is of a voided label and of its whole price.
create or replace function invariant_refund_equals_label() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'refund-equals-label', 'order ' || t.order_id,
      format('refunded %s of %s, state %s', t.cents, o.price_cents, o.state)
    from transfer t join shipment_order o on o.id = t.order_id
    where t.kind = 'refund' and (t.cents <> o.price_cents or o.state <> 'voided')
$$;

-- A voided label is refunded.
create or replace function invariant_voided_refunded() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'voided-refunded', 'order ' || o.id, 'voided without a refund'
    from shipment_order o
    where o.state = 'voided' and not exists (select 1 from transfer t where t.kind = 'refund' and t.order_id = o.id)
$$;

-- A tracking number is on one label, unless a carrier gives it again long after. Accounts for tests may repeat numbers.
create or replace function invariant_label_once() returns table (rule text, subject text, detail text)
  language sql stable as $$
  -- Materialized, since is_of_test_account takes 13 µs.
  with repeated as materialized (
    select id, tracking_number, purchased_at, carrier_account from shipment_order where tracking_number in (
      select tracking_number from shipment_order where tracking_number is not null group by tracking_number having count(*) > 1)
  ), label as (
    select tracking_number, lag(id) over same_number as other,
        purchased_at - lag(purchased_at) over same_number < interval '100 days' as is_soon
      from repeated
      where not is_of_test_account(carrier_account)
      window same_number as (partition by tracking_number order by purchased_at, id)
  )
  select 'label-once', 'tracking ' || tracking_number, format('on %s labels', count(*) + 1)
    from label
    where other is not null and is_soon is not false
    group by tracking_number
$$;
