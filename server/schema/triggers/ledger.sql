-- Guarded accounts have a stored balance from their creation on, and their owner is in lists that are sorted by money.
create or replace function create_account_balance() returns trigger language plpgsql as $$
begin
  if new.guarded then insert into balance (account_id) values (new.id); end if;
  if new.kind = 'available' then insert into wallet_figure (owner_id) values (new.owner_id) on conflict do nothing; end if;
  return null;
end $$;
create or replace trigger create_account_balance after insert on account
  for each row execute function create_account_balance();

-- Checks the transfers of a statement against the rules, alike ones at once, and moves them into the stored balances. Lock order: accounts
-- by ascending id, so that two statements cannot wait for each other in a circle. The CHECK on balance refuses an overdraft. The outer joins
-- are the foreign keys of transfer: accounts and rules cannot be deleted, so it is enough that they exist now.
create or replace function apply_transfers_to_balances() returns trigger language plpgsql as $$
declare
  wrong record;
  moved record;
begin
  select t.kind, t.key into wrong
    from (select kind, debit_account_id, credit_account_id, owner_id, min(key) as key from added
            group by kind, debit_account_id, credit_account_id, owner_id) t
    left join transfer_rule r on r.kind = t.kind
    left join account d on d.id = t.debit_account_id
    left join account c on c.id = t.credit_account_id
    where r.kind is null or d.id is null or c.id is null
       or d.kind <> r.debit_kind or c.kind <> r.credit_kind
       or coalesce(d.owner_id, t.owner_id) <> t.owner_id or coalesce(c.owner_id, t.owner_id) <> t.owner_id
    limit 1;
  if found then
    raise exception 'transfer % of kind % does not fit its accounts', wrong.key, wrong.kind using errcode = 'check_violation';
  end if;
  for moved in
    select side.account_id, sum(side.debits) as debits, sum(side.credits) as credits,
           coalesce(sum(side.credits) filter (where side.kind = 'deposit'), 0)
             - coalesce(sum(side.debits) filter (where side.kind = 'reversal'), 0) as deposited,
           coalesce(sum(side.credits) filter (where side.kind = 'refund'), 0)
             + coalesce(sum(side.credits) filter (where side.kind = 'carrier_credit'), 0)
             - coalesce(sum(side.debits) filter (where side.kind = 'carrier_charge'), 0) as refunded,
           coalesce(sum(side.debits) filter (where side.kind = 'capture'), 0) as captured
      from (select kind, debit_account_id as account_id, cents as debits, 0::bigint as credits from added
            union all
            select kind, credit_account_id, 0, cents from added) side
      join account a on a.id = side.account_id and a.guarded
      group by side.account_id
      order by side.account_id
  loop
    update balance b
      set debits = b.debits + moved.debits, credits = b.credits + moved.credits, deposited = b.deposited + moved.deposited,
          refunded = b.refunded + moved.refunded, captured = b.captured + moved.captured
      where b.account_id = moved.account_id;
  end loop;
  return null;
end $$;
create or replace trigger apply_transfers_to_balances after insert on transfer
  referencing new table as added for each statement execute function apply_transfers_to_balances();
-- The foreign keys that the function above replaces. They are dropped here and not in a migration, which is committed earlier, so that an
-- upgrade beside running programs leaves no moment without either.
alter table transfer
  drop constraint if exists transfer_debit_account_id_fkey,
  drop constraint if exists transfer_credit_account_id_fkey,
  drop constraint if exists transfer_kind_fkey;

-- A stored balance changes inside the trigger of transfer and nowhere else.
create or replace function refuse_direct_balance_change() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'a balance changes by a transfer only' using errcode = 'restrict_violation';
  end if;
  return coalesce(new, old);
end $$;
create or replace trigger refuse_direct_balance_change before insert or update or delete on balance
  for each row execute function refuse_direct_balance_change();
-- The two functions that write balances run as their owner, with the schema of this database: the server's role may not write balances,
-- and no table of a session can stand in for ours.
do $$
declare
  written text;
begin
  foreach written in array array['create_account_balance()', 'apply_transfers_to_balances()'] loop
    execute format('alter function %s security definer set search_path = %I, pg_temp', written, current_schema());
    execute format('revoke execute on function %s from public', written);
  end loop;
end $$;
create or replace trigger balance_no_truncate before truncate on balance
  for each statement execute function refuse_change();

create or replace trigger transfer_immutable before update or delete on transfer
  for each row execute function refuse_change();
create or replace trigger transfer_no_truncate before truncate on transfer
  for each statement execute function refuse_change();
-- An account keeps its owner, and a kind of transfer keeps its accounts. A kind may be added.
create or replace trigger account_immutable before update or delete on account
  for each row execute function refuse_change();
create or replace trigger transfer_rule_immutable before update or delete on transfer_rule
  for each row execute function refuse_change();
create or replace trigger account_no_truncate before truncate on account
  for each statement execute function refuse_change();
create or replace trigger transfer_rule_no_truncate before truncate on transfer_rule
  for each statement execute function refuse_change();
