/** ZPL of a bulk order from a carrier that makes it. Missing files are requested here and fetched by the worker, under the rate limit. */
import { setTimeout as wait } from 'node:timers/promises'
import { namesOfCarrierAccounts } from '#server/carriers/service.ts'
import type { BatchFileRow } from '#server/labels/batch-files.ts'
import { ONLY_PDF_MESSAGE } from '#server/labels/print.ts'
import { findLabelFiles, requestLabelFiles } from '#server/labels/service.ts'
import type { CarrierLabelFileRecord } from '#server/labels/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { selectInAccounts } from '#server/orders/service.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { formatRefusal } from './format-refusal.ts'

const FORMAT = 'zpl'
/** At 300 calls a minute (EasyPost), less than two minutes. */
const MAX_REQUESTED = 500
/** How long a download waits for a few files. */
const PATIENCE_MS = 5_000
const POLL_MS = 200
/** Carriers without a published limit. */
const DEFAULT_PER_MINUTE = 300
const LEAST_WAIT_SECONDS = 5

type CarrierRow = { row: number; made: CarrierLabelFileRecord }

/** Whether the carrier of these labels is asked for ZPL. */
const makesZpl = ({ carrier }: LabelContext): boolean => carrier.labelFormats.includes(FORMAT)

/**
 * Returns when the carrier's ZPL of all rows is stored. Throws Refusal: 503 with the time until all files should be there,
 * 422 if a label does not exist as ZPL, or if too many files are missing.
 */
export async function fetchZplFiles(
  ctx: LabelContext,
  rows: AsyncIterable<BatchFileRow>,
): Promise<void> {
  if (!makesZpl(ctx)) return
  const until = performance.now() + PATIENCE_MS
  const carrierRows = await collectCarrierRows(rows)
  let missing = await missingZpl(ctx, carrierRows)
  if (missing.length > MAX_REQUESTED) {
    throw formatRefusal(
      `${missing.length.toLocaleString('en-US')} of these labels are not here as ZPL yet. At most ${MAX_REQUESTED} can be requested `
        + 'from the carrier at a time. Please choose fewer rows, or take the labels as PDF.',
    )
  }
  if (missing.length > 0)
    await ctx.database.tx(tx =>
      requestLabelFiles(
        tx,
        missing.map(({ made }) => made.orderId),
        FORMAT,
      ),
    )
  while (missing.length > 0) {
    if (ctx.closing.aborted || performance.now() >= until) throw notYetHere(ctx, missing.length)
    await wait(POLL_MS)
    missing = await missingZpl(ctx, missing)
  }
}

/** The same rows, with the carrier's ZPL in place of the file of the purchase where it is stored. */
export async function withZplFiles(
  ctx: LabelContext,
  rows: BatchFileRow[],
): Promise<BatchFileRow[]> {
  if (!makesZpl(ctx)) return rows
  const made = rows.flatMap(({ label }) => (label && 'made' in label ? [label.made.orderId] : []))
  const files = await findLabelFiles(ctx.database.db, made, FORMAT)
  return rows.map(row => {
    if (!row.label || !('made' in row.label)) return row
    const zpl = files.get(row.label.made.orderId)
    return zpl?.state === 'stored' ? { ...row, label: { made: zpl } } : row
  })
}

async function collectCarrierRows(rows: AsyncIterable<BatchFileRow>): Promise<CarrierRow[]> {
  const found: CarrierRow[] = []
  for await (const { label, result } of rows)
    if (label && 'made' in label) found.push({ row: result.row, made: label.made })
  return found
}

/** Throws for a label that never will be ZPL: its PDF cannot be turned into dots. A PNG can (png-zpl.ts). */
async function missingZpl(ctx: LabelContext, rows: readonly CarrierRow[]): Promise<CarrierRow[]> {
  const { db } = ctx.database
  const ids = rows.map(({ made }) => made.orderId)
  const files = await findLabelFiles(db, ids, FORMAT)
  const unrequested = ids.filter(id => !files.has(id))
  const ofThisAccount =
    unrequested.length > 0
      ? await selectInAccounts(db, namesOfCarrierAccounts(ctx), unrequested)
      : new Set<number>()
  const missing: CarrierRow[] = []
  for (const one of rows) {
    const { orderId, mime } = one.made
    const file = files.get(orderId)
    const isUnavailable = file ? file.state === 'unavailable' : !ofThisAccount.has(orderId)
    if (isUnavailable && mime === 'application/pdf')
      throw formatRefusal(`Row ${one.row}: ${ONLY_PDF_MESSAGE}`)
    if (!isUnavailable && file?.state !== 'stored') missing.push(one)
  }
  return missing
}

function notYetHere({ carrier }: LabelContext, missing: number): Refusal {
  const perMinute = carrier.rateLimit?.perMinute ?? DEFAULT_PER_MINUTE
  const seconds = Math.max(LEAST_WAIT_SECONDS, Math.ceil((missing / perMinute) * 60))
  return new Refusal(
    'file_being_made',
    `The carrier is sending ${missing.toLocaleString('en-US')} of these labels as ZPL. Please try again in ${seconds} seconds.`,
    { retryAfter: seconds },
  )
}
