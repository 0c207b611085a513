import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { hasNoErrors, rowErrors } from '#contract/row-rules.ts'
import { fieldByName, TEMPLATE_CSV } from '#contract/rows.ts'
import type { RowField } from '#contract/rows.ts'
import { stateCode, STATES } from '#contract/states.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { parseSkuFile } from '#web/skus/sku-file.ts'
import { importFile } from './import-file.ts'
import type { ImportResult } from './import-file.ts'

/**
 * Sample files are beside the project during development. A clone has only the generated file below
 * and the fixtures of import-file.test.ts.
 */
const SHARED = join(import.meta.dirname, '..', '..', '..', '..', 'shared')
const SAMPLES = join(SHARED, 'samples')
const SENDER = {
  name: 'Wanda Osei',
  street: '1 Mill Rd',
  city: 'Roseburg',
  state: 'OR',
  zip: '97470',
}

const bytesOf = (path: string) => new Uint8Array(readFileSync(path))
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const skus = () => {
  const file = parseSkuFile(bytesOf(join(SAMPLES, 'amazon/sku-catalogue.csv')), 'sku-catalogue.csv')
  return 'problem' in file ? [] : file.records
}

function importSample(path: string, withSkus = false): ImportResult {
  const imported = importFile(bytesOf(path), path, {
    senderAddress: SENDER,
    skus: withSkus ? skus() : [],
    maxRows: 50_000,
  })
  if (!('rows' in imported)) throw new Error(JSON.stringify(imported))
  return imported
}

test('10,000 rows to every state are all read, valid and in file order', () => {
  const line = (index: number) => {
    const state = STATES[index % STATES.length]?.code
    const receiver = `Receiver ${index},,,"${index} Oak St, Rear",,Town,${state},04101-1234`
    return `Wanda Osei,,,1 Mill Rd,,Roseburg,OR,97470,${receiver},9,6,3,${(index % 70) + 0.5}`
  }
  const text = TEMPLATE_CSV + Array.from({ length: 10_000 }, (_, index) => line(index)).join('\r\n')
  const imported = importFile(new TextEncoder().encode(text), 'orders.csv', {
    skus: [],
    maxRows: 10_000,
  })
  const rows = 'rows' in imported ? imported.rows : []
  expect(rows.map(row => row.ToRecipientName)).toEqual(
    Array.from({ length: 10_000 }, (_, index) => `Receiver ${index}`),
  )
  expect(
    rows.filter(row => !hasNoErrors(rowErrors(row, { needService: false, maxWeight: 70 }))),
  ).toEqual([])
})

/** Without the samples there is no suite, so nothing is reported as skipped. */
const withSamples: (name: string, tests: () => void) => void = existsSync(SAMPLES)
  ? describe
  : () => undefined

