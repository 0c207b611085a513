import { expect, test } from 'vitest'
import { mapConcurrent } from './map-concurrent.ts'

async function* numbers(count: number): AsyncGenerator<number> {
  for (let n = 1; n <= count; n++) yield n
}

test('results come in the order of their items, whichever is ready first, and no more are begun than may wait', async () => {
  const begun: number[] = []
  const results = mapConcurrent(numbers(20), 4, async n => {
    begun.push(n)
    for (let turns = n % 3; turns > 0; turns--) await new Promise(resolve => setImmediate(resolve))
    return n * 10
  })
  for (let n = 1; n <= 20; n++) {
    expect(await results.next()).toEqual({ done: false, value: n * 10 })
    expect(begun).toHaveLength(Math.min(20, n + 3))
  }
  expect(await results.next()).toEqual({ done: true, value: undefined })
})

test('what goes wrong is told in its turn, and nothing is begun after it', async () => {
  const begun: number[] = []
  const results: number[] = []
  const work = async (n: number): Promise<number> => {
    begun.push(n)
    if (n === 3) throw new Error('the third')
    return n
  }
  await expect(
    (async () => {
      for await (const result of mapConcurrent(numbers(20), 4, work)) results.push(result)
    })(),
  ).rejects.toThrow('the third')
  expect([results, begun]).toEqual([
    [1, 2],
    [1, 2, 3, 4, 5, 6],
  ])
})
