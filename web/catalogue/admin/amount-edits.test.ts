import { expect, test } from 'vitest'
import { isEdited } from './amount-edits.ts'
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
