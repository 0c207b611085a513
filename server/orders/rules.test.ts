import { expect, test } from 'vitest'
import { labelFileName, orderIdInFileName, voidStatusOf } from './rules.ts'

test('the status of a void follows the state of the label', () => {
  expect(voidStatusOf({ state: 'purchased', voidReason: null })).toBeNull()
  expect(voidStatusOf({ state: 'purchased', voidReason: 'Too old' })).toBe('refused')
  expect(voidStatusOf({ state: 'voiding', voidReason: null })).toBe('requested')
  expect(voidStatusOf({ state: 'failed', voidReason: null })).toBeNull()
})

test('a label’s file name contains its order id; any other text contains none', () => {
  const name = labelFileName(17, '00000000-1111-4222-8333-444444444444', true)
  expect(name).toBe('SAMPLE-label-17-00000000111142228333444444444444.pdf')
  expect(orderIdInFileName(name)).toBe(17)
  for (const other of [
    '',
    'label-17.pdf',
    `x${name}`,
    `${name}x`,
    name.replace('17', '017'),
    name.replace('17', '9'.repeat(16)),
  ]) {
    expect(orderIdInFileName(other), other).toBeNull()
  }
})
