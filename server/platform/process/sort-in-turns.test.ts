import { expect, test } from 'vitest'
import { sortInTurns } from './sort-in-turns.ts'

const numbers = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ number: (at * 7919) % 1009, at }))
const byNumber = (a: { number: number }, b: { number: number }) => a.number - b.number

test.each([0, 1, 2_048, 2_049, 20_000])(
  '%i items are sorted, and equal ones keep their order',
  async count => {
    const items = numbers(count)
    expect(await sortInTurns(items, byNumber)).toEqual(items.toSorted(byNumber))
    expect(items).toEqual(numbers(count))
  },
)

test('other work runs while a long list is sorted', async () => {
  let isOver = false
  const sorting = sortInTurns(numbers(20_000), byNumber).then(() => (isOver = true))
  await new Promise(resolve => setImmediate(resolve))
  expect(isOver).toBe(false)
  await sorting
})
