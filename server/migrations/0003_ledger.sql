-- Double-entry ledger, amounts in cents. A user has two accounts: 'available' and 'held' (for open labels). These are guarded: they have
-- a stored balance that a CHECK keeps from falling below zero. The other accounts belong to the business and have no stored balance: one
-- row that every transfer updates would be six times slower.
create table account (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('available', 'held', 'cash', 'revenue', 'refunds', 'adjustments')),
  owner_id bigint constraint account_owner references app_user,
  guarded boolean generated always as (kind in ('available', 'held')) stored,
  constraint account_owned_by_kind check ((owner_id is not null) = (kind in ('available', 'held'))),
  unique nulls not distinct (owner_id, kind)
);

-- Written by the trigger apply_transfers_to_balances only (server/schema/triggers/ledger.sql).
create table balance (
  account_id bigint primary key references account,
  debits bigint not null default 0 check (debits >= 0),
  credits bigint not null default 0 check (credits >= 0),
  -- totals that users see: deposits less reversals and refunds into 'available', captures out of 'held'
  deposited bigint not null default 0,
  refunded bigint not null default 0,
  captured bigint not null default 0,
  constraint balance_covers_debits check (credits >= debits)
) with (fillfactor = 50);

-- The accounts that each kind of transfer joins, and whether its amount may be 0 (a service may cost 0).
create table transfer_rule (
  kind text primary key,
  debit_kind text not null,
  credit_kind text not null,
  may_be_zero boolean not null
);

-- A transfer moves cents from one account to another. Rows are never changed.
create table transfer (
  id bigint generated always as identity primary key,
  owner_id bigint not null,
  kind text not null references transfer_rule,
  debit_account_id bigint not null references account,
  credit_account_id bigint not null references account,
  cents bigint not null check (cents >= 0),
  -- idempotency key, such as 'capture:order:42:1'
  key text not null,
  order_id bigint,
  batch_id bigint,
  round int,
  invoice_id bigint,
  -- the administrator of an adjustment or a reversal
  actor_id bigint,
  reason text,
  created_at timestamptz not null default clock_timestamp(),
  constraint transfer_key unique (owner_id, key),
  constraint transfer_two_accounts check (debit_account_id <> credit_account_id),
  constraint transfer_zero_by_kind check (cents > 0 or kind in ('hold', 'release', 'capture', 'refund')),
  constraint settlement_of_round check (kind not in ('capture', 'release') or (order_id is not null and round is not null)),
  constraint refund_of_order check (kind <> 'refund' or order_id is not null),
  constraint deposit_of_invoice check (kind <> 'deposit' or invoice_id is not null),
  -- The balance never falls below zero, so an administrator reverses a deposit by hand, as far as there is money.
  constraint reversal_of_invoice
    check (kind <> 'reversal' or (invoice_id is not null and actor_id is not null and order_id is null)),
  constraint adjustment_has_actor
    check (kind not in ('adjust_up', 'adjust_down') or (actor_id is not null and length(reason) > 0)),
  -- A null reason makes the check above null, which is no violation.
  constraint adjustment_has_reason check (kind not in ('adjust_up', 'adjust_down') or reason is not null)
);
-- The sum of a user's spending over a fortnight is read from this index alone.
create index transfer_of_owner on transfer (owner_id, id) include (kind, cents, created_at);
-- A statement counts and sums movements without captures, which are most of a busy wallet's transfers, from this index alone.
create index transfer_movements on transfer (owner_id, id) include (kind, cents) where kind <> 'capture';
create unique index transfer_one_capture on transfer (order_id) where kind = 'capture';
create unique index transfer_one_settlement on transfer (order_id, round) where kind in ('capture', 'release');
create unique index transfer_one_refund on transfer (order_id) where kind = 'refund';

insert into transfer_rule (kind, debit_kind, credit_kind, may_be_zero) values
  ('deposit', 'cash', 'available', false),
  ('hold', 'available', 'held', true),
  ('release', 'held', 'available', true),
  ('capture', 'held', 'revenue', true),
  ('refund', 'refunds', 'available', true),
  ('adjust_up', 'adjustments', 'available', false),
  ('adjust_down', 'available', 'adjustments', false),
  ('reversal', 'available', 'cash', false);

insert into account (kind) values ('cash'), ('revenue'), ('refunds'), ('adjustments');
