/** Applies files of the carrier's corrections, one transaction for each line. */
import { cents, dollars, ZERO } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { insertAuditEntry } from '#server/accounts/audit-store.ts'
import { isNewAdministrator } from '#server/accounts/balance-adjustments.ts'
import type { UserRef } from '#server/accounts/rules.ts'
import { chargeOwed, creditCustomer, postCarrierCost } from '#server/ledger/owed-charges.ts'
import { chargeSubject } from '#server/ledger/rules.ts'
import { walletsOf } from '#server/ledger/service.ts'
import type { Context } from '#server/platform/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { conflictText, readAdjustments } from './read-file.ts'
import type { AdjustmentLine, AdjustmentSheet, FileFault } from './read-file.ts'
import { changeOf, noteOf, NO_HISTORY, NO_RULE, settlementOf, withLine } from './rules.ts'
import type { LabelHistory, Rule } from './rules.ts'
import {
  holdRules,
  insertLine,
  lockLabel,
  selectKnownLines,
  selectLabels,
  selectLabelTotals,
  selectRulesOf,
  selectRulesSeen,
  setLabel,
} from './store.ts'
import type { Assessment, KnownLine, MatchedLabel } from './store.ts'

type DatabaseContext = Pick<Context, 'database'>
export type FileContext = Pick<Context, 'database' | 'config'>

export const subjectOf = (adjustmentId: number): string => chargeSubject('adjustment', adjustmentId)

type SettledLine = Pick<
  AdjustmentLine,
  'amount' | 'isTotal' | 'reportedOn' | 'reason' | 'declared' | 'measured'
>

export const ownLabelText = (orderId: number): string =>
  `Label ${orderId} is of your own account. Another administrator can apply its corrections`

/** `waiting`: of `passed`, what the balance does not cover. */
export type LineOutcome = {
  state: 'repeated' | 'unmatched' | 'absorbed' | 'charged' | 'waiting' | 'credited'
  amount: Cents
  passed: Cents
  waiting: Cents
}

/** `carrierAmount`: of the lines that are not repeated. */
type LineTotals = Record<'lines' | 'repeated' | 'unmatched', number>
  & Record<'carrierAmount' | 'charged' | 'waiting' | 'credited', Cents>

/** `open`: rows without a final amount yet, which are not read. */
export type FileTotals = LineTotals & { open: number }

const outcomeOf = ({ amount, passed }: Assessment, waiting: Cents): LineOutcome => ({
  state: passed === 0 ? 'absorbed' : passed < 0 ? 'credited' : waiting > 0 ? 'waiting' : 'charged',
  amount,
  passed,
  waiting,
})

const REPEATED: LineOutcome = { state: 'repeated', amount: ZERO, passed: ZERO, waiting: ZERO }
const unmatched = (amount: Cents): LineOutcome => ({ ...REPEATED, state: 'unmatched', amount })

/** What a line changes for the carrier and the customer, by the user's rule or the general one. */
export function assess(
  line: Pick<AdjustmentLine, 'amount' | 'isTotal' | 'reportedOn'>,
  label: MatchedLabel,
  before: LabelHistory,
  rules: ReadonlyMap<number | null, Rule>,
): Assessment {
  const own = rules.get(label.user.id) ?? rules.get(null) ?? NO_RULE
  return settlementOf(changeOf(line, before), own, label, before)
}

/** Charges or credits the customer of a label and books the carrier's cost. Throws Refusal 403 for the actor's own label. */
export async function settleLine(
  tx: Tx,
  adjustmentId: number,
  line: SettledLine,
  label: MatchedLabel,
  actorId: number,
): Promise<LineOutcome> {
  const { orderId, user } = label
  if (user.id === actorId) throw new Refusal('not_your_own', `${ownLabelText(orderId)}.`)
  const totals = await selectLabelTotals(tx, [orderId])
  const rules = await selectRulesOf(tx, [user.id])
  const assessed = assess(line, label, totals.get(orderId) ?? NO_HISTORY, rules)
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
  by: { fileName: string; actorId: number; rulesSeen: string | undefined },
): Promise<LineOutcome> =>
  ctx.database.tx(async tx => {
    if (by.rulesSeen !== undefined) await assertRulesSeen(tx, by.rulesSeen, line.row)
    const id = await insertLine(tx, line, by)
    if (id === undefined) return REPEATED
    const label = orderId === undefined ? undefined : await lockLabel(tx, orderId)
    return label ? settleLine(tx, id, line, label, by.actorId) : unmatched(line.amount)
  })

