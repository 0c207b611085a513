-- An invoice was credited by the amount and in the number of transfers that it records.
create or replace function invariant_invoice_credit() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'invoice-credit', 'invoice ' || coalesce(i.id, t.invoice_id),
      format('credited %s in %s, transfers %s in %s', i.credited_cents, i.credit_count, t.cents, t.n)
    from (select * from invoice where credit_count > 0 or credited_cents > 0) i
    full join (select invoice_id, sum(cents) as cents, count(*) as n from transfer where kind = 'deposit' group by invoice_id) t
      on t.invoice_id = i.id
    where i.id is null or t.invoice_id is null or i.credited_cents <> t.cents or i.credit_count <> t.n
$$;

-- An invoice was reversed by the amount and in the number of transfers that it records, and never by more than its credit.
create or replace function invariant_invoice_reversal() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'invoice-reversal', 'invoice ' || coalesce(i.id, t.invoice_id),
      format('taken back %s of %s in %s, transfers %s in %s', i.reversed_cents,
      i.credited_cents, i.reversal_count, t.cents, t.n)
    from (select * from invoice where reversal_count > 0 or reversed_cents > 0) i
    full join (select invoice_id, sum(cents) as cents, count(*) as n from transfer where kind = 'reversal' group by invoice_id) t
      on t.invoice_id = i.id
    where i.id is null or t.invoice_id is null or i.reversed_cents <> t.cents or i.reversal_count <> t.n or i.reversed_cents > i.credited_cents
$$;

-- A deposit and a reversal belong to the owner of the invoice.
create or replace function invariant_invoice_of_owner() returns table (rule text, subject text, detail text)
  language sql stable as $$
  select 'invoice-of-owner', 'transfer ' || t.id,
      format('%s of user %s, the invoice is of user %s', t.kind, t.owner_id, i.user_id)
    from transfer t join invoice i on i.id = t.invoice_id
    where t.kind in ('deposit', 'reversal') and t.owner_id <> i.user_id
$$;
