import { expect, test } from 'vitest'
import { parcelLookup } from './parcel-lookup.ts'

const TOKEN = 'aB3_-6789012345678901x'

test('a link is found as it is pasted, whole or its end alone', () => {
  const page = { kind: 'page', token: TOKEN }
  expect(parcelLookup(`https://labels.example/track/${TOKEN}`)).toEqual(page)
  expect(parcelLookup(` Your parcel: https://labels.example/track/${TOKEN}?from=mail `)).toEqual(
    page,
  )
  expect(parcelLookup(TOKEN)).toEqual(page)
})

test('a number of the carrier is no end of a link, although it has its length', () => {
  expect(parcelLookup('9400 1112 0555 5555 5555 55')).toEqual({
    kind: 'number',
    number: '9400111205555555555555',
  })
  expect(parcelLookup('9400111205555555555555')?.kind).toBe('number')
  expect(parcelLookup('ea123456789us')).toEqual({ kind: 'number', number: 'EA123456789US' })
})

test('a part of a link or number is neither', () => {
  for (const text of ['', TOKEN.slice(1), `/track/${TOKEN}x`, '9400 1112', 'my parcel', '/track/'])
    expect(parcelLookup(text)).toBeNull()
})
