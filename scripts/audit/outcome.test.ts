import { expect, test } from 'vitest'
import { auditOutcome } from './outcome.ts'

const outcome = (status: number, report: object) => auditOutcome(status, JSON.stringify(report))

test('packages without a finding pass', () => {
  expect(outcome(0, { vulnerabilities: {}, metadata: { vulnerabilities: { total: 0 } } })).toEqual({
    exitCode: 0,
    text: 'nothing found',
  })
  expect(outcome(0, { invalid: [], missing: [] }).exitCode).toBe(0)
})

test('a vulnerability, and a package that is not as signed, are findings', () => {
  expect(
    outcome(1, { metadata: { vulnerabilities: { low: 0, high: 2, critical: 1, total: 3 } } }),
  ).toEqual({
    exitCode: 1,
    text: 'FOUND: 2 high (npm audit lists them); 1 critical (npm audit lists them)',
  })
  expect(outcome(1, { invalid: [{ name: 'left', version: '1.0.0' }], missing: [] })).toEqual({
    exitCode: 1,
    text: 'FOUND: left@1.0.0 is not as signed',
  })
})

test('a registry that does not answer is told apart from packages without a finding', () => {
  expect(
    outcome(1, { message: '405 Method Not Allowed', statusCode: 405, error: { summary: '' } }),
  ).toEqual({
    exitCode: 2,
    text: 'NOT CHECKED: the registry did not answer (405 Method Not Allowed)',
  })
  expect(outcome(1, { error: { code: 'ENOTFOUND', summary: 'request failed' } }).text).toContain(
    'request failed',
  )
  expect(auditOutcome(0, '')).toMatchObject({ exitCode: 2 })
})
