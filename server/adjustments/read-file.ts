/**
 * Reads a file of the carrier's corrections: a sheet whose first row names the columns. EasyPost's
 * shipment invoice report is read by its published names; other files by plain names of columns.
 */
import { createHash } from 'node:crypto'
import type { Evidence, Measures } from '#contract/adjustments.ts'
import { cents, fromDollars, usd } from '#contract/money.ts'
import type { Cents } from '#contract/money.ts'
import { shortenText } from '#contract/text.ts'

/**
 * `isTotal`: `amount` is the whole change since the purchase, of which earlier lines are a part, as
 * a report with the last day `reportedOn` (else null) tells it.
 */
export type AdjustmentLine = Evidence & {
  /** Row of the file, from 1. */
  row: number
  /** The same for the same correction in any file. */
  key: string
  /** '' without one. */
  id: string
  carrier: string
  trackingNumber: string
  amount: Cents
  isTotal: boolean
  reportedOn: string | null
  /** '2026-11-20' */
  day: string | null
  reason: string
}

export type FileFault = { row: number; column: string | null; text: string }
/** `open`: rows without a final amount yet. */
export type AdjustmentSheet = {
  lines: AdjustmentLine[]
  faults: FileFault[]
  ignoredColumns: string[]
  open: number
}

/** Of a report of whole changes: not a column of the carrier, the page adds it. */
const REPORT_DATE = 'report_date'

/** Names of columns by what they have, the first ones preferred. */
const COLUMNS = {
  id: ['id', 'adjustment_id'],
  carrier: ['carrier'],
  tracking: ['tracking_number', 'tracking_code', 'tracking', 'tracking_no', 'shipment_id'],
  amount: ['amount', 'adjustment_amount', 'adjustment'],
  final: ['final_invoice_amount'],
  paid: ['initially_paid_amount'],
  report: [REPORT_DATE],
  day: ['date', 'adjustment_date', 'invoice_date', 'created_at', 'label_date'],
  reason: ['reason', 'adjustment_reason'],
  currency: ['currency', 'quoted_currency'],
  invoice: ['carrier_invoice_id', 'invoice_number'],
  dispute: ['package_dispute_id'],
} as const
type Field = keyof typeof COLUMNS

/** `declared_weight_oz` of a plain file; `claimed_weight`, `captured_weight`: EasyPost's, in ounces. */
const MEASURES: [key: keyof Measures, plain: string, easypost: string][] = [
  ['weightOz', 'weight_oz', 'weight'],
  ['lengthIn', 'length_in', 'length'],
  ['widthIn', 'width_in', 'width'],
  ['heightIn', 'height_in', 'height'],
  ['zone', 'zone', 'zone'],
  ['service', 'service', 'service'],
  ['package', 'package', 'package'],
]
const NUMBERS: ReadonlySet<keyof Measures> = new Set([
  'weightOz',
  'lengthIn',
  'widthIn',
  'heightIn',
])

const KNOWN_COLUMNS: ReadonlySet<string> = new Set([
  ...Object.values(COLUMNS).flat(),
  ...MEASURES.flatMap(([, plain, easypost]) => [
    `declared_${plain}`,
    `measured_${plain}`,
    `claimed_${easypost}`,
    `captured_${easypost}`,
  ]),
])

/** The most that one line may change a cost, in dollars: more is a misread column. */
const MOST_DOLLARS = 10_000

type Cell = (names: readonly string[]) => string
type Refuse = (column: string | null, text: string) => void

/** `firstRow`: where the lines of a part begin in the whole file. */
export function readAdjustments(
  rows: readonly (readonly string[])[],
  firstRow = 2,
): AdjustmentSheet {
  const header = (rows[0] ?? []).map(columnName)
  const ignoredColumns = header.filter(name => name !== '' && !KNOWN_COLUMNS.has(name))
  const faults = faultsOfHeader(header)
  const sheet: AdjustmentSheet = { lines: [], faults, ignoredColumns, open: 0 }
  if (sheet.faults.length > 0) return sheet
  rows.slice(1).forEach((cells, index) => {
    if (cells.every((cell, at) => cell.trim() === '' || header[at] === REPORT_DATE)) return
    const row = index + firstRow
    const cell: Cell = names =>
      names.map(name => (cells[header.indexOf(name)] ?? '').trim()).find(text => text !== '') ?? ''
    if (isOpen(cell)) {
      sheet.open += 1
      return
    }
    const line = readLine(row, cell, (column, text) => sheet.faults.push({ row, column, text }))
    if (line) sheet.lines.push(line)
  })
  return { ...sheet, faults: [...sheet.faults, ...faultsAmong(sheet.lines)] }
}

