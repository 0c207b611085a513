import { getHeapStatistics } from 'node:v8'
import { expect, test } from 'vitest'
import { giveMemoryBack } from './idle-memory.ts'

const GARBAGE_NUMBERS = 20_000_000

test('a process that has nothing to do gives the memory of finished work back', async () => {
  const heapBytes = (): number => getHeapStatistics().total_heap_size
  const before = heapBytes()
  Array.from({ length: GARBAGE_NUMBERS }, (_, n) => n / 2)
  const after = heapBytes()
  expect(after).toBeGreaterThan(before)
  const end = giveMemoryBack(500)
  await expect.poll(heapBytes, { interval: 3_000 }).toBeLessThan(after - GARBAGE_NUMBERS)
  end()
})
