import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { dollars } from '#contract/money.ts'
import { lockLinesOfRefused, settleRefusedVoids } from '#server/adjustments/refused-voids.ts'
import { batchIdsOf } from '#server/batches/rules.ts'
import { withBatchesLocked } from '#server/batches/service.ts'
import { callVoid } from '#server/carriers/calls.ts'
import type { CarrierVoidResult } from '#server/carriers/port.ts'
import { applyBackoff, claimWithBudget } from '#server/carriers/rate-limit.ts'
import {
  accountContexts,
  namesOfOwnCarrierAccount,
  closeCarrierCalls,
  insertVoidCalls,
} from '#server/carriers/service.ts'
import { settleEach } from '#server/carriers/settle-each.ts'
import { chargeOwed } from '#server/ledger/owed-charges.ts'
import { chargeSubject } from '#server/ledger/rules.ts'
import { lockWallets, refund } from '#server/ledger/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import { LABEL_LEASE_MS } from '#server/orders/rules.ts'
import { selectVoiding } from '#server/orders/service.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { publish } from '#server/platform/outbox/outbox.ts'
import type { OutboxMessage } from '#server/platform/outbox/outbox.ts'
import { followVoidedParcels, resumePolls } from '#server/tracking/service.ts'
import { selectNetCredits } from './refunds-store.ts'
import { verdictOnVoid, withRefundDelay } from './rules.ts'
import type { VoidVerdict } from './rules.ts'
import { claimVoidById, claimVoids, writeVoidVerdicts } from './store.ts'
import type { VoidClaim } from './store.ts'

const CARRIER_VOIDS_AT_ONCE = 8
const MIN_TIMEOUT_MS = 1_000
const POLL_MS = 100

/** Shown on the statement. */
const AUTO_VOID_NOTE = 'Unused label: refunded before the carrier’s window ended'

/** `claimedAt`: performance.now() before the claim. `owners`: by label, the context of the account that sold it. */
export type ClaimedVoids = {
  claims: VoidClaim[]
  claimedAt: number
  owners: ReadonlyMap<number, LabelContext>
}

type AnsweredVoid = { claim: VoidClaim; answer: CarrierVoidResult; verdict: VoidVerdict }

const NOT_SENT: CarrierVoidResult = {
  kind: 'retryable',
  code: 'NOT_SENT',
  message: 'The void was not sent to the carrier in time',
}

/** Of the account of `ctx`. */
export async function processDueVoids(ctx: LabelContext): Promise<void> {
  while (!ctx.closing.aborted) {
    const claimed = await ctx.database.tx(tx => claimDueVoids(tx, ctx))
    if (claimed.claims.length === 0) return
    await askAndSettleVoids(ctx, claimed, ctx.config.carrierTimeoutMs)
  }
}

/** Until all voids are decided or `patienceMs` ends. */
export async function settleUntilDone(
  ctx: LabelContext,
  ids: number[],
  patienceMs: number,
  first: ClaimedVoids,
): Promise<void> {
  const { db, tx: inTx } = ctx.database
  const until = performance.now() + patienceMs
  let claimed = first
  let waiting = ids
  for (;;) {
    const timeoutMs = Math.min(
      ctx.config.carrierTimeoutMs,
      Math.max(MIN_TIMEOUT_MS, until - performance.now()),
    )
    const answered = await askAndSettleVoids(ctx, claimed, timeoutMs)
    // Carriers decide these within hours: nothing waits for them here.
    const undecided = new Set(
      answered.filter(({ verdict }) => isUndecided(verdict)).map(({ claim }) => claim.id),
    )
    waiting = await selectVoiding(
      db,
      waiting.filter(id => !undecided.has(id)),
    )
    if (waiting.length === 0 || ctx.closing.aborted || performance.now() >= until) return
    claimed = await inTx(tx => claimVoidsOfAll(tx, ctx, waiting))
    if (claimed.claims.length === 0) await wait(POLL_MS)
  }
}

const isUndecided = (verdict: VoidVerdict): boolean =>
  verdict.state === 'voiding'
  && (verdict.isSubmitted || verdict.isDoubted === true || verdict.isConfirmed === true)

