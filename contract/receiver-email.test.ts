import { expect, test } from 'vitest'
import { readReceiverEmail, receiverEmailOf } from './receiver-email.ts'

test('a receiver’s email is tidied; text that is none is refused', () => {
  expect(readReceiverEmail(' ana@example.com ')).toEqual({ email: 'ana@example.com' })
  expect(readReceiverEmail('')).toEqual({ email: '' })
  for (const text of [
    'ana',
    'ana@example',
    'a b@example.com',
    'ana@example.com, bo@example.com',
    'Ana <ana@example.com>',
    'ana@example..com',
    'a\u0001na@example.com',
    'a\u007fna@example.com',
    'a\u0085na@example.com',
    'a\ud800na@example.com',
    'a\udc00na@example.com',
    `${'a'.repeat(250)}@example.com`,
    'a@'.repeat(100_000),
  ])
    expect(readReceiverEmail(text)).toBe('malformed')
})

test('relay addresses of marketplaces count as none', () => {
  expect(receiverEmailOf('x1y2z3@marketplace.amazon.com')).toBe('')
  expect(receiverEmailOf('0f7a@members.ebay.com')).toBe('')
  expect(receiverEmailOf('ana@example.com')).toBe('ana@example.com')
  expect(receiverEmailOf('no address')).toBe('')
  expect(receiverEmailOf(7)).toBe('')
  expect(receiverEmailOf('a\u001bna@example.com')).toBe('')
})
