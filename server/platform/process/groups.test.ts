import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Groups } from './groups.ts'

type Run = { items: string[]; finish: (results: string[]) => void; fail: (error: Error) => void }

const NEVER_MS = 1_000_000

function openGroups(
  options: { most?: number; ownerOf?: (item: string) => unknown; patienceMs?: number } = {},
) {
  const runs: Run[] = []
  const groups = new Groups<string, string>(
    items =>
      new Promise((finish, fail) => {
        runs.push({ items, finish, fail })
      }),
    { most: 10, mostGroups: 2, slowMs: NEVER_MS, ...options },
  )
  return { runs, groups }
}

test('an item that comes alone is done at once, and those that come meanwhile are done together', async () => {
  const { runs, groups } = openGroups()
  const first = groups.add('a')
  await nextTurn()
  const others = [groups.add('b'), groups.add('c')]
  await nextTurn()
  expect(runs.map(({ items }) => items)).toEqual([['a']])
  runs[0]!.finish(['A'])
  expect(await first).toBe('A')
  await nextTurn()
  expect(runs[1]!.items).toEqual(['b', 'c'])
  runs[1]!.finish(['B', 'C'])
  expect(await Promise.all(others)).toEqual(['B', 'C'])
})

test('an error of a group is that of each of its items, and the next group is not affected', async () => {
  const { runs, groups } = openGroups()
  const pair = Promise.allSettled([groups.add('a'), groups.add('b')])
  await nextTurn()
  const later = groups.add('c')
  runs[0]!.fail(new Error('no connection'))
  expect((await pair).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await nextTurn()
  runs[1]!.finish(['C'])
  expect(await later).toBe('C')
})

test('an owner with many items leaves places in the next group to the others', async () => {
  const { runs, groups } = openGroups({ most: 3, ownerOf: item => item[0] })
  void groups.add('first')
  await nextTurn()
  for (const item of ['a1', 'a2', 'a3', 'a4', 'b1']) void groups.add(item)
  runs[0]!.finish(['done'])
  await nextTurn()
  expect(runs[1]!.items).toEqual(['a1', 'b1', 'a2'])
  runs[1]!.finish(['', '', ''])
  await nextTurn()
  expect(runs[2]!.items).toEqual(['a3', 'a4'])
})

test('a group that takes long does not hold up what comes after it', async () => {
  const runs: string[][] = []
  const groups = new Groups<string, void>(
    items => {
      runs.push(items)
      return items.includes('slow') ? new Promise(() => {}) : Promise.resolve([])
    },
    { most: 10, mostGroups: 2, slowMs: 1 },
  )
  void groups.add('slow')
  await nextTurn()
  await groups.add('next')
  expect(runs).toEqual([['slow'], ['next']])
})

test('an item that finds no place in a group in time is refused, and not done later', async () => {
  // A machine that pauses for the whole patience would refuse the first item too.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { runs, groups } = openGroups({ patienceMs: 20 })
  void groups.add('a')
  await nextTurn()
  const late = groups.add('b')
  vi.advanceTimersByTime(20)
  await expect(late).rejects.toMatchObject({ code: 'busy', status: 503 })
  const last = groups.add('c')
  runs[0]!.finish(['A'])
  await nextTurn()
  expect(runs).toHaveLength(2)
  expect(runs[1]!.items).toEqual(['c'])
  runs[1]!.finish(['C'])
  expect(await last).toBe('C')
})