async function assertRulesSeen(tx: Tx, rulesSeen: string, row: number): Promise<void> {
  await holdRules(tx)
  if ((await selectRulesSeen(tx)) !== rulesSeen)
    throw new Refusal(
      'changed_meanwhile',
      `The rules of who pays have changed since the preview. Row ${row} and those after it were not applied. Look at the preview again.`,
    )
}

function addUp(outcomes: readonly LineOutcome[]): LineTotals {
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

type AdjustmentFile = {
  fileName: string
  rows: readonly (readonly string[])[]
  /** Where the lines of a part begin in the whole file. */
  firstRow?: number | undefined
  /** The rules of the preview; undefined: those of now. */
  rulesSeen?: string | undefined
}

/**
 * Throws Refusal: 422 for a file with faults, then nothing was applied; 403 in an administrator's
 * first 24 hours where the limit of adjustments holds; 409 for other rules than `rulesSeen`.
 */
export async function applyFile(
  ctx: FileContext,
  file: AdjustmentFile,
  actorId: number,
): Promise<FileTotals> {
  const { db } = ctx.database
  await assertNotNew(ctx, actorId)
  const sheet = readAdjustments(file.rows, file.firstRow)
  const { lines, open } = sheet
  const labels = await labelsOf(db, lines)
  const known = await knownLinesOf(db, lines)
  const [first] = [...sheet.faults, ...faultsAgainst(lines, { labels, known, actorId })]
  if (first)
    throw new Refusal('file_invalid', `Row ${first.row}: ${first.text}. Nothing was changed.`)
  const outcomes: LineOutcome[] = []
  if (lines.every(({ key }) => known.has(key))) return { ...addUp(lines.map(() => REPEATED)), open }
  const by = { fileName: file.fileName, actorId, rulesSeen: file.rulesSeen }
  await audit(ctx, actorId, 'adjustments-started', { file: file.fileName, lines: lines.length })
  try {
    for (const line of lines)
      outcomes.push(await applyLine(ctx, line, labels.get(line.trackingNumber)?.orderId, by))
  } finally {
    await auditOutcomes(ctx, by, addUp(outcomes))
  }
  return { ...addUp(outcomes), open }
}

/** Throws Refusal 403. */
export async function assertNotNew(
  { config, database }: FileContext,
  adminId: number,
): Promise<void> {
  if (config.adjustmentDailyLimit === null) return
  if (await isNewAdministrator(database.db, adminId))
    throw new Refusal(
      'administrator_too_new',
      'You have been an administrator for less than 24 hours. Another administrator can apply corrections.',
    )
}

const audit = (
  { database }: DatabaseContext,
  actorId: number,
  action: 'adjustments-started' | 'adjustments-applied',
  detail: Record<string, string | number>,
): Promise<unknown> =>
  database.tx(tx => insertAuditEntry(tx, { actorId, subjectId: null, action, detail }))

/** Of what was applied, also where a line failed. */
async function auditOutcomes(
  ctx: DatabaseContext,
  { fileName, actorId }: { fileName: string; actorId: number },
  totals: LineTotals,
): Promise<void> {
  const { charged, waiting, credited, ...counts } = totals
  await audit(ctx, actorId, 'adjustments-applied', {
    ...counts,
    file: fileName,
    carrierAmount: dollars(totals.carrierAmount),
    charged: dollars(cents(charged + waiting)),
    credited: dollars(credited),
  })
}

const labelsOf = (db: Db, lines: readonly AdjustmentLine[]): Promise<Map<string, MatchedLabel>> =>
  selectLabels(
    db,
    lines.map(({ trackingNumber }) => trackingNumber),
  )

const knownLinesOf = (db: Db, lines: readonly AdjustmentLine[]): Promise<Map<string, KnownLine>> =>
  selectKnownLines(
    db,
    lines.map(({ key }) => key),
  )

type KnownFacts = {
  labels: ReadonlyMap<string, MatchedLabel>
  known: ReadonlyMap<string, KnownLine>
  actorId: number
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Lines that contradict earlier files, or change the actor's own balance. */
const faultsAgainst = (
  lines: readonly AdjustmentLine[],
  { labels, known, actorId }: KnownFacts,
): FileFault[] =>
  lines.flatMap(line => {
    const { row, reportedOn } = line
    if (reportedOn !== null && Date.parse(reportedOn) > Date.now() + DAY_MS)
      return [
        {
          row,
          column: 'report_date',
          text: `${reportedOn} is in the future; write the last day of the report`,
        },
      ]
    const before = known.get(line.key)
    const conflict = before && conflictText(line, { ...before, where: 'an earlier file has' })
    if (conflict) return [{ row, column: line.isTotal ? null : 'id', text: conflict }]
    const label = labels.get(line.trackingNumber)
    if (before || label?.user.id !== actorId) return []
    return [{ row, column: null, text: `${ownLabelText(label.orderId)}; take the line out` }]
  })

export type PreviewedLine = { line: AdjustmentLine; label: MatchedLabel | null } & LineOutcome

export type Preview = Pick<AdjustmentSheet, 'faults' | 'ignoredColumns'> & {
  rulesSeen: string
  lines: PreviewedLine[]
  /** The largest change first. */
  customers: (Pick<LineTotals, 'lines' | 'charged' | 'waiting' | 'credited'> & { user: UserRef })[]
  totals: FileTotals
}

/** What `applyFile` would do now. */
export async function previewFile(
  db: Db,
  rows: AdjustmentFile['rows'],
  actorId: number,
): Promise<Preview> {
  // Before the rules are read: a change in between is refused rather than missed.
  const rulesSeen = await selectRulesSeen(db)
  const { lines, ignoredColumns, open, ...sheet } = readAdjustments(rows)
  const labels = await labelsOf(db, lines)
  const known = await knownLinesOf(db, lines)
  const faults = [...sheet.faults, ...faultsAgainst(lines, { labels, known, actorId })]
  if (lines.length === 0 && faults.length === 0 && open === 0)
    faults.push({ row: 1, column: null, text: 'The file has no lines below its first one' })
  const readable = faults.length === 0 ? lines : []
  const previewed = await previewLines(db, readable, labels, new Set(known.keys()))
  const byUser = Map.groupBy(
    previewed.filter(({ passed }) => passed !== 0),
    ({ label }) => label!.user.id,
  )
  const customers = [...byUser.values()].map(of => ({ user: of[0]!.label!.user, ...addUp(of) }))
  const sizeOf = ({ charged, waiting, credited }: (typeof customers)[number]): number =>
    charged + waiting + credited
  return {
    rulesSeen,
    faults: faults.toSorted((a, b) => a.row - b.row),
    ignoredColumns,
    lines: previewed,
    customers: customers.toSorted((a, b) => sizeOf(b) - sizeOf(a)),
    totals: { ...addUp(previewed), open },
  }
}

async function previewLines(
  db: Db,
  lines: readonly AdjustmentLine[],
  labels: ReadonlyMap<string, MatchedLabel>,
  known: Set<string>,
): Promise<PreviewedLine[]> {
  const found = [...labels.values()]
  const userIds = [...new Set(found.map(({ user }) => user.id))]
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
    const before = totals.get(orderId) ?? NO_HISTORY
    const assessed = assess(line, label, before, rules)
    const { amount, passed } = assessed
    totals.set(orderId, withLine(before, { amount, passed, reportedOn: line.reportedOn }))
    const balance = left.get(user.id)!
    left.set(user.id, cents(Math.max(0, balance - passed)))
    return { line, label, ...outcomeOf(assessed, cents(Math.max(0, passed - balance))) }
  })
}
