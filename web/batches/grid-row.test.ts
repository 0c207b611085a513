import { expect, test } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import { withCell } from './grid-row.ts'

test('the printed reference follows the quantity', () => {
  expect(withCell(emptyRow(), 'quantity', '3').PackageReference1).toBe('3')
})