/** Those of `among`, each for the account that sold it. Commit before calling the carriers. */
export async function claimVoidsOfAll(
  tx: Tx,
  ctx: LabelContext,
  among: number[],
): Promise<ClaimedVoids> {
  const all: ClaimedVoids[] = []
  for (const own of accountContexts(ctx)) all.push(await claimDueVoids(tx, own, among))
  return {
    claims: all.flatMap(({ claims }) => claims),
    claimedAt: all[0]!.claimedAt,
    owners: new Map(all.flatMap(({ owners }) => [...owners])),
  }
}

/** Of the account of `ctx`. Commit before calling the carrier. */
async function claimDueVoids(tx: Tx, ctx: LabelContext, among?: number[]): Promise<ClaimedVoids> {
  const { carrier } = ctx
  const claimedAt = performance.now()
  const claims = await claimWithBudget(tx, carrier, 'void', CARRIER_VOIDS_AT_ONCE, available =>
    claimVoids(tx, namesOfOwnCarrierAccount(ctx), available, LABEL_LEASE_MS, among),
  )
  return recordVoidCalls(tx, ctx, claimedAt, claims)
}

/**
 * Due or not, outside the rate limit. Empty if the label is not being voided, or of an account that is
 * not connected.
 */
export async function claimOneVoid(
  ctx: LabelContext,
  tx: Tx,
  orderId: number,
): Promise<ClaimedVoids> {
  const claimedAt = performance.now()
  for (const own of accountContexts(ctx)) {
    const claims = await claimVoidById(tx, namesOfOwnCarrierAccount(own), orderId, LABEL_LEASE_MS)
    if (claims.length > 0) return recordVoidCalls(tx, own, claimedAt, claims)
  }
  return { claims: [], claimedAt, owners: new Map() }
}

async function recordVoidCalls(
  tx: Tx,
  own: LabelContext,
  claimedAt: number,
  claims: VoidClaim[],
): Promise<ClaimedVoids> {
  await insertVoidCalls(
    tx,
    own.carrier.account,
    claims.map(claim => ({ ...claim, orderId: claim.id })),
  )
  return { claims, claimedAt, owners: new Map(claims.map(({ id }) => [id, own])) }
}

export async function askAndSettleVoids(
  ctx: LabelContext,
  { claims, claimedAt, owners }: ClaimedVoids,
  timeoutMs: number,
): Promise<AnsweredVoid[]> {
  const judge = (claim: VoidClaim, answer: CarrierVoidResult): AnsweredVoid => ({
    claim,
    answer,
    verdict: withRefundDelay(
      verdictOnVoid(answer, claim, owners.get(claim.id)!.carrier.quarantineMs),
      claim.price,
      ctx.config.refundDelayDays,
    ),
  })
  const answered = await Promise.all(
    claims.map(async claim => {
      // Past its lease the void may be settled elsewhere.
      if (performance.now() - claimedAt > LABEL_LEASE_MS - timeoutMs) return judge(claim, NOT_SENT)
      const request = {
        attempt: { reference: String(claim.id), round: claim.round },
        trackingNumber: claim.trackingNumber,
        isUnanswered: claim.unansweredMs !== null,
      }
      const own = owners.get(claim.id)!
      const answer = await callVoid(own.carrier, request, timeoutMs)
      await applyBackoff(own, answer)
      return judge(claim, answer)
    }),
  )
  if (answered.length > 0) await settleVoids(ctx, answered)
  return answered
}

/** A void that cannot be settled is claimed again when its lease ends. */
async function settleVoids(ctx: LabelContext, answered: AnsweredVoid[]): Promise<void> {
  await settleEach(
    answered,
    async group => {
      await ctx.database.tx(async tx => {
        await closeCarrierCalls(
          tx,
          group.map(({ claim, answer }) => ({
            orderId: claim.id,
            fence: claim.fence,
            outcome: answer,
          })),
        )
        await applyVoidVerdicts(ctx, tx, group)
      })
      reportDoubts(ctx, group)
      ctx.batchProgress.emit(batchIdsOf(confirmedOf(group)))
    },
    (error, { claim }) =>
      ctx.log.error({ err: error, orderId: claim.id }, 'a void could not be settled'),
  )
}

