/** Buys a label for each row of a file, and goes on where a run before was cut off. */
import { access, constants, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { boughtCount } from '#contract/batch-status.ts'
import { batchStatus, initBatch, processBatch } from '#contract/batches.ts'
import { countText } from '#contract/format.ts'
import { usdFromDollars } from '#contract/money.ts'
import { toSubmittedRow } from '#web/batches/bulk/drafts/draft.ts'
import { ApiError } from '#web/client/send.ts'
import type { BuyOptions, Connection } from './arguments.ts'
import type { Client } from './calls.ts'
import { faultText, faultyCsv } from './faulty-rows.ts'
import { followBatch, saveFiles } from './follow.ts'
import type { BatchState, ShowProgress } from './follow.ts'
import { journalPath, readJournal, removeJournal, writeJournal } from './journal.ts'
import { readOrdersFile } from './orders-file.ts'
import type { OrdersFile } from './orders-file.ts'
import { costsOf } from './row-costs.ts'

/** Nothing was bought; its message says why. */
export class NothingBought extends Error {}

/** The rows may have been sent; its message says why the end is not known. */
export class OutcomeOpen extends Error {}

/** Turns any failure of a call about a bulk order that may exist into OutcomeOpen. */
export async function orOutcomeOpen<T>(batchId: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (error instanceof NothingBought || error instanceof OutcomeOpen) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new OutcomeOpen(`Bulk order ${batchId} was sent, but its end is not known: ${reason}`)
  })
}

/** `state`: of the bulk order at its end; null after a dry run. `cost` in dollars. */
export type Purchase = { batchId: string; state: BatchState } | { batchId: null; cost: number }

export type Report = { say(line: string): void; progress: ShowProgress }

const NAMED_FAULTS = 10

/** Throws NothingBought, OutcomeOpen, FileProblem, and ApiError before anything is sent. */
export async function buyFile(
  client: Client,
  { server }: Connection,
  options: BuyOptions,
  { say, progress }: Report,
): Promise<Purchase> {
  await checkFolders([options.file, options.results, options.pdf, options.faulty])
  const orders = await readOrdersFile(client, options)
  for (const notice of orders.notices) say(notice)
  const before = await batchBefore(client, server, journalPath(options), orders)
  if (before.accepted) {
    say(`Going on with bulk order ${before.batchId}, which was sent before.`)
    return orOutcomeOpen(before.batchId, finish(client, before.batchId, options, progress))
  }
  // A file that is refused for its faults needs no prices.
  const isRefused = orders.faulty.length > 0 && !options.skipFaulty
  const { cost, rows, unpriced } = await costsOf(client, isRefused ? [] : orders.rows, say)
  await refuseFaults({ rows, faulty: [...orders.faulty, ...unpriced] }, options, say)
  say(`${countText(rows.length, 'label')} for ${usdFromDollars(cost)}.`)
  const { maxCost } = options
  if (maxCost !== null && cost > maxCost)
    throw new NothingBought(
      `${usdFromDollars(cost)} is more than --max-cost ${usdFromDollars(maxCost)}. Nothing was bought.`,
    )
  if (options.dryRun) return { batchId: null, cost }
  const { userId } = client
  const batchId = before.batchId ?? (await client.call(initBatch, { body: { userId } })).orderId
  await writeJournal(journalPath(options), { server, userId, sha256: orders.file.sha256, batchId })
  // Prices may change after they were asked for.
  const agreed = { ...options, maxCost: maxCost ?? cost }
  await orOutcomeOpen(batchId, sendRows(client, batchId, { ...orders, rows }, agreed))
  return orOutcomeOpen(batchId, finish(client, batchId, options, progress))
}

async function finish(
  client: Client,
  batchId: string,
  options: BuyOptions,
  progress: ShowProgress,
): Promise<Purchase> {
  const { results, pdf } = options
  const state = await followBatch(client, batchId, progress)
  await saveFiles(client, batchId, { results, pdf: boughtCount(state) > 0 ? pdf : null })
  await removeJournal(journalPath(options))
  return { batchId, state }
}

