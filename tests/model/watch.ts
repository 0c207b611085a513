/** What must hold after every step of the game of batches, whatever happened in it (architecture, 4 and 5). */
import { expect } from 'vitest'
import type { BatchStatus } from '#contract/progress.ts'
import { progressOf } from '#server/batches/service.ts'
import { violations } from '#server/ledger/service.ts'
import type { Place } from './workplace.ts'

/** The steps of a label's life. */
const LIFE = new Set([
  'nothing → queued', 'queued → purchasing',
  'purchasing → purchased', 'purchasing → queued', 'purchasing → failed', 'purchasing → unknown',
  'unknown → purchased', 'unknown → failed', 'unknown → queued', 'failed → queued',
  'purchased → voiding', 'voiding → voided', 'voiding → purchased',
])
export const isStepOfLife = (before: string, after: string): boolean => LIFE.has(`${before} → ${after}`)

/** The steps of a batch. What is known late changes how a closed one has ended; one with all its labels stays completed. */
const PATH = new Set([
  'nothing → processing', 'processing → generating_files', 'retrying_failed → generating_files',
  'generating_files → completed', 'generating_files → completed_with_errors', 'generating_files → failed',
  'completed_with_errors → retrying_failed',
  'completed_with_errors → completed', 'completed_with_errors → failed', 'failed → completed', 'failed → completed_with_errors',
])

/** What was seen of a batch at the last look. */
type Sight = { status: BatchStatus, processed: number, failed: number }
export type Seen = { life: number, path: number, batches: Map<number, Sight> }

export const nothingSeen = (): Seen => ({ life: 0, path: 0, batches: new Map() })

/** Looks at everything. Throws what is wrong. */
export async function watch(place: Place, seen: Seen, after: string): Promise<void> {
  const { database } = place
  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await database.pool.query<Row>(text, values)).rows

  const steps = await query<{ id: number, order: number, before: string, after: string }>(
    `select id, order_id as order, coalesce(before, 'nothing') as before, after from life where id > $1 order by id`, [seen.life])
  for (const step of steps) {
    expect(LIFE, `label ${step.order} after ${after}`).toContain(`${step.before} → ${step.after}`)
    seen.life = step.id
  }
  const turns = await query<{ id: number, batch: number, turn: string }>(
    `select id, batch_id as batch, coalesce(before, 'nothing') || ' → ' || after as turn from path where id > $1 order by id`,
    [seen.path])
  for (const { id, batch, turn } of turns) {
    expect(PATH, `batch ${batch} after ${after}`).toContain(turn)
    seen.path = id
  }
  for (const id of place.batches) {
    const { batch, counts } = (await progressOf(database.db, id))!
    const now: Sight = { status: batch.status!, ...counts }
    const wasRetried = turns.some(({ batch, turn }) => batch === id && turn.endsWith('→ retrying_failed'))
    compare(seen.batches.get(id), now, batch.total, wasRetried, `batch ${id} after ${after}`)
    seen.batches.set(id, now)
  }

  expect(await violations(database.db), `rules of the books after ${after}`).toEqual([])
  expect(await query(`select held.owner_id, held.cents as held, coalesce(open.cents, 0) as open
    from (select a.owner_id, b.credits - b.debits as cents from balance b join account a on a.id = b.account_id where a.kind = 'held') held
    left join (select user_id, sum(price_cents) as cents from shipment_order
      where state in ('queued', 'purchasing', 'unknown') group by 1) open on open.user_id = held.owner_id
    where held.cents <> coalesce(open.cents, 0)`), `what is held and what is open after ${after}`).toEqual([])
  // Sold once, to the order that has it; one that is sold is never bought again and never given up.
  expect(await query(`select reference, count(*) as sold from sandbox_purchase group by 1 having count(*) > 1`),
    `labels bought twice after ${after}`).toEqual([])
  expect(await query(`select o.id, o.state, o.round, s.attempt_key
    from shipment_order o left join sandbox_purchase s on s.reference = o.id::text
    where (s.reference is null and o.tracking_number is not null) or s.tracking_number <> o.tracking_number
      or (s.reference is not null and o.state in ('queued', 'failed'))`), `labels sold and not owned after ${after}`).toEqual([])
  expect(place.errors, `logged after ${after}`).toEqual([])
}

/** Counts go one way: what is processed grows until a retry, what has failed grows in the first try and shrinks ever after. */
function compare(before: Sight | undefined, now: Sight, total: number, wasRetried: boolean, what: string): void {
  const isOpen = now.status === 'processing' || now.status === 'retrying_failed'
  expect(now.processed, `processed of all, ${what}`).toBeLessThanOrEqual(total)
  expect(now.failed, `failed of all, ${what}`).toBeLessThanOrEqual(total)
  if (!isOpen) expect(now.processed, `processed at the end, ${what}`).toBe(total)
  if (now.status !== 'retrying_failed') expect(now.failed, `failed of the processed, ${what}`).toBeLessThanOrEqual(now.processed)
  if (now.status === 'completed') expect(now.failed, `failed of a completed, ${what}`).toBe(0)
  if (!before) return
  if (!wasRetried) expect(now.processed, `processed than before, ${what}`).toBeGreaterThanOrEqual(before.processed)
  if (now.status === 'processing') expect(now.failed, `failed than before, ${what}`).toBeGreaterThanOrEqual(before.failed)
  if (before.status !== 'processing') expect(now.failed, `failed than before, ${what}`).toBeLessThanOrEqual(before.failed)
}
