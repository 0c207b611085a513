import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { formatKey, KEY_BYTES, modeOfKey } from './key-format.ts'

test('a key tells its mode and has 30 random digits and a checksum', () => {
  const key = formatKey('test', randomBytes(KEY_BYTES))
  expect(key).toMatch(/^evp_test_[0-9A-Za-z]{36}$/)
  expect(modeOfKey(key)).toBe('test')
  expect(modeOfKey(formatKey('live', randomBytes(KEY_BYTES)))).toBe('live')
})

test('the checksum is the CRC32 of zip files, in base 62', () => {
  // CRC32 of 'evp_test_' and thirty zeros is 0xae08e2dd (python: zlib.crc32).
  const key = formatKey('test', new Uint8Array(KEY_BYTES))
  expect(key).toBe(`evp_test_${'0'.repeat(30)}3BbG1t`)
})

test('every single mistyped, left out or swapped character is found', () => {
  const key = formatKey('live', randomBytes(KEY_BYTES))
  for (let at = 0; at < key.length; at++) {
    const other = key[at] === 'x' ? 'y' : 'x'
    expect(modeOfKey(key.slice(0, at) + other + key.slice(at + 1)), `at ${at}`).toBeNull()
    expect(modeOfKey(key.slice(0, at) + key.slice(at + 1))).toBeNull()
    const next = key[at + 1]
    if (next !== undefined && next !== key[at])
      expect(modeOfKey(key.slice(0, at) + next + key[at] + key.slice(at + 2))).toBeNull()
  }
})

test('a key of one mode does not become one of the other by its prefix', () => {
  const key = formatKey('test', randomBytes(KEY_BYTES))
  expect(modeOfKey(key.replace('test', 'live'))).toBeNull()
})

test('all digits occur equally often', () => {
  const counts = new Map<string, number>()
  for (let n = 0; n < 2_000; n++)
    for (const digit of formatKey('test', randomBytes(KEY_BYTES)).slice(9, 39))
      counts.set(digit, (counts.get(digit) ?? 0) + 1)
  expect(counts.size).toBe(62)
  // 968 each on average, with a standard deviation of 31.
  for (const count of counts.values()) expect(Math.abs(count - 60_000 / 62)).toBeLessThan(6 * 31)
})