/** A file that cannot be written is found before anything is bought. */
async function checkFolders(paths: readonly (string | null)[]): Promise<void> {
  for (const path of paths) {
    const folder = path === null ? null : dirname(path)
    if (folder !== null)
      await access(folder, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
        throw new NothingBought(
          `The folder ${folder} cannot be written to (${error.code}). Nothing was bought.`,
        )
      })
  }
}

/** The bulk order of a run that was cut off, and whether its rows arrived. */
async function batchBefore(
  client: Client,
  server: string,
  path: string,
  { file }: OrdersFile,
): Promise<{ batchId: string; accepted: true } | { batchId: string | null; accepted: false }> {
  const entry = await readJournal(path)
  if (!entry || entry.server !== server || entry.userId !== client.userId)
    return { batchId: null, accepted: false }
  const { batchId } = entry
  const accepted = await orOutcomeOpen(batchId, wasAccepted(client, batchId))
  if (accepted && entry.sha256 !== file.sha256)
    throw new NothingBought(
      `Bulk order ${batchId} was bought from ${file.name} before the file was changed. `
        + `See it on the Batch Orders page, then delete ${path} and run this again. Nothing was bought.`,
    )
  if (accepted) return { batchId, accepted }
  // The rows of another file are another bulk order.
  return { batchId: entry.sha256 === file.sha256 ? batchId : null, accepted }
}

/** A bulk order exists once rows were accepted under its id. Throws ApiError. */
const wasAccepted = (client: Client, orderId: string): Promise<boolean> =>
  client.call(batchStatus, { params: { orderId }, query: { failedLabels: 'none' } }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ApiError && error.status === 404) return false
      throw error
    },
  )

async function refuseFaults(
  { rows, faulty }: Pick<OrdersFile, 'rows' | 'faulty'>,
  { skipFaulty, faulty: path, dryRun }: BuyOptions,
  say: Report['say'],
): Promise<void> {
  if (faulty.length > 0) {
    for (const fault of faulty.slice(0, NAMED_FAULTS)) say(faultText(fault))
    if (faulty.length > NAMED_FAULTS)
      say(`${countText(faulty.length - NAMED_FAULTS, 'more row has', 'more rows have')} faults.`)
    if (!dryRun) await writeFile(path, faultyCsv(faulty))
    const where = dryRun ? '' : ` They are in ${path} with their reasons.`
    const count = countText(faulty.length, 'row has faults', 'rows have faults')
    if (!skipFaulty)
      throw new NothingBought(
        `${count}.${where} Correct them, or pass --skip-faulty. Nothing was bought.`,
      )
    say(`${count} and will not be bought.${where}`)
  }
  if (rows.length === 0) throw new NothingBought('No row can be bought. Nothing was bought.')
}

/**
 * A repeat under the same id with the same rows is the same bulk order. Throws NothingBought when the
 * server refused the rows and has no such bulk order.
 */
async function sendRows(
  client: Client,
  orderId: string,
  { rows, file }: OrdersFile,
  options: BuyOptions & { maxCost: number },
): Promise<void> {
  const { userId } = client
  const { allowRepeats, maxCost } = options
  const orderData = rows.map(toSubmittedRow)
  try {
    await client.call(processBatch, {
      params: { userId },
      body: { orderId, orderData, file, maxCost, ...(allowRepeats && { allowRepeats }) },
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) throw error
    // A first answer may have been lost: a refusal of the repeat says nothing about it.
    if (await wasAccepted(client, orderId)) return
    await removeJournal(journalPath(options))
    const hint = error.code === 'already_bought' ? ' Pass --allow-repeats to buy them again.' : ''
    const fields = Object.entries(error.errors).slice(0, NAMED_FAULTS)
    const details = fields.map(([field, text]) => `\n${field}: ${text}`).join('')
    throw new NothingBought(`${error.message}${hint}${details}\nNothing was bought.`)
  }
}
