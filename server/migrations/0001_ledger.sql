-- The house's own notes: mode (sandbox or live), instance name.
create table app_setting (
  key text primary key,
  value text not null,
  created_at timestamptz not null default now()
);

-- Counters of attempts per key (sign-in tries per address, and so on); in the database so that they survive a restart.
create table throttle (
  key text primary key,
  hits int not null,
  resets_at timestamptz not null
);
create index throttle_resets on throttle (resets_at);

-- Ledger. A transfer moves a positive number of cents from one account to another; it is never changed. Guarded accounts
-- (what a user has available, what is held for labels under way) keep a stored balance that a CHECK keeps from falling below
-- zero. House accounts keep none: one row that everybody updates would be six times slower.
create table account (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('available', 'held', 'cash', 'revenue', 'refunds', 'adjustments')),
  owner_id bigint,
  guarded boolean generated always as (kind in ('available', 'held')) stored,
  check ((owner_id is not null) = (kind in ('available', 'held'))),
  unique nulls not distinct (owner_id, kind)
);

create table balance (
  account_id bigint primary key references account,
  debits bigint not null default 0 check (debits >= 0),
  credits bigint not null default 0 check (credits >= 0),
  -- totals for a user's pages, kept by the same trigger: deposits and refunds into 'available', captures out of 'held'
  deposited bigint not null default 0,
  refunded bigint not null default 0,
  captured bigint not null default 0,
  constraint balance_covers_debits check (credits >= debits)
) with (fillfactor = 50);

-- Which accounts a kind of transfer may join, and whether it may be for nothing (a service may cost 0).
create table transfer_rule (
  kind text primary key,
  debit_kind text not null,
  credit_kind text not null,
  may_be_zero boolean not null
);
insert into transfer_rule values
  ('deposit', 'cash', 'available', false),
  ('hold', 'available', 'held', true),
  ('release', 'held', 'available', true),
  ('capture', 'held', 'revenue', true),
  ('refund', 'refunds', 'available', true),
  ('adjust_up', 'adjustments', 'available', false),
  ('adjust_down', 'available', 'adjustments', false);

create table transfer (
  id bigint generated always as identity primary key,
  owner_id bigint not null,
  kind text not null references transfer_rule,
  debit bigint not null references account,
  credit bigint not null references account,
  cents bigint not null check (cents >= 0),
  key text not null,
  order_id bigint,
  batch_id bigint,
  round int,
  invoice_id bigint,
  actor_id bigint,
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  check (debit <> credit),
  check (cents > 0 or kind in ('hold', 'release', 'capture', 'refund')),
  check (kind not in ('adjust_up', 'adjust_down') or (actor_id is not null and length(reason) > 0)),
  check (kind not in ('capture', 'release') or (order_id is not null and round is not null)),
  check (kind <> 'refund' or order_id is not null),
  check (kind <> 'deposit' or invoice_id is not null),
  constraint transfer_key unique (owner_id, key)
);
create index transfer_of_owner on transfer (owner_id, id);
-- A statement counts and sums movements: without the captures, which are most of a busy wallet's transfers, and from the index alone.
create index transfer_movements on transfer (owner_id, id) include (kind, cents) where kind <> 'capture';
create unique index transfer_one_capture on transfer (order_id) where kind = 'capture';
create unique index transfer_one_settlement on transfer (order_id, round) where kind in ('capture', 'release');
create unique index transfer_one_refund on transfer (order_id) where kind = 'refund';

insert into account (kind) values ('cash'), ('revenue'), ('refunds'), ('adjustments');

create function create_account_balance() returns trigger language plpgsql as $$
begin
  if new.guarded then insert into balance (account_id) values (new.id); end if;
  return null;
end $$;
create trigger create_account_balance after insert on account for each row execute function create_account_balance();

-- Every statement's transfers are checked against the rules and then moved into the guarded balances, in the order of the
-- accounts, so that two statements cannot wait for each other in a circle. The CHECK on balance does the refusing.
create function apply_transfers_to_balances() returns trigger language plpgsql as $$
declare
  wrong record;
  moved record;
begin
  select t.kind, t.key into wrong
    from added t
    join transfer_rule r on r.kind = t.kind
    join account d on d.id = t.debit
    join account c on c.id = t.credit
    where d.kind <> r.debit_kind or c.kind <> r.credit_kind
       or coalesce(d.owner_id, t.owner_id) <> t.owner_id or coalesce(c.owner_id, t.owner_id) <> t.owner_id
    limit 1;
  if found then
    raise exception 'transfer % of kind % does not fit its accounts', wrong.key, wrong.kind using errcode = 'check_violation';
  end if;
  for moved in
    select side.account_id, sum(side.debits) as debits, sum(side.credits) as credits,
           coalesce(sum(side.credits) filter (where side.kind = 'deposit'), 0) as deposited,
           coalesce(sum(side.credits) filter (where side.kind = 'refund'), 0) as refunded,
           coalesce(sum(side.debits) filter (where side.kind = 'capture'), 0) as captured
      from (select kind, debit as account_id, cents as debits, 0::bigint as credits from added
            union all
            select kind, credit, 0, cents from added) side
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
create trigger apply_transfers_to_balances after insert on transfer
  referencing new table as added for each statement execute function apply_transfers_to_balances();

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed; record a correction instead', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger transfer_immutable before update or delete on transfer for each row execute function refuse_change();
create trigger transfer_no_truncate before truncate on transfer for each statement execute function refuse_change();

-- Nobody writes a stored balance by hand: it moves inside the trigger of transfer and nowhere else.
create function refuse_direct_balance_change() returns trigger language plpgsql as $$
begin
  if pg_trigger_depth() < 2 then
    raise exception 'a balance changes by a transfer only' using errcode = 'restrict_violation';
  end if;
  return coalesce(new, old);
end $$;
create trigger refuse_direct_balance_change before insert or update or delete on balance
  for each row execute function refuse_direct_balance_change();
