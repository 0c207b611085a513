/** Corrections after they were applied: disputes, credits, labels named by hand, and the rules. */
import { dollars, usd, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { cents } from '#contract/money.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { assertMayGive, lockMoneyMoves } from '#server/accounts/balance-adjustments.ts'
import type { UserRef } from '#server/accounts/rules.ts'
import { getUser } from '#server/accounts/service.ts'
import { giveBackCharge, waitingBySubject, waitingOf } from '#server/ledger/owed-charges.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { assertNotNew, settleLine, subjectOf } from './apply.ts'
import type { FileContext } from './apply.ts'
import { NO_RULE } from './rules.ts'
import type { Rule } from './rules.ts'
import {
  deleteRule,
  findAdjustment,
  lockAdjustment,
  lockLabel,
  lockRules,
  selectAdjustments,
  selectLabelTotals,
  selectOfUser,
  selectRules,
  selectRulesOf,
  setAnswer,
  setCreditedBack,
  setDispute,
  upsertRule,
} from './store.ts'
import type { AdjustmentRecord } from './store.ts'

type DatabaseContext = Pick<Context, 'database'>

/** `waiting`: of what the customer pays, what the balance did not cover. */
export type AdjustmentView = AdjustmentRecord & { waiting: Cents }

async function withWaiting(
  db: Db,
  records: readonly AdjustmentRecord[],
): Promise<AdjustmentView[]> {
  const waiting = await waitingBySubject(
    db,
    records.map(({ id }) => subjectOf(id)),
  )
  return records.map(one => ({ ...one, waiting: waiting.get(subjectOf(one.id)) ?? ZERO }))
}

const viewOf = async (db: Db, id: number): Promise<AdjustmentView> =>
  (await withWaiting(db, [(await findAdjustment(db, id))!]))[0]!

type WaitingSum = Awaited<ReturnType<typeof waitingOf>>

/** Newest first. */
export async function adjustmentsOf(
  db: Db,
  userId: number,
  orderId: number | null,
  page: { page: number; limit: number },
): Promise<{ adjustments: AdjustmentView[]; total: number; waiting: WaitingSum }> {
  const { rows, total } = await selectOfUser(db, userId, orderId, page)
  return {
    adjustments: await withWaiting(db, rows),
    total,
    waiting: await waitingOf(db, userId),
  }
}

/** Newest first. */
export async function allAdjustments(
  db: Db,
  show: Parameters<typeof selectAdjustments>[1],
  page: { page: number; limit: number },
) {
  const { rows, ...counts } = await selectAdjustments(db, show, page)
  return {
    adjustments: await withWaiting(db, rows),
    ...counts,
    waiting: await waitingOf(db, null),
  }
}

const unknown = () => new Refusal('adjustment_unknown', 'There is no such adjustment')

async function lockExisting(tx: Tx, id: number): Promise<AdjustmentRecord> {
  const found = await lockAdjustment(tx, id)
  if (!found) throw unknown()
  return found
}

/** Throws Refusal 404, and 409 for one that cannot be disputed. */
export const dispute = (
  ctx: DatabaseContext,
  userId: number,
  id: number,
  note: string,
): Promise<AdjustmentView> =>
  ctx.database.tx(async tx => {
    const found = await lockExisting(tx, id)
    if (found.user?.id !== userId || found.passed === 0) throw unknown()
    if (found.dispute !== note) {
      if (found.dispute !== null)
        throw new Refusal('already_done', 'You have disputed this adjustment already')
      if (found.passed < 0 || found.creditedBackAt)
        throw new Refusal('wrong_state', 'Nothing is charged for this adjustment')
      await setDispute(tx, id, note)
    }
    return viewOf(tx, id)
  })

const ownRefusal = () =>
  new Refusal('not_your_own', 'You cannot decide this for yourself. Another administrator can.')

/**
 * Gives back what the customer still pays for a correction. A repeat changes nothing. Throws
 * Refusal: 404, 409 if there is nothing to give back or the account was deleted, and 403 beyond the
 * administrator's daily limit.
 */
export const creditBack = (
  ctx: FileContext,
  id: number,
  actorId: number,
): Promise<AdjustmentView> =>
  ctx.database.tx(async tx => {
    await lockMoneyMoves(tx, actorId)
    const orderId = (await findAdjustment(tx, id))?.orderId
    const label = orderId ? await lockLabel(tx, orderId) : undefined
    const found = await lockExisting(tx, id)
    if (found.creditedBackAt) return viewOf(tx, id)
    const { user, passed } = found
    if (!user || !orderId || passed <= 0)
      throw new Refusal('wrong_state', 'Nothing was charged for this adjustment')
    if (user.id === actorId) throw ownRefusal()
    if (label?.isDeleted)
      throw new Refusal(
        'wrong_state',
        `The account of label ${orderId} was deleted. Add what you owe to its balance under User Management, status Deleted. `
          + 'An open dispute can be declined.',
      )
    const net = (await selectLabelTotals(tx, [orderId])).get(orderId)!.passed
    const amount = cents(Math.min(passed, net))
    if (amount <= 0)
      throw new Refusal(
        'wrong_state',
        'A later correction of the carrier has given it back already',
      )
    await assertMayGive(ctx, tx, actorId, amount)
    await setCreditedBack(tx, id, { amount, actorId })
    await giveBackCharge(tx, subjectOf(id), {
      most: amount,
      actorId,
      reason: 'Credited back by support',
    })
    const detail = { amount: dollars(amount), orderId: String(orderId) }
    await insertAuditEntry(tx, {
      actorId,
      subjectId: user.id,
      action: 'adjustment-credited',
      detail,
    })
    return viewOf(tx, id)
  })

/** Throws Refusal 404, and 409 without an open dispute. The same answer again changes nothing. */
export const decline = (
  ctx: DatabaseContext,
  id: number,
  answer: string,
  actorId: number,
): Promise<AdjustmentView> =>
  ctx.database.tx(async tx => {
    const found = await lockExisting(tx, id)
    if (found.answer === answer) return viewOf(tx, id)
    if (found.dispute === null || found.answeredAt || found.creditedBackAt)
      throw new Refusal('wrong_state', 'There is no open dispute of this adjustment')
    if (found.user!.id === actorId) throw ownRefusal()
    await setAnswer(tx, id, { answer, actorId })
    await insertAuditEntry(tx, {
      actorId,
      subjectId: found.user!.id,
      action: 'dispute-declined',
      detail: { orderId: String(found.orderId) },
    })
    return viewOf(tx, id)
  })

/**
 * Throws Refusal: 404 for an unknown correction or label, 409 for one that has another label and for
 * a label with an open void, 403 for a label of the actor's own account and in an administrator's
 * first 24 hours.
 */
export async function match(
  ctx: FileContext,
  id: number,
  orderId: number,
  actorId: number,
): Promise<AdjustmentView> {
  await assertNotNew(ctx, actorId)
  return ctx.database.tx(async tx => {
    await lockMoneyMoves(tx, actorId)
    const found = await lockExisting(tx, id)
    if (found.orderId === orderId) return viewOf(tx, id)
    if (found.orderId !== null)
      throw new Refusal('already_done', `This adjustment belongs to label ${found.orderId}`)
    const label = await lockLabel(tx, orderId)
    if (!label) throw new Refusal('order_unknown', `No bought label has the number ${orderId}`)
    // The customer's credit is known only when the void ends, and counts toward the limit of manual credits.
    if (label.isVoiding)
      throw new Refusal(
        'wrong_state',
        `Label ${orderId} has an open void. Name it when its refund is paid or refused.`,
      )
    const { passed } = await settleLine(tx, id, found, label, actorId)
    if (passed < 0) await assertMayGive(ctx, tx, actorId, cents(-passed))
    await insertAuditEntry(tx, {
      actorId,
      subjectId: label.user.id,
      action: 'adjustment-matched',
      detail: { orderId: String(orderId), amount: dollars(passed) },
    })
    return viewOf(tx, id)
  })
}

export type Rules = { all: Rule; users: (Rule & { user: UserRef })[] }

export async function readRules(db: Db): Promise<Rules> {
  const rows = await selectRules(db)
  return {
    all: rows.find(({ user }) => user === null) ?? NO_RULE,
    users: rows.flatMap(({ user, ...rule }) => (user ? [{ user, ...rule }] : [])),
  }
}

const isSameRule = (a: Rule | null, b: Rule | null): boolean =>
  a?.kind === b?.kind && (a?.limit ?? null) === (b?.limit ?? null)

const ruleText = (rule: Rule | null): string =>
  rule === null
    ? 'none of their own'
    : {
        absorb: 'not charged',
        pass_on: 'charged in full',
        limit: `charged up to ${usd(rule.limit ?? ZERO)} per label`,
      }[rule.kind]

/**
 * `userId`: null for all users; `rule`: null removes the user's own. Throws Refusal 404, 403 for oneself, and 409 when
 * the rule is neither this one nor the one that was `seen`.
 */
export const setRule = (
  ctx: DatabaseContext,
  userId: number | null,
  { rule, seen }: { rule: Rule | null; seen?: Rule | null | undefined },
  actorId: number,
): Promise<Rules> =>
  ctx.database.tx(async tx => {
    if (userId === actorId) throw ownRefusal()
    if (userId !== null) await getUser(tx, userId)
    await lockRules(tx)
    const stored = (await selectRulesOf(tx, userId === null ? [] : [userId])).get(userId)
    const before = stored ?? (userId === null ? NO_RULE : null)
    if (seen !== undefined && !isSameRule(before, seen) && !isSameRule(before, rule))
      throw new Refusal(
        'changed_meanwhile',
        `The rule has changed in the meantime, to: ${ruleText(before)}. Nothing was saved.`,
      )
    if (rule) await upsertRule(tx, userId, rule, actorId)
    else await deleteRule(tx, userId!)
    const detail = {
      rule: rule?.kind ?? 'none',
      ...(rule?.limit && { limit: dollars(rule.limit) }),
    }
    await insertAuditEntry(tx, {
      actorId,
      subjectId: userId,
      action: 'adjustment-rule-set',
      detail,
    })
    return readRules(tx)
  })
