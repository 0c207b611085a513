/**
 * Corrections that were read while a void was open are settled as for a voided label. Once the carrier
 * has refused the void they are settled as for any other label (docs/decisions/0076).
 */
import { cents } from '#contract/money.ts'
import { creditCustomer, postCarrierCost, raiseCharge } from '#server/ledger/owed-charges.ts'
import { refusedVoidSubject } from '#server/ledger/rules.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { assess, subjectOf } from './apply.ts'
import { NO_HISTORY, noteOf, withLine } from './rules.ts'
import type { LabelHistory } from './rules.ts'
import { lockLinesOfVoids, lockUsersOfLabels, selectRulesOf, setLabel } from './store.ts'
import type { Assessment, BookedLine, MatchedLabel } from './store.ts'

/** All corrections of the labels that have one to settle again. */
export type LinesOfRefused = { lines: BookedLine[]; labels: ReadonlyMap<number, MatchedLabel> }

const NOTHING: LinesOfRefused = { lines: [], labels: new Map() }

/**
 * For locked labels whose void was refused. Locks their corrections and then their users;
 * `settleRefusedVoids` needs the users' balances locked next.
 */
export async function lockLinesOfRefused(
  tx: Tx,
  orderIds: readonly number[],
): Promise<LinesOfRefused> {
  if (orderIds.length === 0) return NOTHING
  const lines = await lockLinesOfVoids(tx, orderIds)
  if (lines.length === 0) return NOTHING
  return { lines, labels: await lockUsersOfLabels(tx, [...new Set(lines.map(l => l.orderId))]) }
}

/** Books how the lines' new amounts differ from what was booked for them. The lines record it, so it is done once. */
export async function settleRefusedVoids(tx: Tx, { lines, labels }: LinesOfRefused): Promise<void> {
  if (lines.length === 0) return
  const rules = await selectRulesOf(tx, [...new Set(lines.map(({ userId }) => userId))])
  const histories = new Map<number, LabelHistory>()
  for (const line of lines) {
    const { orderId, reportedOn } = line
    const label = labels.get(orderId)!
    const before = histories.get(orderId) ?? NO_HISTORY
    const { amount, passed } = line.wasVoided
      ? await settleAgain(tx, line, label, assess(line, label, before, rules))
      : line.booked
    const kept = cents(passed - line.creditedBack)
    histories.set(orderId, withLine(before, { amount, passed: kept, reportedOn }))
  }
}

/**
 * An account that was deleted pays and gets nothing more, and what the operator has credited back is
 * not charged again. Returns the line's new amounts.
 */
async function settleAgain(
  tx: Tx,
  line: BookedLine,
  label: MatchedLabel,
  assessed: Assessment,
): Promise<Assessment> {
  const { id, booked, isCreditedBack } = line
  const { orderId, user } = label
  const isFinal = label.isDeleted || isCreditedBack
  const settled = isFinal ? { ...assessed, passed: booked.passed } : assessed
  await setLabel(tx, id, label, settled)
  const again = refusedVoidSubject(subjectOf(id))
  const owner = { ownerId: user.id, orderId }
  await postCarrierCost(tx, owner, again, cents(settled.amount - booked.amount))
  const more = settled.passed - booked.passed
  const charge = { ...owner, reason: noteOf(line.reason, line), cents: cents(Math.abs(more)) }
  if (more < 0) await creditCustomer(tx, { ...charge, subject: again })
  // Raises the line's one charge, so that a dispute gives it back whole.
  if (more > 0) await raiseCharge(tx, { ...charge, subject: subjectOf(id) })
  return settled
}