/** After the commit. */
function reportDoubts({ log }: LabelContext, answered: AnsweredVoid[]): void {
  for (const { claim, answer, verdict } of answered) {
    if (verdict.state === 'voiding' && verdict.isDoubted && 'code' in answer)
      log.warn(
        { orderId: claim.id, code: answer.code, message: answer.message },
        'the carrier refused a void after an unanswered request; the label may be voided',
      )
  }
}

type ClaimedVoidVerdict = { claim: VoidClaim; verdict: VoidVerdict }

const confirmedOf = (judged: ClaimedVoidVerdict[]): VoidClaim[] =>
  judged.filter(({ verdict }) => verdict.state === 'voided').map(({ claim }) => claim)

/**
 * Lock order: batches of confirmed voids, orders by id, corrections of refused voids and their users,
 * balances by account. Returns the number of changed labels.
 */
export async function applyVoidVerdicts(
  ctx: LabelContext,
  tx: Tx,
  judged: ClaimedVoidVerdict[],
): Promise<number> {
  const confirmed = confirmedOf(judged)
  return withBatchesLocked(tx, batchIdsOf(confirmed), async () => {
    const changed = await writeVoidVerdicts(tx, judged)
    const voided = confirmed.filter(claim => changed.has(claim.id))
    await followVoidedParcels(tx, [...waitingOf(judged, changed), ...voided.map(({ id }) => id)])
    const refused = refusedOf(judged, changed)
    await resumePolls(tx, refused)
    const corrected = await lockLinesOfRefused(tx, refused)
    // Both at once, so that balances are locked in the order of their accounts.
    const owners = [...voided, ...corrected.lines].map(({ userId }) => userId)
    if (owners.length > 0) await lockWallets(tx, owners)
    if (voided.length > 0) await refundVoided(tx, voided)
    await settleRefusedVoids(tx, corrected)
    // An open batch builds its files at its end; a closed one builds them again.
    return { result: changed.size, changedBatchIds: batchIdsOf(voided) }
  })
}

/** Confirmed voids whose refund waits: their parcels are followed from now on. */
const waitingOf = (judged: ClaimedVoidVerdict[], changed: ReadonlySet<number>): number[] =>
  judged.flatMap(({ claim, verdict }) =>
    verdict.state === 'voiding' && verdict.isConfirmed && changed.has(claim.id) ? [claim.id] : [],
  )

/** Labels that are valid again: their parcels are polled and their corrections count. */
const refusedOf = (judged: ClaimedVoidVerdict[], changed: ReadonlySet<number>): number[] =>
  judged.flatMap(({ claim, verdict }) =>
    verdict.state === 'purchased' && changed.has(claim.id) ? [claim.id] : [],
  )

const voidedMessage = (claim: VoidClaim): OutboxMessage => ({
  userId: claim.userId,
  type: 'label.voided',
  isBulkRow: claim.batchId !== null,
  data: {
    orderId: String(claim.id),
    batchId: claim.batchId === null ? null : String(claim.batchId),
    state: 'voided',
    trackingNumber: claim.trackingNumber,
    amount: dollars(claim.price),
  },
})

/** The balances must be locked. */
async function refundVoided(tx: Tx, voided: VoidClaim[]): Promise<void> {
  await refund(
    tx,
    voided.map(claim => ({
      ...claim,
      ownerId: claim.userId,
      orderId: claim.id,
      note: claim.isAutomatic ? AUTO_VOID_NOTE : undefined,
    })),
  )
  await takeCreditsBack(tx, voided)
  await publish(tx, voided.map(voidedMessage))
}

/**
 * What corrections credited before is part of the refund, so that a label gives back no more than it
 * took. Needs the balances locked.
 */
async function takeCreditsBack(tx: Tx, voided: readonly VoidClaim[]): Promise<void> {
  const credits = await selectNetCredits(
    tx,
    voided.map(({ id }) => id),
  )
  for (const { id, userId } of voided) {
    const credited = credits.get(id)
    if (credited === undefined) continue
    await chargeOwed(tx, {
      ownerId: userId,
      orderId: id,
      subject: chargeSubject('voidCredit', id),
      reason: 'Credited before by a carrier adjustment, and part of this label’s refund',
      cents: credited,
    })
  }
}
