import { expect, test } from 'vitest'
import { dayRepeats } from './day-repeats.ts'

test('only the first line of a day names it', () => {
  const lines = [
    { at: '2026-11-27T15:00:00.000Z' },
    { at: '2026-11-27T14:00:00.000Z' },
    { at: '2026-11-25T14:30:00.000Z' },
    { at: '2026-11-25T14:00:00.000Z' },
    { at: '2026-11-23T14:00:00.000Z' },
  ]
  expect([...dayRepeats(lines)]).toEqual([lines[1], lines[3]])
  expect(dayRepeats([]).size).toBe(0)
})