withSamples('sample files', () => {
  test.each(globSync('defects/*.csv', { cwd: SAMPLES }))(
    '%s: exactly the planted errors are found',
    file => {
      const expected = json(join(SAMPLES, file.replace('.csv', '.expected.json')))
      const { rows } = importSample(join(SAMPLES, file))
      const found = rows.flatMap(row => {
        const errors = rowErrors(row, { needService: false })
        return hasNoErrors(errors) ? [] : [{ row: row.line, errors }]
      })
      expect(rows).toHaveLength(expected.records)
      expect(found).toEqual(
        expected.invalid.map(
          (fault: { row: number; errors: { field: RowField; message: string }[] }) => ({
            row: fault.row,
            errors: Object.fromEntries(
              fault.errors.map(({ field, message }) => [
                field,
                message.replace('{field}', fieldByName(field).label),
              ]),
            ),
          }),
        ),
      )
    },
  )

  test.each(globSync('bulk/bulk-*.csv', { cwd: SAMPLES }))('%s: every row is valid', file => {
    const { rows, notices } = importSample(join(SAMPLES, file))
    expect(rows).toHaveLength(Number(/\d+/.exec(file)?.[0]))
    expect(
      rows.filter(row => !hasNoErrors(rowErrors(row, { needService: false, maxWeight: 70 }))),
    ).toEqual([])
    expect(notices).toEqual([])
  })

  test.each(globSync('amazon/**/*.txt', { cwd: SAMPLES }))('%s: rows as specified', file => {
    const expected = json(join(SAMPLES, file.replace('.txt', '.expected.json')))
    const { rows } = importSample(join(SAMPLES, file), true)
    expect(rows).toHaveLength(expected.lines)
    expect(new Set(rows.map(row => row.orderId)).size).toBe(expected.orders)
    const unmeasured = rows.filter(row => row.PackageWeight === '')
    expect(unmeasured).toHaveLength(expected.linesWithoutMeasures)
    const expectedRows: Partial<GridRow>[] = expected.rows ?? [expected.firstRow, expected.lastRow]
    const seen = expected.rows ? rows : [rows[0], rows.at(-1)]
    const asRead = (row: Partial<GridRow>) => ({
      ...row,
      ToStateProvince: stateCode(row.ToStateProvince ?? ''),
      ToStreet2: row.ToStreet2?.replace(/(^|, )Leave at side door$/, ''),
    })
    expect(
      seen.map(row =>
        asRead(
          Object.fromEntries(
            Object.keys(expectedRows[0] ?? {}).map(key => [key, row?.[key as RowField]]),
          ),
        ),
      ),
    ).toEqual(expectedRows.map(asRead))
    if (expected.rowsWithoutMeasures)
      expect(unmeasured.map(row => row.orderItemId)).toEqual(expected.rowsWithoutMeasures)
    if (expected.skuQuantityOrder) {
      const runs: [string, string[]][] = []
      for (const { skuNumber, quantity } of rows) {
        const last = runs.at(-1)
        if (last?.[0] === skuNumber) last[1].push(quantity)
        else runs.push([skuNumber, [quantity]])
      }
      expect(runs.map(([sku, quantities]) => `${sku} ${quantities.join(' ')}`)).toEqual(
        expected.skuQuantityOrder,
      )
    }
  })

  test('the third address line is joined to the second and said so', () => {
    const { rows } = importSample(join(SAMPLES, 'amazon/variants/address-line-3.txt'))
    expect(
      rows.every(row => row.ToStreet2.endsWith(', Leave at side door') && row.notices.length === 1),
    ).toBe(true)
  })

  test('a file with only a header has no rows', () => {
    const path = join(SAMPLES, 'bulk/template-header-only.csv')
    expect(importFile(bytesOf(path), path, { skus: [], maxRows: 10 })).toEqual({
      problem: expect.stringContaining('has a header line but no rows. Add rows'),
    })
  })

  test('errors of a SKU file name record and field; other records are kept', () => {
    const expected = json(join(SAMPLES, 'sku/sku-bad.expected.json'))
    const path = join(SAMPLES, 'sku/sku-bad.csv')
    expect(parseSkuFile(bytesOf(path), path)).toMatchObject({
      invalid: expected.invalid,
      total: expected.records,
      records: Array(4).fill({}),
    })
  })

  test.each(['utf8.crlf', 'utf8-bom.crlf', 'utf8.trailing-tab'])(
    'the %s export of the same orders is read alike',
    name => {
      const folder = join(SHARED, 'contracts/amazon')
      const cells = (file: string) => importSample(join(folder, `unshipped.${file}.txt`)).rows
      expect(cells(name)).toEqual(cells('utf8.lf'))
      expect(cells(name).map(row => row.orderItemId)).toHaveLength(8)
      const errors = cells(name).map(row => rowErrors(row, { needService: false }))
      expect(
        errors.flatMap(error => Object.keys(error)).filter(field => !field.startsWith('Package')),
      ).toEqual([])
    },
  )

  test('names in windows-1252, UTF-16 and UTF-8 come out the same', () => {
    const names = (file: string) =>
      importSample(join(SHARED, 'contracts/amazon', file)).rows.map(row => row.ToRecipientName)
    expect(names('unshipped.windows-1252.txt')).toEqual(names('unshipped.latin-names.utf8.txt'))
    expect(names('unshipped.utf16le-bom.txt')).toEqual(names('unshipped.latin-names.utf8.txt'))
  })
})
