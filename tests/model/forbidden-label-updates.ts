import { expect } from 'vitest'
import type { TestDatabase } from '#tests/support/database.ts'
import { isLabelStep } from './batch-invariants.ts'

/** Updates that the database must refuse for a label in any state. */
const FORBIDDEN_UPDATES: [name: string, statement: string][] = [
  ['has another price', 'update shipment_order set price_cents = price_cents - 1 where id = $1'],
  [
    'has another owner',
    'update shipment_order set user_id = (select max(id) from app_user where id <> user_id) where id = $1',
  ],
  ['begins a round by itself', 'update shipment_order set round = round + 1 where id = $1'],
  ['goes back a fence', 'update shipment_order set fence = fence - 1 where id = $1'],
  ['is deleted', 'delete from shipment_order where id = $1'],
  [
    'is bought without a number',
    `update shipment_order set state = 'purchased', tracking_number = null where id = $1`,
  ],
  // A label without a batch has no row: for one of those this fails for want of a batch.
  [
    'takes another’s row',
    `insert into shipment_order
      (user_id, batch_id, row_no, service_uid, service_name, price_cents, sender, receiver, package)
    select user_id, coalesce(batch_id, -1), coalesce(row_no, 1), service_uid, service_name, price_cents, sender, receiver, package
      from shipment_order where id = $1`,
  ],
]

/** The database refuses each of them, also to the owner of the tables, and each state that does not follow the label's state. */
export async function expectUpdatesRefused(
  { owner }: TestDatabase,
  label: { id: number; state: string },
): Promise<void> {
  const refused = async (text: string, values: unknown[], what: string): Promise<void> => {
    const isWritten = await owner.pool.query(text, values).then(
      () => true,
      () => false,
    )
    expect(isWritten, `a ${label.state} label ${what}`).toBe(false)
  }
  for (const [what, statement] of FORBIDDEN_UPDATES) await refused(statement, [label.id], what)
  for (const to of ['queued', 'purchasing', 'unknown', 'failed']) {
    if (label.state === to || isLabelStep(label.state, to)) continue
    // Columns that only a purchased label has are cleared, so that only its state refuses the step.
    await refused(
      `update shipment_order set state = $2, tracking_number = null, voided_at = null, round = round + ($3 = 'failed')::int
      where id = $1`,
      [label.id, to, label.state],
      `becomes ${to}`,
    )
  }
}
