/** Prices of services as one flat sheet, a row for each weight. Pure; the same for CSV and workbooks. */
import { countText } from './format.ts'
import { cents, decimal, fromDollars, usd } from './money.ts'
import { highestRanges, OUNCES_PER_POUND, ZONES, zonesOf } from './pricing.ts'
import type { Prices, PriceStep } from './pricing.ts'
import { shortenText } from './text.ts'

const ZONE_COLUMNS = ZONES.map(zone => `zone_${zone}`)
/** `price`: for any zone. `name` and `max_weight` are for the reader; an upload ignores them. */
export const PRICE_COLUMNS = [
  'service',
  'name',
  'max_weight',
  'up_to',
  'unit',
  'price',
  ...ZONE_COLUMNS,
  'dim_divisor',
] as const

/** Rows of a file below its first line. */
export const MAX_PRICE_ROWS = 5_000
/** Cells of a row. */
export const MAX_PRICE_CELLS = 40
/** Characters of a cell. */
export const MAX_PRICE_CELL = 200

const MAX_DOLLARS = 100_000
const MAX_DIVISOR = 10_000
const MAX_DECIMALS_OF_OUNCES = 3

/** A service of the catalogue that a sheet may price. */
export type SheetService = { uid: string; name: string; maxWeight: number }

/** `row` counts the lines of the file from 1; `column`: one of `PRICE_COLUMNS`, or null for the row. */
export type PriceRowFault = { row: number; column: string | null; text: string }

export type PriceSheet = {
  services: ({ uid: string } & Prices)[]
  faults: PriceRowFault[]
  /** Allowed, and seldom meant. */
  warnings: PriceRowFault[]
}

/** The rows of a service, with the cells of `PRICE_COLUMNS`. */
export function priceRows(service: SheetService & Prices): string[][] {
  const { uid, name, maxWeight, table } = service
  const steps = table?.steps ?? stepsOf(service.ranges)
  return steps.map(({ toOz, cents: prices }) => {
    const inOunces = toOz < OUNCES_PER_POUND
    return [
      uid,
      name,
      String(maxWeight),
      String(inOunces ? toOz : toOz / OUNCES_PER_POUND),
      inOunces ? 'oz' : 'lb',
      ...[0, ...ZONES].map(zone => priceCell(prices[zone])),
      table?.dimDivisor ? String(table.dimDivisor) : '',
    ]
  })
}

const priceCell = (price: number | null | undefined): string =>
  price === null || price === undefined ? '' : decimal(cents(price))

const stepsOf = (ranges: Prices['ranges']): PriceStep[] =>
  ranges.map(({ to, cents: price }) => ({ toOz: to * OUNCES_PER_POUND, cents: [price] }))

type Column = (typeof PRICE_COLUMNS)[number]
type Cell = (column: Column | string) => string
type ReadRow = { row: number; step: PriceStep; divisor: number | null }

/**
 * Reads a sheet whose first row names the columns. `rows`: cells as text. A service whose rows have
 * a fault is not in `services`; services that the sheet does not name keep their prices.
 */
export function parsePriceSheet(
  rows: readonly (readonly string[])[],
  known: readonly SheetService[],
): PriceSheet {
  const sheet: PriceSheet = { services: [], faults: [], warnings: [] }
  const header = (rows[0] ?? []).map(name =>
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  )
  const headerFaults = faultsOfHeader(header)
  if (headerFaults.length > 0) return { ...sheet, faults: headerFaults }
  const byName = new Map(known.flatMap(one => [one.name, one.uid].map(key => [nameKey(key), one])))
  const byService = new Map<SheetService, { read: ReadRow[]; wrong: boolean }>()
  rows.slice(1).forEach((cells, index) => {
    const row = index + 2
    if (cells.every(cell => cell.trim() === '')) return
    const cell: Cell = column => (cells[header.indexOf(column)] ?? '').trim()
    const service = byName.get(nameKey(cell('service')))
    if (!service) {
      sheet.faults.push({ row, column: 'service', text: unknownServiceText(cell('service')) })
      return
    }
    const found = byService.get(service) ?? { read: [], wrong: false }
    byService.set(service, found)
    const read = readRow(row, cell, service)
    if ('step' in read) return void found.read.push(read)
    found.wrong = true
    sheet.faults.push(...read)
  })
  for (const [service, { read, wrong }] of byService) {
    const faults = wrong ? [] : faultsOfService(service, read)
    sheet.faults.push(...faults)
    if (wrong || faults.length > 0) continue
    sheet.warnings.push(...warningsOf(read))
    sheet.services.push({ uid: service.uid, ...pricesFrom(read) })
  }
  if (sheet.faults.length === 0 && sheet.services.length === 0)
    sheet.faults.push({ row: 1, column: null, text: 'The file has no prices below its first line' })
  sheet.faults.sort((a, b) => a.row - b.row)
  return sheet
}

const nameKey = (text: string): string => text.trim().toLowerCase()

const unknownServiceText = (text: string): string =>
  text === ''
    ? 'The service is missing; write its key, such as usps:GROUND_ADVANTAGE'
    : `There is no service '${shortenText(text)}'; write the key or the name of one, as in the downloaded file`

