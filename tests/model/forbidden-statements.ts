/**
 * Statements that create or lose money and that no correct program sends: the database must refuse
 * each. `$me` and `$other` are customers, `$label` is a label and an invoice without an owner,
 * `$missing` an id without a row. The statements of one attempt are one transaction: the first ones
 * prepare what the last one abuses.
 */
type TransferColumns = {
  owner?: string
  cents?: number
  key?: string
  order?: string
  round?: string
  invoice?: string
  actor?: string
  reason?: string
}

const account = (kind: string, owner?: string): string =>
  `(select id from account where kind = '${kind}' and owner_id ${owner ? `= ${owner}` : 'is null'})`

/** A transfer of any kind between any accounts. */
const transfer = (
  kind: string,
  debit: string,
  credit: string,
  raw: TransferColumns = {},
): string => {
  const {
    owner = '$me',
    cents = 1,
    key = 'gen_random_uuid()::text',
    order = '$label',
    round = '1',
    invoice = '$label',
  } = raw
  return `insert into transfer
      (owner_id, kind, debit_account_id, credit_account_id, cents, key, order_id, round, invoice_id, actor_id, reason)
    values (${owner}, '${kind}', ${debit}, ${credit}, ${cents}, ${key}, ${order}, ${round}, ${invoice}, ${raw.actor ?? '$me'},
      ${raw.reason ?? `'as agreed'`})`
}

const mine = account('available', '$me')
const held = account('held', '$me')
const theirs = account('available', '$other')
const cash = account('cash')
const revenue = account('revenue')
const refunds = account('refunds')
const adjustments = account('adjustments')

/** Five cents to play with, and five that are held. */
const paid = transfer('deposit', cash, mine, { cents: 5 })
const paidAndHeld = [
  transfer('deposit', cash, mine, { cents: 10 }),
  transfer('hold', mine, held, { cents: 5 }),
]

const forbidden = (name: string, ...statements: string[]): [name: string, statement: string] => [
  name,
  statements.join(';\n'),
]

export const FORBIDDEN_STATEMENTS: [name: string, statement: string][] = [
  forbidden(
    'a transfer is changed',
    paid,
    'update transfer set cents = cents + 1 where owner_id = $me',
  ),
  forbidden('a transfer is deleted', paid, 'delete from transfer where owner_id = $me'),
  forbidden('the journal is emptied', 'truncate transfer'),
  forbidden(
    'a balance is written by hand',
    `update balance set credits = credits + 1 where account_id = ${mine}`,
  ),
  forbidden('a balance is deleted', `delete from balance where account_id = ${mine}`),
  forbidden('all balances are emptied', 'truncate balance'),
  forbidden('all accounts are closed', 'truncate account cascade'),
  forbidden('all kinds of transfers are forgotten', 'truncate transfer_rule cascade'),
  forbidden(
    'more is spent than there is',
    paid,
    transfer('hold', mine, held, { cents: 1_000_000 }),
  ),
  forbidden(
    'more is captured than is held',
    ...paidAndHeld,
    transfer('capture', held, revenue, { cents: 1_000_000 }),
  ),
  forbidden('a hold pays another user', paid, transfer('hold', mine, account('held', '$other'))),
  forbidden(
    'a hold spends another user’s money',
    paid,
    transfer('hold', mine, account('held', '$other'), { owner: '$other' }),
  ),
  forbidden('a deposit goes to another user', transfer('deposit', cash, theirs)),
  forbidden('a deposit is paid by no cash', transfer('deposit', refunds, mine)),
  forbidden('a capture comes back to its payer', ...paidAndHeld, transfer('capture', held, mine)),
  forbidden('a gift', transfer('gift', cash, mine)),
  forbidden(
    'a deposit out of an account that does not exist',
    transfer('deposit', '$missing', mine),
  ),
  forbidden(
    'a capture into an account that does not exist',
    ...paidAndHeld,
    transfer('capture', held, '$missing'),
  ),
  forbidden(
    'a hold of less than nothing',
    ...paidAndHeld,
    transfer('hold', mine, held, { cents: -1 }),
  ),
  forbidden('a deposit of nothing', transfer('deposit', cash, mine, { cents: 0 })),
  forbidden('a correction by nothing', transfer('adjust_up', adjustments, mine, { cents: 0 })),
  forbidden(
    'a correction without an actor',
    transfer('adjust_up', adjustments, mine, { actor: 'null' }),
  ),
  forbidden(
    'a correction without a reason',
    transfer('adjust_up', adjustments, mine, { reason: `''` }),
  ),
  forbidden(
    'a correction that does not say why',
    paid,
    transfer('adjust_down', mine, adjustments, { reason: 'null' }),
  ),
  forbidden(
    'a capture of no label',
    ...paidAndHeld,
    transfer('capture', held, revenue, { order: 'null' }),
  ),
  forbidden(
    'a release of no round',
    ...paidAndHeld,
    transfer('release', held, mine, { round: 'null' }),
  ),
  forbidden('a refund for no label', transfer('refund', refunds, mine, { order: 'null' })),
  forbidden('a deposit of no invoice', transfer('deposit', cash, mine, { invoice: 'null' })),
  forbidden(
    'a deposit taken back of no invoice',
    paid,
    transfer('reversal', mine, cash, { order: 'null', invoice: 'null' }),
  ),
  forbidden(
    'a deposit reversed without an actor',
    paid,
    transfer('reversal', mine, cash, { order: 'null', actor: 'null' }),
  ),
  forbidden(
    'one key for two deposits',
    transfer('deposit', cash, mine, { key: `'twice'` }),
    transfer('deposit', cash, mine, { key: `'twice'` }),
  ),
  forbidden(
    'a label captured in two rounds',
    ...paidAndHeld,
    transfer('capture', held, revenue),
    transfer('capture', held, revenue, { round: '2' }),
  ),
  forbidden(
    'a label captured and released',
    ...paidAndHeld,
    transfer('capture', held, revenue),
    transfer('release', held, mine),
  ),
  forbidden(
    'a label refunded to two customers',
    transfer('refund', refunds, mine),
    transfer('refund', refunds, theirs, { owner: '$other' }),
  ),
  forbidden('a second wallet', `insert into account (kind, owner_id) values ('available', $me)`),
  forbidden('a second cash box', `insert into account (kind) values ('cash')`),
  forbidden(
    'a wallet without an owner',
    `insert into account (kind, owner_id) values ('held', $missing)`,
  ),
  forbidden('a wallet without an owner', `insert into account (kind) values ('available')`),
  forbidden('a cash box of one’s own', `insert into account (kind, owner_id) values ('cash', $me)`),
  forbidden('an account of a kind of one’s own', `insert into account (kind) values ('bonus')`),
  forbidden(
    'a wallet changes its owner',
    `insert into app_user (name, email, email_key, password_hash, referral_code)
    select 'thief', 'thief', 'thief', '-', 'thief'`,
    `update account set owner_id = (select id from app_user where name = 'thief')
    where owner_id = $me`,
  ),
  forbidden('an account is deleted', `delete from account where kind = 'adjustments'`),
  forbidden(
    'a kind of transfer takes another way',
    `update transfer_rule set credit_kind = 'held' where kind = 'deposit'`,
  ),
  forbidden(
    'a kind of transfer is forgotten',
    `delete from transfer_rule where kind = 'adjust_down'`,
  ),
]
