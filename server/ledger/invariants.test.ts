/**
 * Each invariant of the books is violated once, past the triggers, and must be reported.
 */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { openWallet, findViolations } from './service.ts'

const database = await testDatabase()

/**
 * Rules that are broken by `statements`, in a database where nothing else is wrong. The
 * transaction is rolled back.
 */
async function brokenBy(...statements: string[]): Promise<string[]> {
  let rules: string[] = []
  const undo = new Error('undo')
  await database.owner
    .tx(async tx => {
      const { id } = await tx
        .insertInto('app_user')
        .values({
          name: 'Ana',
          email: 'ana@example.test',
          email_key: 'ana@example.test',
          password_hash: '-',
          referral_code: 'ANA',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await openWallet(tx, id)
      await sql`set local session_replication_role = replica`.execute(tx) // no triggers
      for (const statement of statements)
        await sql.raw(statement.replaceAll('$ana', String(id))).execute(tx)
      rules = (await findViolations(tx)).map(found => found.rule)
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return [...new Set(rules)].toSorted()
}

const label = (columns: string, values: string) => `insert into shipment_order
  (id, user_id, service_uid, service_name, price_cents, sender, receiver, package, ${columns}) overriding system value
  values (1, $ana, 'x', 'X', 650, '{}', '{}', '{}', ${values})`
const voided = label(
  'state, tracking_number, void_requested_at, voided_at',
  `'voided', '9400', now(), now()`,
)
const transfer = (kind: string, cents: number, more = '', values = '') => `insert into transfer
  (owner_id, kind, debit_account_id, credit_account_id, cents, key${more}) select $ana, '${kind}',
    (select id from account where kind = r.debit_kind and coalesce(owner_id, $ana) = $ana),
    (select id from account where kind = r.credit_kind and coalesce(owner_id, $ana) = $ana), ${cents}, gen_random_uuid()::text${values}
  from transfer_rule r where r.kind = '${kind}'`
const batch = (status: string, more = '', values = '') => `insert into batch
  (id, user_id, status, accepted_at${more}) overriding system value
  values (1, $ana, '${status}', now()${values})`

test('empty books violate no invariant', async () => {
  expect(await brokenBy()).toEqual([])
})

test('a tracking number that the carrier gives again after months is on one label each time', async () => {
  const labelsOf = (...days: number[]) =>
    days.map((before, at) =>
      label(
        'state, tracking_number, purchased_at',
        `'purchased', '9400', now() - interval '${before} days'`,
      ).replace('(1,', `(${at + 1},`),
    )
  expect(await brokenBy(...labelsOf(250, 120, 0))).not.toContain('label-once')
  expect(await brokenBy(...labelsOf(250, 120, 21))).toContain('label-once')
})

const VIOLATIONS: [wrong: string, rule: string, statements: string[]][] = [
  ['a balance without transfers', 'balance-equals-journal', ['update balance set credits = 500']],
  ['a total without transfers', 'totals-equal-journal', ['update balance set deposited = 500']],
  [
    'a bought label without a capture',
    'capture-equals-label',
    [label('state, tracking_number', `'purchased', '9400'`)],
  ],
  [
    'a capture without a label',
    'capture-equals-label',
    [transfer('capture', 650, ', order_id, round', ', 1, 1')],
  ],
  ['a failed label without a release', 'release-equals-failed', [label('state', `'failed'`)]],
  [
    'a second round over the first one’s money',
    'earlier-rounds-released',
    [label('state, round', `'queued', 2`)],
  ],
  [
    'an open label whose hold was released',
    'open-label-unsettled',
    [label('state', `'queued'`), transfer('release', 650, ', order_id, round', ', 1, 1')],
  ],
  [
    'a call of another round of the label',
    'open-call-of-label',
    [
      label('state', `'queued'`),
      `insert into open_carrier_call (order_id, round, attempt, fence, account, lease_until) values (1, 2, 1, 1, 'sandbox', now())`,
    ],
  ],
  ['a label in progress without a hold', 'held-equals-open-labels', [label('state', `'queued'`)]],
  ['a single label without a hold of its own', 'label-hold', [label('state', `'queued'`)]],
  [
    'a bulk order that holds too much',
    'batch-holds',
    [batch('processing'), transfer('hold', 900, ', batch_id', ', 1')],
  ],
  [
    'a bulk order with costs beyond its holds',
    'batch-cost',
    [batch('processing', ', cost_cents', ', 900')],
  ],
  [
    'a bulk order that counts wrongly',
    'batch-counts',
    [batch('completed', ', processed_count', ', 7')],
  ],
  ['an ended bulk order without files', 'batch-files', [batch('completed')]],
  [
    'money released under the wrong bulk order',
    'settlement-of-owner',
    [
      batch('processing'),
      label('state', `'failed'`),
      transfer('release', 650, ', order_id, round, batch_id', ', 1, 1, 1'),
    ],
  ],
  ['a voided label without a refund', 'voided-refunded', [voided]],
  [
    'a refund of less than the label cost',
    'refund-equals-label',
    [voided, transfer('refund', 649, ', order_id', ', 1')],
  ],
  [
    'a refund for a label that is still valid',
    'refund-equals-label',
    [
      label('state, tracking_number', `'purchased', '9400'`),
      transfer('refund', 650, ', order_id', ', 1'),
    ],
  ],
  [
    'one tracking number on two labels',
    'label-once',
    [
      label('state, tracking_number', `'purchased', '9400'`),
      label('state, tracking_number', `'purchased', '9400'`).replace('(1,', '(2,'),
    ],
  ],
  ['a deposit of no invoice', 'invoice-credit', [transfer('deposit', 500, ', invoice_id', ', 1')]],
  [
    'a reversal of no invoice',
    'invoice-reversal',
    [transfer('reversal', 500, ', invoice_id, actor_id', ', 1, $ana')],
  ],
  [
    'a deposit of another user’s invoice',
    'invoice-of-owner',
    [
      `insert into invoice (id, user_id, provider, expires_at) overriding system value
        values (1, $ana + 1, 'sandbox', now())`,
      transfer('deposit', 500, ', invoice_id', ', 1'),
    ],
  ],
  [
    'a carrier adjustment that no charge explains',
    'owed-charge-collected',
    [transfer('carrier_charge', 500, ', order_id', ', 1')],
  ],
  [
    'a stored count of movements that do not exist',
    'movement-count',
    [
      `insert into movement_count (owner_id, last_transfer_id, counts) values ($ana, 0, '{"hold": 1}')`,
    ],
  ],
  [
    'a figure to sort users by that their balance does not have',
    'wallet-figure',
    [
      'insert into wallet_figure_progress (last_transfer_id) values (0)',
      'update wallet_figure set deposited_cents = 1 where owner_id = $ana',
    ],
  ],
  [
    'a report that counts a label which was not bought',
    'report-sums',
    [
      `insert into report_progress (last_transfer_id) values (0)`,
      `insert into destination_sum (user_id, days, period_start, state, labels) values ($ana, 1, now(), 'CA', 1)`,
    ],
  ],
]
test.each(VIOLATIONS)('%s is reported (%s)', async (_, rule, statements) => {
  expect(await brokenBy(...statements)).toContain(rule)
})

test('check_invariants() runs every rule of the books, and every rule is broken above', async () => {
  const { rows } = await database.pool.query<{ rule: string; runs: boolean }>(
    `select replace(replace(p.proname, 'invariant_', ''), '_', '-') as rule, strpos(c.prosrc, p.proname || '()') > 0 as runs
      from pg_proc p, pg_proc c where starts_with(p.proname, 'invariant_') and c.proname = 'check_invariants' order by 1`,
  )
  expect(rows.filter(({ runs }) => !runs)).toEqual([])
  // The constraints of the tables refuse what these two check.
  const refused = ['adjustment-explained', 'balance-not-negative']
  const broken = VIOLATIONS.map(([, rule]) => rule)
  expect(rows.map(({ rule }) => rule)).toEqual([...new Set([...broken, ...refused])].toSorted())
})