function faultsOfHeader(header: readonly string[]): PriceRowFault[] {
  const faults: PriceRowFault[] = []
  const add = (column: string | null, text: string) => faults.push({ row: 1, column, text })
  for (const column of ['service', 'up_to'])
    if (!header.includes(column)) add(column, `The column ${column} is missing; add it`)
  if (!['price', ...ZONE_COLUMNS].some(column => header.includes(column)))
    add('price', 'The file has no column price and none of zone_1 to zone_9; add one')
  header.forEach((name, at) => {
    if (name === '') return
    if (!(PRICE_COLUMNS as readonly string[]).includes(name)) {
      const all = PRICE_COLUMNS.join(', ')
      add(name, `The column ${shortenText(name)} is not known; remove it or use one of ${all}`)
    } else if (header.indexOf(name) < at)
      add(name, `The column ${name} is there twice; remove one of them`)
  })
  return faults
}

function readRow(row: number, cell: Cell, service: SheetService): ReadRow | PriceRowFault[] {
  const faults: PriceRowFault[] = []
  const refuse = (column: string | null, text: string) => void faults.push({ row, column, text })
  const toOz = readWeight(cell('up_to'), cell('unit'), service, refuse)
  const prices = [0, ...ZONES].map(zone => {
    const column = zone === 0 ? 'price' : `zone_${zone}`
    return readPrice(cell(column), fault => refuse(column, fault))
  })
  if (faults.length === 0 && prices.every(price => price === null))
    refuse(null, 'The row has no price; fill price or the zones')
  const given = cell('dim_divisor')
  const divisor = given === '' ? null : Number(given)
  if (divisor !== null && !(Number.isInteger(divisor) && divisor >= 1 && divisor <= MAX_DIVISOR))
    refuse(
      'dim_divisor',
      `dim_divisor is '${shortenText(given)}'; write cubic inches per pound as a whole number, such as 139, or leave it empty`,
    )
  return faults.length > 0 ? faults : { row, step: { toOz: toOz!, cents: prices }, divisor }
}

function readWeight(
  text: string,
  unitText: string,
  { name, maxWeight }: SheetService,
  refuse: (column: string, text: string) => void,
): number | null {
  const unit = unitText.toLowerCase() || 'lb'
  const amount = Number(text)
  if (unit !== 'lb' && unit !== 'oz') {
    refuse('unit', `unit is '${shortenText(unitText)}'; write lb or oz`)
    return null
  }
  if (!/^\d+(\.\d+)?$/.test(text) || amount <= 0) {
    refuse('up_to', `up_to is '${shortenText(text)}'; write a weight above 0, such as 5`)
    return null
  }
  if (unit === 'lb') {
    if (Number.isInteger(amount) && amount <= maxWeight) return amount * OUNCES_PER_POUND
    const most = `${name} takes at most ${maxWeight} lb`
    refuse(
      'up_to',
      Number.isInteger(amount)
        ? `up_to is ${text} lb; ${most}`
        : `up_to is ${text} lb; write whole pounds, or ounces below 1 lb`,
    )
    return null
  }
  if (amount < OUNCES_PER_POUND && (text.split('.')[1]?.length ?? 0) <= MAX_DECIMALS_OF_OUNCES)
    return amount
  refuse(
    'up_to',
    amount < OUNCES_PER_POUND
      ? `up_to is ${text} oz; write at most ${MAX_DECIMALS_OF_OUNCES} decimals`
      : `up_to is ${text} oz; write weights from 16 oz on in pounds`,
  )
  return null
}

function readPrice(text: string, refuse: (text: string) => void): number | null {
  if (text === '') return null
  const amount = /^\$?\s*(\d+(?:\.\d*)?|\.\d+)$/.exec(text)?.[1]
  const price = amount === undefined ? null : fromDollars(Number(amount))
  if (price !== null && price <= MAX_DOLLARS * 100) return price
  refuse(
    `The price is '${shortenText(text)}'; write dollars with at most two decimals, such as 6.50`,
  )
  return null
}

function faultsOfService(service: SheetService, read: readonly ReadRow[]): PriceRowFault[] {
  const faults: PriceRowFault[] = []
  const [first] = read
  const shape = filledColumns(first!.step)
  const divisor = read.find(one => one.divisor !== null)?.divisor
  const seen = new Map<number, number>()
  for (const { row, step, divisor: own } of read) {
    const above = seen.get(step.toOz)
    seen.set(step.toOz, row)
    if (above !== undefined) {
      const text = `${service.name} has this weight in row ${above} too; keep one of the two`
      faults.push({ row, column: 'up_to', text })
    }
    for (const column of shape.symmetricDifference(filledColumns(step))) {
      const text = shape.has(column)
        ? `${column} is empty here and filled in row ${first!.row}; fill it in all rows of ${service.name} or in none`
        : `${column} is filled here and empty in row ${first!.row}; fill it in all rows of ${service.name} or in none`
      faults.push({ row, column, text })
    }
    if (own !== null && own !== divisor) {
      const text = `dim_divisor is ${own} here and ${divisor} above; write one for ${service.name}`
      faults.push({ row, column: 'dim_divisor', text })
    }
  }
  faults.push(...read.flatMap(anyZoneFault))
  const heaviest = read.reduce((most, one) => (one.step.toOz > most.step.toOz ? one : most))
  const pounds = heaviest.step.toOz / OUNCES_PER_POUND
  if (pounds !== service.maxWeight) {
    const end = pounds < 1 ? `${heaviest.step.toOz} oz` : `${pounds} lb`
    const text = `The prices of ${service.name} end at ${end}; add rows up to ${service.maxWeight} lb`
    faults.push({ row: heaviest.row, column: 'up_to', text })
  }
  return faults
}

