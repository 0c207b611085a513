import { expect, test } from 'vitest'
import { expectedDayText, mailAddressIn } from './parcel-text.ts'

test('the expected day is the same in every time zone', () => {
  expect(expectedDayText('2026-11-27')).toBe('Friday, November 27')
})

test('only an email address becomes a link', () => {
  expect(mailAddressIn('help@shop.example')).toBe('help@shop.example')
  expect(mailAddressIn('help@shop.example?bcc=x@y.example')).toBeNull()
  expect(mailAddressIn('Call 541-555-0100')).toBeNull()
})
