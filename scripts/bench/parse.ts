/** A file of 10,000 rows parsed, checked and priced, against papaparse alone on the same bytes. */
import Papa from 'papaparse'
import { cents } from '#contract/money.ts'
import { TEMPLATE_FIELDS, TEMPLATE_HEADERS } from '#contract/rows.ts'
import { checkRows, parseRows } from '#server/batches/rules.ts'
import { indexServicesWithPrices } from '#server/catalogue/rules.ts'
import { rows } from '#tests/support/rows.ts'
import { importFile } from '#web/batches/import/import-file.ts'
import { median, timed } from './figures.ts'

export type ParseBench = { rows: number; papaMs: number; oursMs: number; ratio: number }

/** The median of nine rounds each, in turns, after one to warm up. */
export function benchParse(count = 10_000): ParseBench {
  const data = rows(count)
  const text = Papa.unparse({
    fields: [...TEMPLATE_HEADERS],
    data: data.map(row => TEMPLATE_FIELDS.map(field => row[field])),
  })
  const bytes = new TextEncoder().encode(text)
  const prices = indexServicesWithPrices([
    {
      id: 1,
      uid: 'usps:GROUND_ADVANTAGE',
      name: 'USPS Ground Advantage',
      category: 'USPS',
      maxWeight: 70,
      offered: true,
      enabled: true,
      table: null,
      rule: null,
      priceVersionId: null,
      ranges: [{ from: 1, to: 70, cents: cents(650) }],
    },
  ])
  const ours = (): void => {
    const imported = importFile(bytes, 'bench.csv', { skus: [], maxRows: count })
    if (!('rows' in imported)) throw new Error(JSON.stringify(imported))
    const checked = checkRows(
      parseRows(imported.rows.map(row => ({ ...row, ServiceName: 'USPS Ground Advantage' }))),
      prices,
    )
    if (!('cost' in checked) || checked.cost !== count * 650)
      throw new Error('the benchmark calculated a wrong price')
  }
  const papa = (): void => {
    Papa.parse(new TextDecoder().decode(bytes), { header: true, skipEmptyLines: true })
  }
  const times = { ours: [] as number[], papa: [] as number[] }
  for (let round = 0; round < 10; round++) {
    times.papa.push(timed(papa))
    times.ours.push(timed(ours))
  }
  const [papaMs, oursMs] = [median(times.papa.slice(1)), median(times.ours.slice(1))]
  return { rows: count, papaMs, oursMs, ratio: oursMs / papaMs }
}