/** A parcel whose zone is not known costs the price for any zone, also where its zone costs the operator more. */
function anyZoneFault({ row, step: { cents: prices } }: ReadRow): PriceRowFault[] {
  const [any] = prices
  const highest = Math.max(...prices.map(price => price ?? 0))
  if (any === null || any === undefined || any >= highest) return []
  const text =
    `price is ${usd(cents(any))} and ${columnOf(prices.indexOf(highest))} is ${usd(cents(highest))}: `
    + 'a parcel whose zone is not known would cost less than its zone. '
    + `Write at least ${decimal(cents(highest))}, or leave price empty in all rows of the service`
  return [{ row, column: 'price', text }]
}

const columnOf = (zone: number): string => (zone === 0 ? 'price' : `zone_${zone}`)
const filledColumns = (step: PriceStep): Set<string> =>
  new Set(zonesOf({ steps: [step], dimDivisor: null }).map(columnOf))

const byWeight = (read: readonly ReadRow[]): ReadRow[] =>
  read.toSorted((a, b) => a.step.toOz - b.step.toOz)

function warningsOf(read: readonly ReadRow[]): PriceRowFault[] {
  const warnings: PriceRowFault[] = []
  byWeight(read).forEach(({ row, step }, at, all) => {
    step.cents.forEach((price, zone) => {
      if (price === null) return
      const column = columnOf(zone)
      if (price === 0) warnings.push({ row, column, text: 'The price is $0.00' })
      const lighter = all[at - 1]?.step.cents[zone]
      if (typeof lighter === 'number' && lighter > price) {
        const text = `It costs less than the lighter weight of row ${all[at - 1]!.row}`
        warnings.push({ row, column, text })
      }
    })
  })
  return warnings
}

/** Whole pounds for any zone are ranges; anything else is a table. */
function pricesFrom(read: readonly ReadRow[]): Prices {
  const steps = byWeight(read).map(({ step }) => step)
  const dimDivisor = read.find(one => one.divisor !== null)?.divisor ?? null
  const isPlain =
    dimDivisor === null
    && steps.every(({ toOz, cents: [any] }) => toOz >= OUNCES_PER_POUND && any !== null)
    && filledColumns(steps[0]!).size === 1
  if (!isPlain) {
    const table = { steps, dimDivisor }
    return { ranges: highestRanges(table), table }
  }
  const ranges = steps.map(({ toOz, cents: [any] }, at) => ({
    from: (steps[at - 1]?.toOz ?? 0) / OUNCES_PER_POUND + 1,
    to: toOz / OUNCES_PER_POUND,
    cents: any!,
  }))
  return { ranges, table: null }
}

export const samePrices = (a: Prices, b: Prices): boolean =>
  JSON.stringify(canonical(a)) === JSON.stringify(canonical(b))

const canonical = ({ ranges, table }: Prices): unknown =>
  table
    ? [table.dimDivisor, table.steps.map(({ toOz, cents: prices }) => [toOz, prices])]
    : ranges.map(({ from, to, cents: price }) => [from, to, price])

/** '48 weights for zones 1 to 8, $3.00 to $50.00, from 4 oz on, dimensional weight at 139 cubic inches per lb'. */
export function tableText({ steps, dimDivisor }: NonNullable<Prices['table']>): string {
  const prices = steps.flatMap(step => step.cents.filter(price => price !== null))
  const zones = zonesOf({ steps, dimDivisor }).filter(zone => zone > 0)
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)].map(one => usd(cents(one)))
  const lightest = steps[0]?.toOz ?? OUNCES_PER_POUND
  return [
    countText(steps.length, 'weight') + (zones.length > 0 ? ` for ${zonesText(zones)}` : ''),
    lowest === highest ? lowest! : `${lowest} to ${highest}`,
    ...(lightest < OUNCES_PER_POUND ? [`from ${lightest} oz on`] : []),
    ...(dimDivisor === null ? [] : [`dimensional weight at ${dimDivisor} cubic inches per lb`]),
  ].join(', ')
}

/** 'zones 1 to 8', 'zones 1, 2, 8', 'zone 3'. */
function zonesText(zones: readonly number[]): string {
  const [first, last] = [zones[0]!, zones.at(-1)!]
  if (zones.length === 1) return `zone ${first}`
  const isRow = zones.length > 2 && last - first === zones.length - 1
  return `zones ${isRow ? `${first} to ${last}` : zones.join(', ')}`
}
