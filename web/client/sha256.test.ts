import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { sha256 } from './sha256.ts'

test('a file has the hash that other programs compute for it', () => {
  for (const length of [0, 1, 3, 55, 56, 63, 64, 65, 119, 120, 1000, 100_003]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 31 + length) % 256)
    expect(sha256(bytes), `${length} bytes`).toBe(createHash('sha256').update(bytes).digest('hex'))
  }
})
