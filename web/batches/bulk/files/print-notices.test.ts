import { expect, test } from 'vitest'
import { row } from '#tests/support/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { withPrintNotices } from './print-notices.ts'

const grid = (changes: Partial<GridRow>): GridRow => ({
  ...row(),
  id: 'row-0',
  line: 1,
  notices: [],
  ...changes,
})

test('a name with accents gets a notice how it will be printed; plain names get none', async () => {
  const plain = grid({})
  const [first, second] = (await withPrintNotices([
    grid({ ToRecipientName: 'José Muñoz', notices: ['before'] }),
    plain,
  ]))!
  expect(first!.notices).toEqual(['before', 'To Name will be printed as JOSE MUNOZ.'])
  expect(second).toBe(plain)
})

test('rows of plain letters are unchanged', async () => {
  const rows = [grid({})]
  expect(await withPrintNotices(rows)).toBe(rows)
})
