/** Invariants after every step of the batch model (docs/requirements.md#batches). */
import { expect } from 'vitest'
import type { BatchStatus } from '#contract/batch-status.ts'
import { findCountedBatch } from '#server/batches/service.ts'
import { findViolations } from '#server/ledger/service.ts'
import { checkBatchFiles } from './batch-file-checks.ts'
import { UNKNOWN_WAIT_MS } from './simulation.ts'
import type { Simulation } from './simulation.ts'

/** The allowed state changes of a label. */
const LABEL_STEPS = new Set([
  'nothing → queued',
  'queued → purchased',
  'queued → failed',
  'queued → unknown',
  'unknown → purchased',
  'unknown → failed',
  'unknown → queued',
  'failed → queued',
  'purchased → voiding',
  'voiding → voided',
  'voiding → purchased',
])
export const isLabelStep = (before: string, after: string): boolean =>
  LABEL_STEPS.has(`${before} → ${after}`)

/** The steps of a batch. What is known late changes how a closed one has ended; one with all its labels stays completed. */
const BATCH_STEPS = new Set([
  'nothing → processing',
  'processing → generating_files',
  'retrying_failed → generating_files',
  'generating_files → completed',
  'generating_files → completed_with_errors',
  'generating_files → failed',
  'completed_with_errors → retrying_failed',
  'completed_with_errors → completed',
  'completed_with_errors → failed',
  'failed → completed',
  'failed → completed_with_errors',
])

type Query = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>

/** What was seen of a batch at the last look. */
type BatchSnapshot = { status: BatchStatus; processed: number; failed: number }
export type Observations = {
  lastLabelStep: number
  lastBatchStep: number
  batches: Map<number, BatchSnapshot>
  files: Map<number, string>
}

export const noObservations = (): Observations => ({
  lastLabelStep: 0,
  lastBatchStep: 0,
  batches: new Map(),
  files: new Map(),
})

/** Looks at everything. Throws what is wrong. */
export async function checkBatchInvariants(
  simulation: Simulation,
  seen: Observations,
  after: string,
): Promise<void> {
  const { database } = simulation
  const query: Query = async (text, values = []) => (await database.pool.query(text, values)).rows
  await checkLabelSteps(simulation, seen, query, after)
  await checkBatchSteps(simulation, seen, query, after)
  await checkBatchFiles(simulation, seen.files, after)

  expect(await findViolations(database.db), `rules of the books after ${after}`).toEqual([])
  expect(
    await query(`select held.owner_id, held.cents as held, coalesce(open.cents, 0) as open
    from (select a.owner_id, b.credits - b.debits as cents from balance b join account a on a.id = b.account_id where a.kind = 'held') held
    left join (select user_id, sum(price_cents) as cents from shipment_order
      where state in ('queued', 'purchasing', 'unknown') group by 1) open on open.user_id = held.owner_id
    where held.cents <> coalesce(open.cents, 0)`),
    `what is held and what is open after ${after}`,
  ).toEqual([])
  // Sold once, to the order that has it; one that is sold is never bought again and never given up.
  expect(
    await query(
      `select reference, count(*) as sold from sandbox_purchase group by 1 having count(*) > 1`,
    ),
    `labels bought twice after ${after}`,
  ).toEqual([])
  expect(
    await query(`select o.id, o.state, o.round, s.attempt_key
    from shipment_order o left join sandbox_purchase s on s.reference = o.id::text
    where (s.reference is null and o.tracking_number is not null) or s.tracking_number <> o.tracking_number
      or (s.reference is not null and o.state in ('queued', 'failed')
        and not exists (select from open_carrier_call c where c.order_id = o.id))`),
    `labels sold and not owned after ${after}`,
  ).toEqual([])
  expect(simulation.unprovenRepeats, `asked for again without proof after ${after}`).toEqual([])
  expect(
    await query(
      `select asked.key, asked.times from unnest($1::text[], $2::int[]) as asked (key, times)
    where times > (select count(*) from carrier_call c where c.act = 'buy' and c.order_id || ':' || c.round = asked.key)
      + (select count(*) from open_carrier_call c where c.order_id || ':' || c.round = asked.key)`,
      [
        [...simulation.purchaseCalls.keys()],
        [...simulation.purchaseCalls.values()].map(({ times }) => times),
      ],
    ),
    `asked without evidence after ${after}`,
  ).toEqual([])
  expect(simulation.errors, `logged after ${after}`).toEqual([])
}

type Step = {
  id: number
  order: number
  before: string
  after: string
  status: string | null
  givenUp: boolean
}

