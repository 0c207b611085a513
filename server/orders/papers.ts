/**
 * Labels' files from carriers that make them. A label that was bought without its file is fetched, as often as it takes; it is never
 * bought again for it.
 */
import { askForLabel } from '#server/carriers/ask.ts'
import { findRest } from '#server/carriers/budget-store.ts'
import { asking, roomAtCarrier } from '#server/carriers/pace.ts'
import type { CarrierLabel, Outcome } from '#server/carriers/port.ts'
import { accountsOf } from '#server/carriers/service.ts'
import {
  claimPapers,
  findDue,
  keepPaper,
  postponePaper,
} from '#server/labels/carrier-paper-store.ts'
import type { WantedPaper } from '#server/labels/carrier-paper-store.ts'
import { refused, writePaper } from '#server/labels/carrier-paper.ts'
import { selectOwn } from './open-store.ts'
import { backOffMs } from './rules.ts'
import { batchesOf } from './settle.ts'
import type { Answered, WithOrders } from './settle.ts'

const AT_ONCE = 8
/** Longer than any question to a carrier and the writing of its answer. */
const LEASE_MS = 30_000
/** A carrier that has made a label may take a while over its picture, and a link may be dead for a day. */
const LONGEST_WAIT_MS = 10 * 60_000
/** Another account's labels are left to it; it may be back by then. */
const ELSEWHERE_WAIT_MS = 6 * 60 * 60_000

/** Keeps the files that came with the answers to purchases. What fails here is fetched later. */
export async function keepDelivered(house: WithOrders, answered: Answered[]): Promise<void> {
  const delivered = answered.flatMap(({ claim, outcome }) => {
    const label = labelIn(outcome)
    return label ? [{ orderId: claim.id, batchId: claim.batchId, label }] : []
  })
  await Promise.all(
    delivered.map(async ({ orderId, batchId, label }) => {
      if (refused(label) === null) await keep(house, { orderId, batchId }, label)
    }),
  )
}

const labelIn = (outcome: Outcome): CarrierLabel | undefined =>
  outcome.ok ? outcome.purchase.label : undefined

/** The worker's part: fetches files that are due, also those of a process that died over them. */
export async function fetchPapers(house: WithOrders): Promise<void> {
  if (!house.carrier.fetchLabel) return
  while (!house.closing.aborted) {
    const wanted = await take(house, AT_ONCE)
    if (wanted.length === 0) return
    await Promise.all(wanted.map(one => fetchOne(house, one)))
  }
}

/** Takes files that are due, as many as the carrier has room for. The first question for each was counted with its purchase. */
async function take(
  { carrier, database }: WithOrders,
  most: number,
  orderId?: number,
): Promise<WantedPaper[]> {
  return database.tx(async tx => {
    const room = await roomAtCarrier(tx, carrier, 'paper', most)
    const taken = room === 0 ? [] : await claimPapers(tx, room, LEASE_MS, orderId)
    await asking(tx, carrier, 'paper', taken.filter(({ attempt }) => attempt > 1).length)
    return taken
  })
}

/** `waitMs`: how long until the carrier may be asked for it again; `isInHand`: somebody asks for it at this moment. */
export type NotYet = { waitMs: number; isInHand: boolean }

/**
 * Fetches one label's file for somebody who waits for it, if its time has come: who asks again and again makes no more questions to the
 * carrier than there would be without him. Null when it was asked for, or is not wanted any more: what came of it is written down.
 */
export async function fetchPaperNow(house: WithOrders, orderId: number): Promise<NotYet | null> {
  const [wanted] = await take(house, 1, orderId)
  if (wanted) {
    await fetchOne(house, wanted)
    return null
  }
  const { db } = house.database
  const due = await findDue(db, orderId)
  if (!due) return null
  const rest = await findRest(db, house.carrier.account)
  const restMs = rest?.until && rest.reason === null ? rest.until.getTime() - Date.now() : 0
  return { waitMs: Math.max(due.dueMs, restMs), isInHand: due.isInHand }
}

async function fetchOne(house: WithOrders, wanted: WantedPaper): Promise<void> {
  const { orderId, round, trackingNumber, attempt } = wanted
  if (!(await selectOwn(house.database.db, accountsOf(house), [orderId])).has(orderId)) {
    return house.database.tx(tx =>
      postponePaper(
        tx,
        orderId,
        'The label was bought with another carrier account',
        ELSEWHERE_WAIT_MS,
      ),
    )
  }
  const bought = { attempt: { reference: String(orderId), round }, trackingNumber }
  const answer = await askForLabel(house.carrier, bought, house.config.carrierTimeoutMs)
  const problem = answer.kind === 'label' ? refused(answer.label) : answer.message
  try {
    if (answer.kind === 'label' && problem === null) return await keep(house, wanted, answer.label)
    const asked = 'retryAfterMs' in answer ? (answer.retryAfterMs ?? 0) : 0
    const waitMs =
      answer.kind === 'gone' ? null : Math.min(LONGEST_WAIT_MS, Math.max(asked, backOffMs(attempt)))
    await house.database.tx(tx => postponePaper(tx, orderId, problem!, waitMs))
    if (answer.kind === 'gone')
      house.log.error({ orderId, code: answer.code }, 'a label’s file is gone at the carrier')
  } catch (error) {
    house.log.warn({ err: error, orderId }, 'a label’s file could not be kept; it is fetched again')
  }
}

/** First the bytes, then the note of them: a note always has its file. Files of a closed batch are made again with it. */
async function keep(
  house: WithOrders,
  { orderId, batchId }: Pick<WantedPaper, 'orderId' | 'batchId'>,
  label: CarrierLabel,
): Promise<void> {
  const kept = await writePaper(house.files, orderId, label)
  await house.database.tx(async tx => {
    const batches = batchesOf([{ batchId }])
    const open = await house.batchKeeper.lock(tx, batches)
    if (await keepPaper(tx, kept))
      await house.batchKeeper.changed(
        tx,
        batches.filter(id => !open.has(id)),
      )
  })
  if (batchId !== null) house.batchKeeper.progressed([batchId])
}
