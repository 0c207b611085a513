/** Applies files of the carrier's corrections, one transaction for each line. */
import { cents, dollars, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import type { UserRef } from '#server/accounts/rules.ts'
import { chargeOwed, creditCustomer, postCarrierCost } from '#server/ledger/owed-charges.ts'
import { walletsOf } from '#server/ledger/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { readAdjustments } from './read-file.ts'
import type { AdjustmentLine, AdjustmentSheet } from './read-file.ts'
import { noteOf, NO_RULE, passedAmount, ruleFor } from './rules.ts'
import type { LabelTotals, Rule } from './rules.ts'
import {
  insertLine,
  lockLabel,
  selectKnownKeys,
  selectLabels,
  selectLabelTotals,
  selectRulesOf,
  setLabel,
} from './store.ts'
import type { Assessment, MatchedLabel } from './store.ts'

type DatabaseContext = Pick<Context, 'database'>

export const subjectOf = (adjustmentId: number): string => `adjustment:${adjustmentId}`

const NOTHING_YET: LabelTotals = { carrier: ZERO, passed: ZERO }

/** `waiting`: of `passed`, what the balance does not cover. */
export type LineOutcome = {
  state: 'repeated' | 'unmatched' | 'absorbed' | 'charged' | 'waiting' | 'credited'
  amount: Cents
  passed: Cents
  waiting: Cents
}

/** `carrierAmount`: of the lines that are not repeated. */
export type FileTotals = Record<'lines' | 'repeated' | 'unmatched', number>
  & Record<'carrierAmount' | 'charged' | 'waiting' | 'credited', Cents>

const outcomeOf = ({ amount, passed }: Assessment, waiting: Cents): LineOutcome => ({
  state: passed === 0 ? 'absorbed' : passed < 0 ? 'credited' : waiting > 0 ? 'waiting' : 'charged',
  amount,
  passed,
  waiting,
})

const REPEATED: LineOutcome = { state: 'repeated', amount: ZERO, passed: ZERO, waiting: ZERO }
const unmatched = (amount: Cents): LineOutcome => ({ ...REPEATED, state: 'unmatched', amount })

function assess(
  line: Pick<AdjustmentLine, 'amount' | 'isTotal'>,
  label: MatchedLabel,
  before: LabelTotals,
  rules: ReadonlyMap<number | null, Rule>,
): Assessment {
  const amount = line.isTotal ? cents(line.amount - before.carrier) : line.amount
  const own = rules.get(label.user.id) ?? rules.get(null) ?? NO_RULE
  const rule = ruleFor(own, label)
  return { amount, rule, passed: passedAmount(amount, rule, before) }
}

/** Charges or credits the customer of a label and books the carrier's cost. */
export async function settleLine(
  tx: Tx,
  adjustmentId: number,
  line: Pick<AdjustmentLine, 'amount' | 'isTotal' | 'reason' | 'declared' | 'measured'>,
  label: MatchedLabel,
): Promise<LineOutcome> {
  const { orderId, user } = label
  const totals = await selectLabelTotals(tx, [orderId])
  const rules = await selectRulesOf(tx, [user.id])
  const assessed = assess(line, label, totals.get(orderId) ?? NOTHING_YET, rules)
  const { amount, passed } = assessed
  await setLabel(tx, adjustmentId, label, assessed)
  const subject = subjectOf(adjustmentId)
  await postCarrierCost(tx, { ownerId: user.id, orderId }, subject, amount)
  const reason = noteOf(line.reason, line)
  const charge = { ownerId: user.id, orderId, subject, reason, cents: cents(Math.abs(passed)) }
  if (passed < 0) await creditCustomer(tx, charge)
  const collected = passed > 0 ? await chargeOwed(tx, charge) : ZERO
  return outcomeOf(assessed, passed > 0 ? cents(passed - collected) : ZERO)
}

const applyLine = (
  ctx: DatabaseContext,
  line: AdjustmentLine,
  orderId: number | undefined,
  by: { fileName: string; actorId: number },
): Promise<LineOutcome> =>
  ctx.database.tx(async tx => {
    const id = await insertLine(tx, line, by)
    if (id === undefined) return REPEATED
    const label = orderId === undefined ? undefined : await lockLabel(tx, orderId)
    return label ? settleLine(tx, id, line, label) : unmatched(line.amount)
  })

function addUp(outcomes: readonly LineOutcome[]): FileTotals {
  const count = (state: LineOutcome['state']): number =>
    outcomes.filter(one => one.state === state).length
  const total = (pick: (one: LineOutcome) => number): Cents =>
    cents(outcomes.reduce((sum, one) => sum + pick(one), 0))
  return {
    lines: outcomes.length,
    repeated: count('repeated'),
    unmatched: count('unmatched'),
    carrierAmount: total(({ amount }) => amount),
    charged: total(({ passed, waiting }) => Math.max(0, passed) - waiting),
    waiting: total(({ waiting }) => waiting),
    credited: total(({ passed }) => Math.max(0, -passed)),
  }
}

/** Throws Refusal 422 for a file with faults; then nothing was applied. */
export async function applyFile(
  ctx: DatabaseContext,
  file: { fileName: string; rows: readonly (readonly string[])[] },
  actorId: number,
): Promise<FileTotals> {
  const { lines, faults } = readAdjustments(file.rows)
  const [first] = faults
  if (first)
    throw new Refusal('file_invalid', `Row ${first.row}: ${first.text}. Nothing was changed.`)
  const labels = await selectLabels(
    ctx.database.db,
    lines.map(({ trackingNumber }) => trackingNumber),
  )
  const outcomes: LineOutcome[] = []
  const by = { fileName: file.fileName, actorId }
  for (const line of lines)
    outcomes.push(await applyLine(ctx, line, labels.get(line.trackingNumber)?.orderId, by))
  const totals = addUp(outcomes)
  if (totals.repeated < totals.lines) {
    const { charged, waiting, credited, ...counts } = totals
    const detail = {
      ...counts,
      file: file.fileName,
      carrierAmount: dollars(totals.carrierAmount),
      charged: dollars(cents(charged + waiting)),
      credited: dollars(credited),
    }
    await ctx.database.tx(tx =>
      insertAuditEntry(tx, { actorId, subjectId: null, action: 'adjustments-applied', detail }),
    )
  }
  return totals
}

export type PreviewedLine = { line: AdjustmentLine; label: MatchedLabel | null } & LineOutcome

export type Preview = Pick<AdjustmentSheet, 'faults' | 'ignoredColumns'> & {
  lines: PreviewedLine[]
  /** The largest change first. */
  customers: (Pick<FileTotals, 'lines' | 'charged' | 'waiting' | 'credited'> & { user: UserRef })[]
  totals: FileTotals
}

/** What `applyFile` would do now. */
export async function previewFile(db: Db, rows: readonly (readonly string[])[]): Promise<Preview> {
  const { lines, faults, ignoredColumns } = readAdjustments(rows)
  const readable = faults.length === 0 ? lines : []
  const previewed = await previewLines(db, readable)
  const byUser = Map.groupBy(
    previewed.filter(({ passed }) => passed !== 0),
    ({ label }) => label!.user.id,
  )
  const customers = [...byUser.values()].map(of => ({ user: of[0]!.label!.user, ...addUp(of) }))
  const changeOf = ({ charged, waiting, credited }: (typeof customers)[number]): number =>
    charged + waiting + credited
  return {
    faults,
    ignoredColumns,
    lines: previewed,
    customers: customers.toSorted((a, b) => changeOf(b) - changeOf(a)),
    totals: addUp(previewed),
  }
}

async function previewLines(db: Db, lines: readonly AdjustmentLine[]): Promise<PreviewedLine[]> {
  const labels = await selectLabels(
    db,
    lines.map(({ trackingNumber }) => trackingNumber),
  )
  const found = [...labels.values()]
  const userIds = [...new Set(found.map(({ user }) => user.id))]
  const known = await selectKnownKeys(
    db,
    lines.map(({ key }) => key),
  )
  const totals = await selectLabelTotals(
    db,
    found.map(({ orderId }) => orderId),
  )
  const rules = await selectRulesOf(db, userIds)
  const wallets = await walletsOf(db, userIds)
  const left = new Map(userIds.map(id => [id, wallets.get(id)?.available ?? ZERO]))
  return lines.map((line): PreviewedLine => {
    const label = labels.get(line.trackingNumber) ?? null
    if (known.has(line.key)) return { line, label, ...REPEATED }
    known.add(line.key)
    if (!label) return { line, label, ...unmatched(line.amount) }
    const { orderId, user } = label
    const before = totals.get(orderId) ?? NOTHING_YET
    const assessed = assess(line, label, before, rules)
    const { amount, passed } = assessed
    totals.set(orderId, {
      carrier: cents(before.carrier + amount),
      passed: cents(before.passed + passed),
    })
    const balance = left.get(user.id)!
    left.set(user.id, cents(Math.max(0, balance - passed)))
    return { line, label, ...outcomeOf(assessed, cents(Math.max(0, passed - balance))) }
  })
}