async function checkLabelSteps(
  simulation: Simulation,
  seen: Observations,
  query: Query,
  after: string,
): Promise<void> {
  const steps = await query<Step>(
    `select id, order_id as order, coalesce(before, 'nothing') as before, after, status,
    was_given_up as "givenUp" from label_history where id > $1 order by id`,
    [seen.lastLabelStep],
  )
  for (const step of steps) {
    const turn = `${step.before} → ${step.after}`
    const what = `label ${step.order} after ${after}`
    expect(LABEL_STEPS, what).toContain(turn)
    // A batch that has counted an unknown label as failed does not buy it, not even in a retry
    // (docs/requirements.md#batches).
    if (turn === 'unknown → queued') {
      expect([null, 'processing', 'retrying_failed'], `batch of ${what}`).toContain(
        step.givenUp ? 'given up' : step.status,
      )
    }
    if (turn === 'failed → queued') {
      expect(step.status, `batch of ${what}`).toBe('completed_with_errors')
      expect(simulation.replacedOrderIds, `rows bought by another batch, ${what}`).not.toContain(
        step.order,
      )
    }
    seen.lastLabelStep = step.id
  }
}

async function checkBatchSteps(
  simulation: Simulation,
  seen: Observations,
  query: Query,
  after: string,
): Promise<void> {
  // Nothing is left but unknown labels at the moment when the first of them became so, or later.
  const turns = await query<{
    id: number
    batch: number
    turn: string
    unknown: number
    waited: number
  }>(
    `
    select p.id, p.batch_id as batch, coalesce(p.before, 'nothing') || ' → ' || p.after as turn, p.unknown, p.at - l.at as waited
      from batch_history p
      left join lateral (select min(at) as at from label_history where batch_id = p.batch_id and after = 'unknown') l on true
      where p.id > $1 order by p.id`,
    [seen.lastBatchStep],
  )
  for (const { id, batch, turn, unknown, waited } of turns) {
    expect(BATCH_STEPS, `batch ${batch} after ${after}`).toContain(turn)
    if (turn === 'processing → generating_files' && unknown > 0) {
      expect(
        waited,
        `ms that batch ${batch} waited for unknown labels after ${after}`,
      ).toBeGreaterThanOrEqual(UNKNOWN_WAIT_MS)
    }
    seen.lastBatchStep = id
  }
  const tallies = await query<LabelCounts>(`
    select b.id, count(*) filter (where o.tracking_number is not null) as bought,
        count(*) filter (where o.state = 'failed') as refused
      from batch b join shipment_order o on o.batch_id = b.id group by b.id`)
  for (const id of simulation.batches) {
    const { batch, counts } = (await findCountedBatch(simulation.database.db, id))!
    const now: BatchSnapshot = { status: batch.status!, ...counts }
    const wasRetried = turns.some(
      ({ batch, turn }) => batch === id && turn.endsWith('→ retrying_failed'),
    )
    compareSnapshots(
      seen.batches.get(id),
      now,
      batch.total,
      wasRetried,
      `batch ${id} after ${after}`,
    )
    checkCounts(
      now,
      batch.total,
      tallies.find(one => one.id === id)!,
      `batch ${id} after ${after}`,
    )
    seen.batches.set(id, now)
  }
}

type LabelCounts = { id: number; bought: number; refused: number }

/** After its first end, also in a retry, every label is bought or counted as failed: a void changes neither. */
function checkCounts(
  { status, failed }: BatchSnapshot,
  total: number,
  { bought, refused }: LabelCounts,
  what: string,
): void {
  if (status === 'processing') return
  expect(bought + failed, `bought and failed of all, ${what}`).toBe(total)
  if (status === 'generating_files' || status === 'retrying_failed') return
  const ended =
    failed === 0 ? 'completed' : bought === 0 && refused === 0 ? 'failed' : 'completed_with_errors'
  expect(status, `how it ended, ${what}`).toBe(ended)
}

/** Counts go one way: what is processed grows until a retry, what has failed grows in the first try and shrinks ever after. */
function compareSnapshots(
  before: BatchSnapshot | undefined,
  now: BatchSnapshot,
  total: number,
  wasRetried: boolean,
  what: string,
): void {
  const isOpen = now.status === 'processing' || now.status === 'retrying_failed'
  expect(now.processed, `processed of all, ${what}`).toBeLessThanOrEqual(total)
  expect(now.failed, `failed of all, ${what}`).toBeLessThanOrEqual(total)
  if (!isOpen) expect(now.processed, `processed at the end, ${what}`).toBe(total)
  if (now.status !== 'retrying_failed')
    expect(now.failed, `failed of the processed, ${what}`).toBeLessThanOrEqual(now.processed)
  if (now.status === 'completed') expect(now.failed, `failed of a completed, ${what}`).toBe(0)
  if (!before) return
  if (!wasRetried)
    expect(now.processed, `processed than before, ${what}`).toBeGreaterThanOrEqual(before.processed)
  if (now.status === 'processing')
    expect(now.failed, `failed than before, ${what}`).toBeGreaterThanOrEqual(before.failed)
  if (before.status !== 'processing')
    expect(now.failed, `failed than before, ${what}`).toBeLessThanOrEqual(before.failed)
}
