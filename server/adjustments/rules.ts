/** Who pays a correction, and what it says. Pure. */
import type { Evidence, Measures } from '#contract/adjustments.ts'
import type { AdjustmentRuleKind, AdjustmentState } from '#contract/adjustments.ts'
import { numberText } from '#contract/format.ts'
import { cents, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'

/** `limit`: for each label, of the rule `limit` alone. */
export type Rule = { kind: AdjustmentRuleKind; limit: Cents | null }

/** Until the operator sets one, customers pay nothing. */
export const NO_RULE: Rule = { kind: 'absorb', limit: null }

/**
 * `wasVoided`: also while the void is open. `isRefundKept`: the carrier voided the label, and the
 * operator kept the refund because it was used. `price`: what the customer paid for the label.
 */
export type LabelFacts = {
  wasVoided: boolean
  isRefundKept: boolean
  isDeleted: boolean
  price: Cents
}

/** What a label's earlier corrections came to. `passed`: for the customer, less what was credited back. */
export type LabelTotals = { carrier: Cents; passed: Cents }

/** `reportedOn`: last day of the newest report that told the whole change. */
export type LabelHistory = LabelTotals & { reportedOn: string | null }

export const NO_HISTORY: LabelHistory = { carrier: ZERO, passed: ZERO, reportedOn: null }

/** `before` with one more line. */
export const withLine = (
  before: LabelHistory,
  { amount, passed, reportedOn }: { amount: Cents; passed: Cents; reportedOn: string | null },
): LabelHistory => ({
  carrier: cents(before.carrier + amount),
  passed: cents(before.passed + passed),
  reportedOn: newerDay(before.reportedOn, reportedOn),
})

const newerDay = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b > a) ? b : a

/**
 * By how much a line changes the carrier's charge. Of whole changes the newest report counts,
 * whenever it is read: an older one changes nothing.
 */
export function changeOf(
  line: { amount: Cents; isTotal: boolean; reportedOn: string | null },
  before: LabelHistory,
): Cents {
  if (!line.isTotal) return line.amount
  const isOlder = before.reportedOn !== null && line.reportedOn! < before.reportedOn
  return isOlder ? ZERO : cents(line.amount - before.carrier)
}

/**
 * What the customer pays of a correction; below zero: is credited. A correction that takes back
 * earlier ones first gives back what the customer paid of them (or takes back what they were
 * credited); the rule decides about the rest.
 */
export function passedAmount(amount: Cents, rule: Rule, before: LabelTotals): Cents {
  const sign = Math.sign(amount)
  if (sign === 0) return ZERO
  const size = Math.abs(amount)
  const takenBack = Math.min(size, Math.max(0, -sign * before.carrier))
  const returned = Math.min(takenBack, Math.max(0, -sign * before.passed))
  const passedBefore = Math.max(0, sign * before.passed)
  const rest = size - takenBack
  const byRule =
    rule.kind === 'pass_on'
      ? rest
      : rule.kind === 'absorb'
        ? 0
        : Math.min(rest, Math.max(0, (rule.limit ?? 0) - passedBefore))
  const passed = returned + byRule
  return passed === 0 ? ZERO : cents(sign * passed)
}

/**
 * The price of a voided label goes back whole: its customer pays no correction of it and gets none,
 * beyond what an earlier one charged or credited.
 */
export const ruleFor = (own: Rule, label: Pick<LabelFacts, 'wasVoided' | 'isDeleted'>): Rule =>
  label.wasVoided || label.isDeleted ? NO_RULE : own

/**
 * `amount`: how the carrier's charge changes. A credit for a label with a void is the void's refund,
 * which the void itself counts, beyond what takes earlier corrections back. After a kept refund a
 * credit is the operator's. `passed`: what the customer pays; credits together are at most what the
 * customer paid for the label. Accounts that were deleted are neither charged nor credited.
 */
export function settlementOf(
  change: Cents,
  own: Rule,
  label: LabelFacts,
  before: LabelTotals,
): { amount: Cents; passed: Cents; rule: Rule } {
  const rule = change < 0 && label.isRefundKept ? NO_RULE : ruleFor(own, label)
  const amount = label.wasVoided ? notBelow(change, before.carrier) : change
  if (label.isDeleted) return { amount, rule, passed: ZERO }
  const passed = passedAmount(amount, rule, before)
  return { amount, rule, passed: notBelow(passed, cents(label.price + before.passed)) }
}

/** An amount above or at minus `most`. */
const notBelow = (amount: Cents, most: Cents): Cents =>
  amount < 0 ? cents(Math.min(0, Math.max(amount, -Math.max(0, most))) || 0) : amount

export function stateOf(facts: {
  isMatched: boolean
  passed: Cents
  waiting: Cents
  isCreditedBack: boolean
}): AdjustmentState {
  if (!facts.isMatched) return 'unmatched'
  if (facts.isCreditedBack) return 'credited_back'
  if (facts.passed === 0) return 'absorbed'
  if (facts.passed < 0) return 'credited'
  return facts.waiting > 0 ? 'waiting' : 'charged'
}

const MEASURE_NAMES: Record<keyof Measures, string> = {
  weightOz: 'weight',
  lengthIn: 'length',
  widthIn: 'width',
  heightIn: 'height',
  zone: 'zone',
  service: 'service',
  package: 'package',
}
const UNITS: Partial<Record<keyof Measures, string>> = {
  weightOz: ' oz',
  lengthIn: ' in',
  widthIn: ' in',
  heightIn: ' in',
}

/** '50 oz measured, 32 oz declared; zone 5, declared 4': what was measured otherwise. '' without any. */
export function evidenceText({ declared, measured }: Evidence): string {
  const keys = Object.keys(MEASURE_NAMES) as (keyof Measures)[]
  return keys
    .flatMap(key => {
      const [was, is] = [declared[key], measured[key]]
      if (is === undefined || is === was) return []
      const [name, now] = [MEASURE_NAMES[key], measureText(key, is)]
      if (was === undefined) return [`${name} ${now}`]
      const before = measureText(key, was)
      // Ounces can only be the weight.
      if (key === 'weightOz') return [`${now} measured, ${before} declared`]
      return [
        key in UNITS
          ? `${name} ${now} measured, ${before} declared`
          : `${name} ${now}, declared ${before}`,
      ]
    })
    .join('; ')
}

const measureText = (key: keyof Measures, value: string | number): string =>
  `${typeof value === 'number' ? numberText(value) : value}${UNITS[key] ?? ''}`

/** The note on the statement: the carrier's reason and what it measured. */
export function noteOf(reason: string, evidence: Evidence): string {
  const parts = [reason, evidenceText(evidence)].filter(part => part !== '')
  return parts.length === 0 ? 'Corrected by the carrier' : parts.join(': ')
}
