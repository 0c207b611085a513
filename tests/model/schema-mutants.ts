/**
 * The ledger's schema with one safeguard removed at a time, as statements. A model test that does
 * not fail on one of them would not notice its removal. Left out: safeguards implied by others (a
 * balance's debits and credits not below zero, two different accounts in a transfer), and the lock
 * order of balances.
 */

/** Drops the one constraint of a table whose definition has these words; an error when there is none or more than one. */
const withoutConstraint = (table: string, words: string): string => `do $$ declare it text; begin
  select conname into strict it from pg_constraint
    where conrelid = '${table}'::regclass and strpos(pg_get_constraintdef(oid), $words$${words}$words$) > 0;
  execute format('alter table ${table} drop constraint %I cascade', it);
end $$`

/** Rewrites a function; an error when it does not have these words. */
const withFunctionChanged = (
  name: string,
  words: string,
  others: string,
): string => `do $$ declare it text := pg_get_functiondef('${name}'::regproc);
begin
  if strpos(it, $words$${words}$words$) = 0 then raise exception '${name} has changed'; end if;
  execute replace(it, $words$${words}$words$, $words$${others}$words$);
end $$`

const withoutTrigger = (table: string, name: string): string => `drop trigger ${name} on ${table}`

const withoutInBalanceTrigger = (words: string, others: string): string =>
  withFunctionChanged('apply_transfers_to_balances', words, others)

export const MUTANTS: [without: string, statement: string][] = [
  ['one transfer for a key', withoutConstraint('transfer', 'UNIQUE (owner_id, key)')],
  ['one capture for a label', 'drop index transfer_one_capture'],
  ['one settlement for a round', 'drop index transfer_one_settlement'],
  ['one refund for a label', 'drop index transfer_one_refund'],
  [
    'a balance that covers what is spent',
    withoutConstraint('balance', 'CHECK ((credits >= debits))'),
  ],
  ['transfers that stay as they are', withoutTrigger('transfer', 'transfer_immutable')],
  ['a journal that cannot be emptied', withoutTrigger('transfer', 'transfer_no_truncate')],
  [
    'balances that move by transfers only',
    withoutTrigger('balance', 'refuse_direct_balance_change'),
  ],
  ['balances that cannot be emptied', withoutTrigger('balance', 'balance_no_truncate')],
  ['accounts that stay as they are', withoutTrigger('account', 'account_immutable')],
  ['rules that stay as they are', withoutTrigger('transfer_rule', 'transfer_rule_immutable')],
  [
    'payers who pay for themselves',
    withoutInBalanceTrigger('coalesce(d.owner_id, t.owner_id) <> t.owner_id', 'false'),
  ],
  [
    'receivers who are the owners',
    withoutInBalanceTrigger('coalesce(c.owner_id, t.owner_id) <> t.owner_id', 'false'),
  ],
  ['the right account to pay from', withoutInBalanceTrigger('d.kind <> r.debit_kind', 'false')],
  ['the right account to pay into', withoutInBalanceTrigger('c.kind <> r.credit_kind', 'false')],
  [
    'sums over all transfers of a step',
    withoutInBalanceTrigger('sum(side.debits)', 'max(side.debits)'),
  ],
  [
    'what comes in',
    withoutInBalanceTrigger('credits = b.credits + moved.credits', 'credits = b.credits'),
  ],
  ['a total of deposits', withoutInBalanceTrigger(`side.kind = 'deposit'`, 'false')],
  ['a total of refunds', withoutInBalanceTrigger(`side.kind = 'refund'`, 'false')],
  ['a total of captures', withoutInBalanceTrigger(`side.kind = 'capture'`, 'false')],
  ['balances that move', withoutTrigger('transfer', 'apply_transfers_to_balances')],
  ['balances of new wallets', withoutTrigger('account', 'create_account_balance')],
  ['amounts of nothing at least', withoutConstraint('transfer', 'CHECK ((cents >= 0))')],
  ['amounts that are something', withoutConstraint('transfer', 'CHECK (((cents > 0) OR')],
  ['corrections with a name', withoutConstraint('transfer', 'length(reason)')],
  ['corrections with a reason', withoutConstraint('transfer', 'reason IS NOT NULL')],
  ['settlements of a label in a round', withoutConstraint('transfer', 'round IS NOT NULL')],
  ['refunds for a label', withoutConstraint('transfer', `(kind <> 'refund'::text)`)],
  ['deposits of an invoice', withoutConstraint('transfer', `(kind <> 'deposit'::text)`)],
  [
    'deposits taken back of an invoice, by an actor',
    withoutConstraint('transfer', `(kind <> 'reversal'::text)`),
  ],
  ['kinds of transfers', withoutInBalanceTrigger('r.kind is null', 'false')],
  ['an account to pay from', withoutInBalanceTrigger('d.id is null', 'false')],
  ['an account to pay into', withoutInBalanceTrigger('c.id is null', 'false')],
  ['one account of a kind', withoutConstraint('account', 'UNIQUE')],
  ['owners of wallets', withoutConstraint('account', 'owner_id IS NOT NULL')],
  ['owners who exist', withoutConstraint('account', 'REFERENCES app_user')],
  ['kinds of accounts', withoutConstraint('account', `'adjustments'`)],
  [
    'a refund that goes to its customer',
    `alter table transfer_rule disable trigger user;
    update transfer_rule set credit_kind = 'held' where kind = 'refund'`,
  ],
]
