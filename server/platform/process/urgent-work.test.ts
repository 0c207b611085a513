import { expect, test } from 'vitest'
import { asUrgent, isUrgentUnderWay, leaveRoomToUrgent } from './urgent-work.ts'

const LONG_MS = 60_000

test('rows of a bulk order do not wait while no single order is under way', () => {
  expect(isUrgentUnderWay()).toBe(false)
  expect(leaveRoomToUrgent(LONG_MS)).toBe(undefined)
})

test('rows of a bulk order wait until the last single order is done', async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const singles = [first, second].map(({ promise }) => asUrgent(() => promise))
  let isOver = false
  const rows = leaveRoomToUrgent(LONG_MS)?.then(() => (isOver = true))
  first.resolve()
  await singles[0]
  expect([isUrgentUnderWay(), isOver]).toEqual([true, false])
  second.resolve()
  await Promise.all([...singles, rows])
  expect([isUrgentUnderWay(), isOver]).toEqual([false, true])
})

test('a single order that fails keeps no rows waiting', async () => {
  await expect(asUrgent(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(isUrgentUnderWay()).toBe(false)
})

test('many single orders delay rows of a bulk order, they do not stop them', async () => {
  const single = Promise.withResolvers<void>()
  const done = asUrgent(() => single.promise)
  await leaveRoomToUrgent(1)
  expect(isUrgentUnderWay()).toBe(true)
  single.resolve()
  await done
})
