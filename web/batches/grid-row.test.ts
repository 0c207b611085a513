import { expect, test } from 'vitest'
import { rowErrors } from '#contract/row-rules.ts'
import { TEMPLATE_HEADERS } from '#contract/rows.ts'
import { shownCell } from './grid-row.ts'
import { importFile } from './import/import-file.ts'

const LINE =
  'Wanda Osei,,,1 Mill Rd,,Roseburg,OR,97470,Ana Lee,,,9 Oak St,,Portland,ME,04101,9,6,3,1'

test('a cell of a million accents is shown shortened and named with its length; other rows are kept', () => {
  const long = `a${'\u0301\u0316'.repeat(500_000)}`
  const lines = [TEMPLATE_HEADERS.join(','), LINE, LINE.replace('Portland', long)]
  const imported = importFile(new TextEncoder().encode(lines.join('\n')), 'orders.csv', {
    skus: [],
    maxRows: 10,
  })
  if (!('rows' in imported)) throw new Error(JSON.stringify(imported))
  const [good, bad] = imported.rows
  expect(rowErrors(good!, { needService: false })).toEqual({})
  expect(rowErrors(bad!, { needService: false })).toEqual({
    ToCity: expect.stringMatching(/^City must be at most 60 characters; this has 1\d{6}$/),
  })
  expect(shownCell(bad!, 'ToCity')).toHaveLength(61)
  expect(shownCell(good!, 'ToCity')).toBe('Portland')
})
