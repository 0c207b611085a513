-- A credit whose payment was taken back goes back by an operator's word, as far as there is money: the balance never falls below zero.
insert into transfer_rule values ('reversal', 'available', 'cash', false);
alter table transfer add constraint reversal_of_invoice
  check (kind <> 'reversal' or (invoice_id is not null and actor_id is not null and order_id is null));

alter table invoice
  -- what was taken back of what was credited, and in how many transfers
  add column reversed_cents bigint not null default 0,
  add column reversals int not null default 0,
  -- the state about which an operator has said his last word; another state is looked at anew
  add column reviewed_state text,
  add column settled_at timestamptz,
  drop constraint invoice_check,
  add constraint invoice_credit_is_paid check
    (credited_cents - reversed_cents <= greatest(paid_cents, confirmed_cents) or needs_review or reviewed_state is not null),
  add constraint invoice_reversal_is_credited check (reversed_cents between 0 and credited_cents);
update invoice set settled_at = coalesce(synced_at, created_at) where status = 'Settled';

-- Rewrites a part of a function as it stands; what another migration has changed in it stays.
create function pg_temp.rewrite(name regproc, words text, others text) returns void language plpgsql as $$
declare it text := pg_get_functiondef(name);
begin
  if strpos(it, words) = 0 then raise exception '% does not say: %', name, words; end if;
  execute replace(it, words, others);
end $$;

-- What a user has deposited in all is what stayed.
select pg_temp.rewrite('apply_transfers_to_balances',
  $w$coalesce(sum(side.credits) filter (where side.kind = 'deposit'), 0) as deposited$w$,
  $w$coalesce(sum(side.credits) filter (where side.kind = 'deposit'), 0)
             - coalesce(sum(side.debits) filter (where side.kind = 'reversal'), 0) as deposited$w$);
select pg_temp.rewrite('check_invariants',
  $w$coalesce(sum(t.cents) filter (where t.kind = 'deposit' and t.credit = a.id), 0) as deposited$w$,
  $w$coalesce(sum(t.cents) filter (where t.kind = 'deposit' and t.credit = a.id), 0)
               - coalesce(sum(t.cents) filter (where t.kind = 'reversal' and t.debit = a.id), 0) as deposited$w$);
select pg_temp.rewrite('check_invariants',
  $w$  -- I9 a refund is for a voided label$w$,
  $w$  -- I8 and what was taken back of it is what it says, and never more than it credited
  select 'invoice-reversal', 'invoice ' || coalesce(i.id, t.invoice_id), format('taken back %s of %s in %s, transfers %s in %s', i.reversed_cents,
      i.credited_cents, i.reversals, t.cents, t.n)
    from (select * from invoice where reversals > 0 or reversed_cents > 0) i
    full join (select invoice_id, sum(cents) as cents, count(*) as n from transfer where kind = 'reversal' group by invoice_id) t
      on t.invoice_id = i.id
    where i.id is null or t.invoice_id is null or i.reversed_cents <> t.cents or i.reversals <> t.n or i.reversed_cents > i.credited_cents
  union all
  -- I8 money of an invoice is its owner's
  select 'invoice-of-owner', 'transfer ' || t.id, format('%s of user %s, the invoice is of user %s', t.kind, t.owner_id, i.user_id)
    from transfer t join invoice i on i.id = t.invoice_id
    where t.kind in ('deposit', 'reversal') and t.owner_id <> i.user_id
  union all
  -- I9 a refund is for a voided label$w$);

-- Messages of the payment service. Kept before they are answered, followed after; `retry_at`: when somebody else takes one up.
alter table webhook_inbox
  add column invoice_ref text not null default '',
  add column order_ref uuid,
  add column tries int not null default 0,
  add column retry_at timestamptz not null default now();
create index webhook_pending on webhook_inbox (retry_at) where handled_at is null;
create index webhook_received on webhook_inbox (received_at);

drop function pg_temp.rewrite(regproc, text, text);
