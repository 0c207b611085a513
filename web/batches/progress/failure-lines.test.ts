import { expect, test } from 'vitest'
import type { BatchFailures } from '#contract/batch-failures.ts'
import type { FailedLabel } from '#contract/batches.ts'
import { failureLines, moneyLines, namedLabels } from './failure-lines.ts'

const NONE: BatchFailures = {
  reasons: [],
  otherCount: 0,
  editableCount: 0,
  released: 0,
  checkingCount: 0,
  held: 0,
}

test('every failed label is counted under a reason, once', () => {
  const reasons = [
    { reason: 'Address not deliverable', count: 40 },
    { reason: 'ZIP code not found', count: 2 },
    { reason: 'Street not found', count: 1 },
  ]
  expect(failureLines({ ...NONE, reasons, otherCount: 5, checkingCount: 1 })).toEqual([
    ...reasons,
    { reason: 'Other reasons', count: 5 },
    { reason: 'Being checked with the carrier', count: 1 },
  ])
  expect(failureLines({ ...NONE, reasons: [reasons[1]!] })).toEqual([reasons[1]])
})

test('money is said to be back only where it is back, and on hold where it is on hold', () => {
  expect(moneyLines({ ...NONE, released: 6.5 })).toEqual(['$6.50 is back in your balance.'])
  expect(moneyLines({ ...NONE, held: 13, checkingCount: 2 })).toEqual([
    '$13.00 stays on hold while 2 labels are being checked.',
  ])
  expect(moneyLines({ ...NONE, released: 1300, held: 6.5, checkingCount: 1 })).toEqual([
    '$1,300.00 is back in your balance.',
    '$6.50 stays on hold while 1 label is being checked.',
  ])
  expect(moneyLines(NONE)).toEqual([])
})

test('the first three failed labels are named under their reasons', () => {
  const labels = ['Street not found', 'ZIP code not found', 'Street not found', 'Street not found']
  const failed = labels.map((reason, index): FailedLabel => ({
    row: index + 1,
    labelId: String(index),
    orderItemId: '',
    receiver: 'June Rivera',
    address: '2210 E Olive Ave, Fresno CA 93701',
    reason,
    code: 'label_refused',
    retryable: true,
  }))
  const rows = [...namedLabels(failed)].map(([reason, named]) => [
    reason,
    named.map(({ row }) => row),
  ])
  expect(rows).toEqual([
    ['Street not found', [1, 3]],
    ['ZIP code not found', [2]],
  ])
})