/** The carrier's invoice of the shipment is not closed. */
const isOpen = (cell: Cell): boolean =>
  cell(COLUMNS.paid) !== '' && cell(COLUMNS.final) === '' && cell(COLUMNS.amount) === ''

/** Lines that cannot both be right. */
function faultsAmong(lines: readonly AdjustmentLine[]): FileFault[] {
  const firstOf = new Map<string, AdjustmentLine>()
  return lines.flatMap(line => {
    const first = firstOf.get(line.key) ?? line
    firstOf.set(line.key, first)
    const text = conflictText(line, { ...first, where: `row ${first.row} has` })
    return text === null ? [] : [{ row: line.row, column: line.isTotal ? null : 'id', text }]
  })
}

/**
 * Why a line and a known one with the same id, or of reports of the same day, cannot both be right;
 * null if they say the same.
 */
export function conflictText(
  line: Pick<AdjustmentLine, 'trackingNumber' | 'amount' | 'isTotal' | 'id' | 'reportedOn'>,
  known: { trackingNumber: string; amount: Cents; where: string },
): string | null {
  if (known.trackingNumber === line.trackingNumber && known.amount === line.amount) return null
  const { trackingNumber, amount, where } = known
  if (line.isTotal)
    return (
      `The change of ${line.trackingNumber} is ${usd(line.amount)}, but for a report of ${line.reportedOn} ${where} `
      + `${usd(amount)}. If this report is newer, name its own last day`
    )
  return (
    `The line has the id ${shortenText(line.id)} with ${line.trackingNumber} and ${usd(line.amount)}, but ${where} `
    + `${trackingNumber} and ${usd(amount)} under it. Write the carrier’s own ids, or take the column out`
  )
}

const columnName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')

function faultsOfHeader(header: readonly string[]): FileFault[] {
  const has = (field: Field): boolean => COLUMNS[field].some(name => header.includes(name))
  const missing: [isMissing: boolean, column: string, text: string][] = [
    [
      !has('tracking'),
      'tracking_number',
      'No column has the tracking numbers; name that column "tracking_number"',
    ],
    [
      !has('amount') && !(has('final') && has('paid')),
      'amount',
      'No column has the amounts; name the column with the changes of the cost "amount"',
    ],
    [
      !has('id') && !has('day'),
      'date',
      'No column tells one correction from the next; name the column with their dates "date", or the column with the carrier’s ids "id"',
    ],
  ]
  return [
    ...missing.flatMap(([isMissing, column, text]) =>
      isMissing ? [{ row: 1, column, text }] : [],
    ),
    ...ambiguousColumns(header),
  ]
}

/** Columns of which only one can be meant: a wrong amount would be charged to customers. */
function ambiguousColumns(header: readonly string[]): FileFault[] {
  const repeated = header.filter((name, at) => KNOWN_COLUMNS.has(name) && header.indexOf(name) < at)
  const amounts = COLUMNS.amount.filter(name => header.includes(name))
  return [
    ...[...new Set(repeated)].map(column => ({
      row: 1,
      column,
      text: `The column ${column} is there more than once; take out all but one`,
    })),
    ...amounts.slice(1).map(column => ({
      row: 1,
      column,
      text: `The columns ${amounts[0]} and ${column} both have amounts; take out the one that is not the change of the cost`,
    })),
  ]
}

function readLine(row: number, cell: Cell, refuse: Refuse): AdjustmentLine | null {
  let isWrong = false
  const refuseLine: Refuse = (column, text) => {
    isWrong = true
    refuse(column, text)
  }
  const trackingNumber = readTracking(cell(COLUMNS.tracking), refuseLine)
  const { amount, isTotal } = readAmount(cell, refuseLine)
  const day = readDay(cell(COLUMNS.day), refuseLine)
  const declared = readMeasures(cell, 'declared', 'claimed', refuseLine)
  const measured = readMeasures(cell, 'measured', 'captured', refuseLine)
  const currency = cell(COLUMNS.currency)
  if (currency !== '' && currency.toUpperCase() !== 'USD')
    refuseLine('currency', `The currency is ${shortenText(currency)}; only USD is read`)
  const reportedOn = isTotal ? readReportDay(cell(COLUMNS.report), refuseLine) : null
  const id = isTotal ? '' : cell(COLUMNS.id)
  if (id === '' && cell(COLUMNS.day) === '')
    refuseLine('date', 'The line has neither a date nor an id; fill one of them')
  if (isWrong) return null
  const carrier = cell(COLUMNS.carrier)
  const evidence = { declared, measured }
  const line = { row, id, carrier, trackingNumber, amount, isTotal, reportedOn, day, ...evidence }
  const reason = cell(COLUMNS.reason)
  return { ...line, reason, key: keyOf(line, cell(COLUMNS.invoice) + cell(COLUMNS.dispute)) }
}

