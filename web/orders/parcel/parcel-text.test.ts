import { expect, test } from 'vitest'
import { contactLink, expectedDayText } from './parcel-text.ts'

test('the expected day is the same in every time zone', () => {
  expect(expectedDayText('2026-11-27')).toBe('Friday, November 27')
})

test('an email address and a phone number become a link, and nothing else', () => {
  expect(contactLink('help@shop.example')).toBe('mailto:help@shop.example')
  expect(contactLink('+1 (541) 555-0100')).toBe('tel:+15415550100')
  for (const text of [
    'help@shop.example?bcc=x@y.example',
    'Call 541-555-0100',
    '24-7',
    'https://shop.example',
  ])
    expect(contactLink(text)).toBeNull()
})
