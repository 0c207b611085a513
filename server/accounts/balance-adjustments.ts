/** Adjustments of balances by administrators, and those that a second administrator confirms. */
import { cents, dollars, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { adjustBalanceTo } from '#server/ledger/adjustment.ts'
import { waitingCharges } from '#server/ledger/owed-charges.ts'
import { adjustedBy, lockWallets, walletOf, walletsOf } from '#server/ledger/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { insertAuditEntry } from './audit-store.ts'
import {
  confirmedSum,
  decideRequest,
  findRequest,
  givenByHand,
  insertRequest,
  isNewAdministrator,
  replaceOpenRequest,
  selectOpenRequests,
} from './balance-request-store.ts'
import type { OpenBalanceRequest, StoredRequest } from './balance-request-store.ts'
import { lockWalletOwner, withWallet } from './service.ts'
import type { UserWithWallet } from './service.ts'
import { findUser } from './store.ts'
import type { UserRecord } from './store.ts'

export { isNewAdministrator, lockMoneyMoves } from './balance-request-store.ts'

type SecondReason = 'beyond-limit' | 'new-administrator'
/** Why it waits for a second administrator, if it does. */
export type AdjustmentOutcome = 'booked' | SecondReason
export type BalanceUpdate = { balance: Cents; expectedBalance: Cents | undefined; reason: string }

/**
 * Sets the balance, or asks a second administrator: where the sum of the day would pass the limit,
 * and in an administrator's first 24 hours. Then nothing is booked. Either way it replaces what the
 * administrator asked for before. Needs `lockMoneyMoves` and the user's lock. Throws
 * 403 for the administrator's own balance, 409 when the balance differs from
 * `expectedBalance` and while charges wait for money.
 */
export async function setBalance(
  ctx: Context,
  tx: Tx,
  actor: Caller,
  userId: number,
  { balance, expectedBalance, reason }: BalanceUpdate,
): Promise<AdjustmentOutcome> {
  await lockWallets(tx, [userId])
  const { available } = await walletOf(tx, userId)
  if (available === balance) {
    await replaceOpenRequest(tx, userId, actor.userId)
    return 'booked'
  }
  if (userId === actor.userId) throw ownBalance()
  await assertNothingWaits(tx, userId)
  if (expectedBalance !== undefined && expectedBalance !== available) {
    throw new Refusal(
      'balance_changed',
      `The balance has changed from ${usd(expectedBalance)} to ${usd(available)}. Nothing was changed.`,
    )
  }
  const difference = cents(balance - available)
  const needsSecond = await reasonForSecond(ctx, tx, actor.userId, difference)
  if (needsSecond) {
    const isNew = await insertRequest(tx, { userId, askedBy: actor.userId, difference, reason })
    if (isNew)
      await insertAuditEntry(tx, {
        actorId: actor.userId,
        subjectId: userId,
        action: 'adjustment-requested',
        detail: { to: dollars(balance), difference: dollars(difference), reason },
      })
    return needsSecond
  }
  await replaceOpenRequest(tx, userId, actor.userId)
  const detail = {
    from: dollars(available),
    to: dollars(balance),
    difference: dollars(difference),
    reason,
  }
  const auditId = await insertAuditEntry(tx, {
    actorId: actor.userId,
    subjectId: userId,
    action: 'adjusted',
    detail,
  })
  await adjustBalanceTo(tx, userId, balance, { actorId: actor.userId, reason, auditId })
  return 'booked'
}

/** Money that comes in would pay what waits at once, and the same request again would add it again. */
async function assertNothingWaits(tx: Tx, userId: number): Promise<void> {
  const waiting = await waitingCharges(tx, userId)
  if (waiting.length === 0) return
  const total = cents(waiting.reduce((sum, { due }) => sum + due, 0))
  const named = waiting.slice(0, NAMED_CHARGES)
  const charges = named.map(({ orderId, due }) => `${usd(due)} of label ${orderId}`).join(', ')
  const others = waiting.length - named.length
  throw new Refusal(
    'wrong_state',
    `${usd(total)} of charges wait for money: ${charges}${others > 0 ? ` and ${others} more` : ''}. `
      + 'Nothing was changed. Credit the charges back first, or wait until a deposit pays them.',
  )
}
const NAMED_CHARGES = 3

const ownBalance = () =>
  new Refusal('not_your_own', 'You cannot change your own balance. Another administrator can.')

/**
 * What others confirmed is theirs too, and does not count. A new administrator has no limit of their
 * own: one administrator could make any number of them.
 */
async function reasonForSecond(
  { config }: Pick<Context, 'config'>,
  tx: Tx,
  adminId: number,
  difference: Cents,
): Promise<SecondReason | null> {
  const limit = config.adjustmentDailyLimit
  if (limit === null) return null
  if (await isNewAdministrator(tx, adminId)) return 'new-administrator'
  // In this order: what is confirmed at this moment counts rather twice than not at all.
  const confirmed = await confirmedSum(tx, adminId)
  const alone = (await adjustedBy(tx, adminId)) - confirmed + (await givenByHand(tx, adminId))
  return alone + Math.abs(difference) > limit ? 'beyond-limit' : null
}

/**
 * Before a credit that an administrator gives by hand. Needs `lockMoneyMoves`. Throws Refusal 403
 * beyond the limit of the day, which balance adjustments share, and in the first 24 hours.
 */
export async function assertMayGive(
  ctx: Pick<Context, 'config'>,
  tx: Tx,
  adminId: number,
  amount: Cents,
): Promise<void> {
  const reason = await reasonForSecond(ctx, tx, adminId, amount)
  if (reason === 'new-administrator')
    throw new Refusal(
      'administrator_too_new',
      'You have been an administrator for less than 24 hours. Another administrator can do this.',
    )
  if (reason === 'beyond-limit')
    throw new Refusal(
      'administrator_limit_reached',
      `With ${usd(amount)} you would pass the ${usd(ctx.config.adjustmentDailyLimit!)} that one administrator may move in 24 hours. `
        + 'Another administrator can do this. Nothing was changed.',
    )
}

export type BalanceRequestItem = OpenBalanceRequest & { available: Cents }

/** Changes that wait, the oldest first, with the balances as they are now. */
export async function openBalanceRequests(db: Db): Promise<BalanceRequestItem[]> {
  const requests = await selectOpenRequests(db)
  const wallets = await walletsOf(
    db,
    requests.map(({ user }) => user.id),
  )
  return requests.map(request => ({
    ...request,
    available: wallets.get(request.user.id)?.available ?? ZERO,
  }))
}

/**
 * Books a change that another administrator asked for: its difference, on the balance as it is now.
 * Throws 403 for the one who asked, for the own balance and in an administrator's first 24
 * hours, so that none can make their own second one; 409 when it is decided already, when
 * the balance is too low, while charges wait for money, and when the one who asked is no administrator any more.
 */
export async function confirmRequest(
  ctx: Context,
  actor: Caller,
  requestId: number,
): Promise<UserWithWallet> {
  const user = await ctx.database.tx(async tx => {
    const { request, user: locked, asker } = await lockRequest(tx, actor, requestId)
    if (request.askedBy === actor.userId)
      throw new Refusal(
        'not_your_own',
        'You asked for this change. Another administrator confirms it.',
      )
    if (ctx.config.adjustmentDailyLimit !== null && (await isNewAdministrator(tx, actor.userId)))
      throw new Refusal(
        'administrator_too_new',
        'You have been an administrator for less than 24 hours. Another administrator confirms this change.',
      )
    if (asker?.role !== 'admin' || asker.activation !== 'allow')
      throw new Refusal(
        'wrong_state',
        'The user who asked for this change is not an administrator any more. Decline it.',
      )
    const { userId, difference, reason } = request
    await lockWallets(tx, [userId])
    await assertNothingWaits(tx, userId)
    const { available } = await walletOf(tx, userId)
    const target = cents(available + difference)
    if (target < ZERO)
      throw new Refusal(
        'balance_changed',
        `Only ${usd(available)} is available now, less than the ${usd(cents(-difference))} to be taken. Nothing was changed.`,
      )
    await decideRequest(tx, requestId, 'confirmed', actor.userId)
    const auditId = await insertAuditEntry(tx, {
      actorId: actor.userId,
      subjectId: userId,
      action: 'adjusted',
      detail: {
        from: dollars(available),
        to: dollars(target),
        difference: dollars(difference),
        reason,
        askedBy: asker.name,
        askedById: asker.id,
      },
    })
    await adjustBalanceTo(tx, userId, target, { actorId: asker.id, reason, auditId })
    return locked
  })
  return withWallet(ctx.database.db, user)
}

/** The one who asked withdraws it. Throws 403 for the own balance, 409 when it is decided already. */
export async function declineRequest(
  ctx: Context,
  actor: Caller,
  requestId: number,
  reason: string,
): Promise<'declined' | 'withdrawn'> {
  return ctx.database.tx(async tx => {
    const { request, asker } = await lockRequest(tx, actor, requestId)
    if (request.askedBy === actor.userId) {
      await replaceOpenRequest(tx, request.userId, actor.userId)
      await insertAuditEntry(tx, {
        actorId: actor.userId,
        subjectId: request.userId,
        action: 'adjustment-withdrawn',
        detail: { difference: dollars(request.difference) },
      })
      return 'withdrawn'
    }
    await decideRequest(tx, requestId, 'declined', actor.userId)
    await insertAuditEntry(tx, {
      actorId: actor.userId,
      subjectId: request.userId,
      action: 'adjustment-declined',
      detail: {
        difference: dollars(request.difference),
        askedBy: asker?.name,
        askedById: request.askedBy,
        ...(reason.trim() !== '' && { reason: reason.trim() }),
      },
    })
    return 'declined'
  })
}

type LockedRequest = { request: StoredRequest; user: UserRecord; asker: UserRecord | undefined }

async function lockRequest(tx: Tx, actor: Caller, id: number): Promise<LockedRequest> {
  const seen = await findRequest(tx, id)
  if (!seen) throw new Refusal('change_unknown', 'This change does not exist.')
  if (seen.userId === actor.userId) throw ownBalance()
  const user = await lockWalletOwner(tx, seen.userId)
  const request = (await findRequest(tx, id, true))!
  if (request.state !== 'open')
    throw new Refusal(
      'already_done',
      `This change was already ${request.state === 'replaced' ? 'withdrawn or replaced' : request.state}.`,
    )
  return { request, user, asker: await findUser(tx, request.askedBy) }
}
