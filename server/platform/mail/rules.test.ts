import { expect, test } from 'vitest'
import { maskAddress, problemOf, retryDelayMs } from './rules.ts'
import type { MailProblem } from './rules.ts'

/** Milliseconds of the attempts, from the first one at 0, until `until`. */
function attemptTimes(problem: MailProblem, until: number): number[] {
  const times = [0]
  for (let n = 1; times.at(-1)! < until; n++) times.push(times.at(-1)! + retryDelayMs(n, problem))
  return times
}
const MINUTE = 60_000

test('a mail server that was away for ten minutes has the email a minute later', () => {
  const next = attemptTimes('unreachable', 10 * MINUTE).at(-1)!
  expect(next - 10 * MINUTE).toBeLessThanOrEqual(MINUTE)
})

test('a busy mail server is asked more and more rarely, and often enough for a link of one hour', () => {
  const times = attemptTimes('busy', 60 * MINUTE)
  const pauses = times.slice(1).map((time, n) => time - times[n]!)
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  expect(times.length).toBeGreaterThan(10)
  expect(times.length).toBeLessThan(20)
})

test('only a refusal of the recipient or the text is for good', () => {
  const answers: [object, MailProblem][] = [
    [{ code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }, 'refused'],
    [{ code: 'EMESSAGE', responseCode: 554, command: 'DATA' }, 'refused'],
    [{ code: 'EENVELOPE', responseCode: 451, command: 'RCPT TO' }, 'busy'],
    [{ code: 'EENVELOPE', responseCode: 553, command: 'MAIL FROM' }, 'sender'],
    [{ code: 'EAUTH', responseCode: 535, command: 'AUTH PLAIN' }, 'signin'],
    [{ code: 'EENVELOPE', responseCode: 530, command: 'MAIL FROM' }, 'signin'],
    [{ code: 'EPROTOCOL', responseCode: 554, command: 'CONN' }, 'unreachable'],
    [{ code: 'ESOCKET', syscall: 'connect' }, 'unreachable'],
    [{ code: 'ETIMEDOUT' }, 'unreachable'],
    [{ code: 'ENOSPC', syscall: 'write' }, 'disk'],
    [new TypeError('a defect'), 'error'],
  ]
  expect(answers.map(([error]) => problemOf(error))).toEqual(answers.map(([, problem]) => problem))
})

test('a masked address shows its first letter and its domain', () => {
  expect(
    ['ana@example.com', 'a@b.c', 'a@b@example.com', '👩@example.com'].map(maskAddress),
  ).toEqual(['a•••@example.com', 'a•••@b.c', 'a•••@example.com', '👩•••@example.com'])
})
