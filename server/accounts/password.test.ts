import { expect, test } from 'vitest'
import { createHashingLimiter } from './password.ts'

const settle = () => new Promise<void>(done => void setImmediate(() => done()))

/** Password checks that end when told to, in the order in which they begin. */
function openChecks() {
  const limit = createHashingLimiter()
  const begun: string[] = []
  const ends: (() => void)[] = []
  return {
    begun,
    check: (from: string) =>
      limit(() => {
        begun.push(from)
        return new Promise<void>(done => ends.push(done))
      }, from),
    async endOne(): Promise<void> {
      ends.shift()!()
      await settle()
    },
  }
}

test('three hundred sign-ins of one network at once delay another network’s by one', async () => {
  const { begun, check, endOne } = openChecks()
  void Promise.allSettled(Array.from({ length: 300 }, () => check('flooder')))
  await settle()
  void check('owner')
  expect(begun).toEqual(Array(4).fill('flooder'))
  await endOne()
  await endOne()
  expect(begun.slice(4).toSorted()).toEqual(['flooder', 'owner'])
})

test('of many sign-ins of one network four are checked and a hundred wait; the others are refused', async () => {
  const { begun, check, endOne } = openChecks()
  const all = Array.from({ length: 110 }, () => check('flooder').then(() => 'done', String))
  for (let n = 0; n < 104; n++) await endOne()
  const outcomes = await Promise.all(all)
  expect(begun).toHaveLength(104)
  expect(outcomes.filter(outcome => outcome !== 'done')).toEqual(
    Array(6).fill(expect.stringContaining('Too many people are signing in')),
  )
})
