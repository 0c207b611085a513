import { expect, test } from 'vitest'
import { isEdited, onNewer, textIn, withTyped } from './amount-edits.ts'
import type { AmountEdit, AmountRow } from './amount-edits.ts'

const field = { label: 'Signature', placeholder: 'None' }
const row: AmountRow<'signature' | 'adult'> = {
  id: 'a',
  name: 'USPS Priority Mail',
  fields: [
    { ...field, key: 'signature', dollars: 5 },
    { ...field, key: 'adult', dollars: null },
  ],
}
const typed = (amounts: AmountEdit<'signature' | 'adult'>['typed']) => ({
  typed: amounts,
  seen: row,
})

test('the saved amount in another form is no change', () => {
  for (const signature of ['5', '5.0', '5.00', ' 5 '])
    expect(isEdited(typed({ signature, adult: '' }), row)).toBe(false)
  expect(isEdited(undefined, row)).toBe(false)
})

test('another amount, a removed one and a new one are changes', () => {
  expect(isEdited(typed({ signature: '5.01' }), row)).toBe(true)
  expect(isEdited(typed({ signature: '' }), row)).toBe(true)
  expect(isEdited(typed({ adult: '0' }), row)).toBe(true)
})

/** The row after another administrator has saved these amounts. */
const saved = (signature: number, adult: number | null): typeof row => {
  const [first, second] = row.fields as [(typeof row.fields)[0], (typeof row.fields)[0]]
  return {
    ...row,
    fields: [
      { ...first, dollars: signature },
      { ...second, dollars: adult },
    ],
  }
}
const shown = (edit: AmountEdit<'signature' | 'adult'>, now: typeof row) =>
  now.fields.map(field => textIn(edit, field))

test('after the amount that was there is typed again, an amount that is saved elsewhere is shown', () => {
  const edit = withTyped(withTyped(undefined, row, 'signature', '7'), row, 'signature', '5')
  expect(shown(edit, row)).toEqual(['5', ''])
  expect(shown(edit, saved(6, null))).toEqual(['6.00', ''])
  expect(isEdited(edit, saved(6, null))).toBe(false)
  // The next change is one of the amounts that are shown now.
  const next = withTyped(edit, saved(6, null), 'adult', '2')
  expect(next.seen).toEqual(saved(6, null))
  expect(shown(next, saved(6, null))).toEqual(['6.00', '2'])
})

test('a change that was refused keeps what was changed, and no amount that was only typed again', () => {
  const edit = withTyped(withTyped(undefined, row, 'adult', ''), row, 'signature', '7')
  const newer = saved(6, 3)
  expect(onNewer(edit, newer)).toEqual({ typed: { signature: '7' }, seen: newer })
  expect(shown(onNewer(edit, newer), newer)).toEqual(['7', '3.00'])
})
