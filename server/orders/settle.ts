import { insertAudits } from '#server/accounts/store.ts'
import { accountIsWell } from '#server/carriers/pace.ts'
import type { Outcome } from '#server/carriers/port.ts'
import { accountsOf } from '#server/carriers/service.ts'
import type { WithCarrier } from '#server/carriers/service.ts'
import { closeTries } from '#server/carriers/store.ts'
import { wantPapers } from '#server/labels/carrier-paper-store.ts'
import type { FileStore } from '#server/labels/files/port.ts'
/**
 * Settling: what the carrier said becomes the label's state and the customer's money in one transaction, for as many labels as
 * have an answer ready. The lock order of the house: batch, orders by number, balances by account.
 */
import { settle as settleMoney, lockWallets } from '#server/ledger/service.ts'
import type { Tx } from '#server/platform/database.ts'
import { databaseIsAway } from '#server/platform/errors.ts'
import { watchBought } from './parcels.ts'
import { writeVerdicts } from './queue-store.ts'
import type { Claim } from './queue-store.ts'
import { verdictOn, verdictOnLookup } from './rules.ts'
import type { LookedUp, Verdict } from './rules.ts'
import { requestVoids } from './void-store.ts'

/** What the orders room must ask of whoever keeps batches; a house without batches keeps none. */
export type BatchKeeper = {
  /**
   * Locks batches in the order of their numbers. Returns the open ones, each with how long ago (ms) a label of it may have become
   * unknown and still be queued again.
   */
  lock(tx: Tx, batchIds: number[]): Promise<Map<number, number>>
  /** Rows of closed batches have changed: their counts, status and files follow. */
  changed(tx: Tx, batchIds: number[]): Promise<void>
  /** After the commit: these batches have made progress. */
  progressed(batchIds: number[]): void
}

/** `closing` ends when the house closes: nothing more is bought then, so nobody need wait for it. */
export type WithOrders = WithCarrier & {
  batchKeeper: BatchKeeper
  closing: AbortSignal
  files: FileStore
}

export type Answered = { claim: Claim; outcome: Outcome }

/** Settles answers to purchases; if the group as a whole fails, one by one, so that one bad row never harms a good one. */
export async function settleAnswers(house: WithOrders, answers: Answered[]): Promise<void> {
  const began = performance.now()
  try {
    const entered = await house.database.tx(async tx => {
      await closeTries(
        tx,
        answers.map(({ claim, outcome }) => ({ orderId: claim.id, fence: claim.fence, outcome })),
      )
      const written = await enter(
        house,
        tx,
        answers.map(({ claim, outcome }) => ({ claim, verdict: verdictOn(outcome, claim) })),
      )
      // Last, as everywhere: nobody who holds the account's row waits for a label or a balance.
      if (answers.some(({ outcome }) => outcome.ok)) await accountIsWell(tx, house.carrier)
      return written
    })
    house.meter?.settled((performance.now() - began) / 1000)
    house.meter?.labels(entered.states)
  } catch (error) {
    if (answers.length === 1 || databaseIsAway(error)) throw error
    for (const answer of answers) {
      // What cannot be settled keeps its hold; its lease runs out and the carrier is asked again.
      await settleAnswers(house, [answer]).catch(fault =>
        house.log.error({ err: fault, orderId: answer.claim.id }, 'a label could not be settled'),
      )
    }
  }
  house.batchKeeper.progressed(batchesOf(answers.map(answer => answer.claim)))
}

export type Finding = { claim: Claim; found: LookedUp }

/**
 * Settles what the carrier said about labels of unknown outcome; closed batches follow in the same transaction. If the group as a whole
 * fails, one by one: a label that cannot be written must not keep the others unknown for ever.
 */
export async function settleFindings(house: WithOrders, findings: Finding[]): Promise<void> {
  const batchIds = batchesOf(findings.map(finding => finding.claim))
  try {
    const { states } = await house.database.tx(async tx => {
      const open = await house.batchKeeper.lock(tx, batchIds)
      const entered = await enter(
        house,
        tx,
        findings.map(({ claim, found }) => {
          const mayQueue =
            claim.batchId === null || claim.unknownMs <= (open.get(claim.batchId) ?? -1)
          return {
            claim,
            verdict: verdictOnLookup(found, claim, house.carrier.quarantineMs, mayQueue),
          }
        }),
      )
      // A closed batch whose label is still unknown stays as it is: its files are not made anew for every look.
      await house.batchKeeper.changed(
        tx,
        batchesOf(entered.ended).filter(id => !open.has(id)),
      )
      return entered
    })
    house.meter?.labels(states)
  } catch (error) {
    if (findings.length === 1 || databaseIsAway(error)) throw error
    for (const finding of findings) {
      // What cannot be settled keeps its hold, and the carrier is asked again.
      await settleFindings(house, [finding]).catch(fault =>
        house.log.error(
          { err: fault, orderId: finding.claim.id },
          'what became of a label could not be settled',
        ),
      )
    }
    return
  }
  house.batchKeeper.progressed(batchIds)
}

/** What verdicts have changed: the states written, and the labels that came to an end by it, bought or not. */
export type Entered = { states: Verdict['state'][]; ended: Claim[] }

/** Writes verdicts with the money that follows from them. Their batches are locked by then. */
export async function enter(
  house: WithOrders,
  tx: Tx,
  judged: { claim: Claim; verdict: Verdict }[],
): Promise<Entered> {
  const ids = await writeVerdicts(tx, judged)
  const changed = judged.filter(({ claim }) => ids.has(claim.id))
  const states = changed.map(({ verdict }) => verdict.state)
  const ended = changed.filter(
    ({ verdict }) => verdict.state === 'purchased' || verdict.state === 'failed',
  )
  if (ended.length === 0) return { states, ended: [] }
  const bought = ended
    .filter(({ verdict }) => verdict.state === 'purchased')
    .map(({ claim }) => claim.id)
  if (house.carrier.fetchLabel) await wantPapers(tx, bought)
  await watchBought(tx, house.carrier, bought)
  await lockWallets(
    tx,
    ended.map(({ claim }) => claim.userId),
  )
  await settleMoney(
    tx,
    ended.map(({ claim, verdict }) => ({
      ownerId: claim.userId,
      orderId: claim.id,
      batchId: claim.batchId,
      round: claim.round,
      price: claim.price,
      bought: verdict.state === 'purchased',
      reason: verdict.state === 'failed' ? verdict.reason : undefined,
    })),
  )
  await voidAgain(
    house,
    tx,
    ended
      .filter(({ verdict }) => verdict.state === 'purchased' && verdict.isVoided)
      .map(({ claim }) => claim.id),
  )
  return { states, ended: ended.map(({ claim }) => claim) }
}

/**
 * Labels that turn out to have been taken back since the backup that this database was restored from: the money comes back as with
 * every void, when the carrier has said once more how far it is.
 */
export async function voidAgain(house: WithOrders, tx: Tx, ids: number[]): Promise<void> {
  if (ids.length === 0) return
  const requested = await requestVoids(tx, accountsOf(house), ids, 'carrier')
  await insertAudits(
    tx,
    requested.map(({ id, userId }) => ({
      actorId: null,
      subjectId: userId,
      action: 'void-requested',
      detail: { orderId: id },
    })),
  )
}

/** The batches of labels, each once, in the order of their numbers. */
export const batchesOf = (claims: Pick<Claim, 'batchId'>[]): number[] =>
  [...new Set(claims.map(claim => claim.batchId).filter(id => id !== null))].sort((a, b) => a - b)