/**
 * By the carrier's id; without one the same facts are the same correction. A state may change. Each
 * report tells the whole change of a label once.
 */
function keyOf(line: Omit<AdjustmentLine, 'key' | 'reason'>, invoice: string): string {
  const { carrier, trackingNumber, amount, day, declared, measured, id } = line
  const facts = line.isTotal
    ? ['total', trackingNumber, line.reportedOn]
    : id === ''
      ? ['line', trackingNumber, amount, day, invoice, declared, measured]
      : ['id', carrier.toLowerCase(), id]
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex')
}

function readTracking(text: string, refuse: Refuse): string {
  const number = text.replaceAll(/[\s']/g, '').toUpperCase()
  if (number === '') refuse('tracking_number', 'The tracking number is missing')
  else if (/^\d(\.\d+)?E\+\d+$/.test(number))
    refuse(
      'tracking_number',
      `A spreadsheet shortened the tracking number to ${shortenText(text)}; take it from the carrier’s file, as text`,
    )
  return number
}

function readAmount(cell: Cell, refuse: Refuse): { amount: Cents; isTotal: boolean } {
  const [change, final, paid] = [cell(COLUMNS.amount), cell(COLUMNS.final), cell(COLUMNS.paid)]
  // EasyPost's adjustment amount is the difference to the purchase, as final less paid is.
  if (final !== '' && paid !== '') {
    const [due, was] = [readMoney(final), readMoney(paid)]
    if (due === null) refuse('final_invoice_amount', moneyText(final))
    if (was === null) refuse('initially_paid_amount', moneyText(paid))
    return { amount: cents((due ?? 0) - (was ?? 0)), isTotal: true }
  }
  const amount = readMoney(change)
  if (amount === null) refuse('amount', change === '' ? 'The amount is missing' : moneyText(change))
  return { amount: amount ?? cents(0), isTotal: false }
}

const moneyText = (text: string): string =>
  `'${shortenText(text)}' is not a valid amount; write dollars with two decimals, such as 1.25 or -1.25, at most ${MOST_DOLLARS}`

/** '1.25', '$1,250.00', '-1.25', '(1.25)' and '1.25000'. */
function readMoney(text: string): Cents | null {
  const isInParentheses = /^\(.*\)$/.test(text)
  const plain = text.replaceAll(/[()$\s]/g, '')
  // Commas only between groups of three: '1,25' is no 125 dollars.
  const found = /^([+-]?)(\d+(?:\.\d*)?|\d{1,3}(?:,\d{3})+(?:\.\d*)?|\.\d+)$/.exec(plain)
  if (!found) return null
  const size = fromDollars(Number(found[2]!.replaceAll(',', '')))
  if (size === null || size > MOST_DOLLARS * 100) return null
  return size === 0 ? cents(0) : cents(found[1] === '-' || isInParentheses ? -size : size)
}

/** '2026-11-20', also with a time behind it, and '11/20/2026'. */
function readDay(text: string, refuse: Refuse): string | null {
  if (text === '') return null
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:$|[T ])/.exec(text)
  const us = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:$| )/.exec(text)
  const [year, month, day] = iso
    ? [iso[1]!, iso[2]!, iso[3]!]
    : us
      ? [us[3]!, us[1]!.padStart(2, '0'), us[2]!.padStart(2, '0')]
      : ['', '', '']
  const written = `${year}-${month}-${day}`
  const read = new Date(`${written}T00:00:00Z`)
  if (!Number.isNaN(read.getTime()) && read.toISOString().startsWith(written)) return written
  refuse('date', `'${shortenText(text)}' is not a valid date; write it as 2026-11-20`)
  return null
}

/** Tells which of two reports is newer. */
function readReportDay(text: string, refuse: Refuse): string | null {
  if (text === '')
    refuse(
      REPORT_DATE,
      'The line has the whole change of a label, and nothing tells how old it is; write the last day of the report',
    )
  return readDay(text, (_, problem) => refuse(REPORT_DATE, problem))
}

function readMeasures(
  cell: Cell,
  plainWord: string,
  easypostWord: string,
  refuse: Refuse,
): Measures {
  const measures: Record<string, string | number> = {}
  for (const [key, plain, easypost] of MEASURES) {
    const column = `${plainWord}_${plain}`
    const text = cell([column, `${easypostWord}_${easypost}`])
    if (text === '') continue
    if (!NUMBERS.has(key)) measures[key] = text
    else if (/^\d+(\.\d*)?$/.test(text)) {
      if (Number(text) > 0) measures[key] = Number(text)
    } else
      refuse(
        column,
        `'${shortenText(text)}' is not a valid number; write ounces or inches, such as 12.5`,
      )
  }
  return measures
}
