import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import { indexServicesWithPrices } from '#server/catalogue/rules.ts'
import { row } from '#tests/support/rows.ts'
import {
  checkRows,
  createContentHash,
  countsOf,
  estimateRemainingMs,
  fileProblemText,
  finalStatus,
  needsNoMoreWaiting,
  LABEL_FILE_PATIENCE_MS,
  requeueWindowMs,
  parseRows,
  UNKNOWN_PATIENCE_MS,
} from './rules.ts'

const none = {
  queued: 0,
  purchasing: 0,
  unknown: 0,
  purchased: 0,
  failed: 0,
  voiding: 0,
  voided: 0,
}

test('an unknown label is not processed while the bulk order waits for it, and failed afterwards', () => {
  const states = { ...none, purchased: 5, failed: 2, unknown: 1, queued: 3 }
  expect(countsOf('processing', states)).toEqual({ processed: 7, failed: 2 })
  expect(countsOf('completed_with_errors', { ...states, queued: 0 })).toEqual({
    processed: 8,
    failed: 3,
  })
})

test('during a retry a reopened label is not processed, and stays failed until it is bought', () => {
  expect(countsOf('retrying_failed', { ...none, purchased: 5, queued: 3 })).toEqual({
    processed: 5,
    failed: 3,
  })
  expect(countsOf('retrying_failed', { ...none, purchased: 7, queued: 1 })).toEqual({
    processed: 7,
    failed: 1,
  })
})

test('a void changes no count', () => {
  expect(countsOf('completed', { ...none, purchased: 3, voiding: 1, voided: 2 })).toEqual({
    processed: 6,
    failed: 0,
  })
})

test('a bulk order has failed only if no label was bought and none can be retried', () => {
  expect(finalStatus({ ...none, purchased: 3 })).toBe('completed')
  expect(finalStatus({ ...none, failed: 3 })).toBe('completed_with_errors')
  expect(finalStatus({ ...none, unknown: 3 })).toBe('failed')
  expect(finalStatus({ ...none, purchased: 1, unknown: 2 })).toBe('completed_with_errors')
})

test('a bulk order waits 15 minutes for unknown labels, a retry does not wait', () => {
  expect(needsNoMoreWaiting('processing', 1, 0, UNKNOWN_PATIENCE_MS - 1)).toBe(false)
  expect(needsNoMoreWaiting('processing', 1, 0, UNKNOWN_PATIENCE_MS)).toBe(true)
  expect(needsNoMoreWaiting('processing', 0, 0, 0)).toBe(true)
  expect(needsNoMoreWaiting('retrying_failed', 1, 0, 0)).toBe(true)
})

test('a bulk order waits two minutes for label files of its carrier, also in a retry', () => {
  expect(needsNoMoreWaiting('processing', 0, 1, LABEL_FILE_PATIENCE_MS - 1)).toBe(false)
  expect(needsNoMoreWaiting('retrying_failed', 1, 1, LABEL_FILE_PATIENCE_MS - 1)).toBe(false)
  expect(needsNoMoreWaiting('processing', 0, 1, LABEL_FILE_PATIENCE_MS)).toBe(true)
})

test('a retry buys no label that was unknown before the retry', () => {
  expect(requeueWindowMs('processing', null)).toBe(Infinity)
  expect(requeueWindowMs('retrying_failed', 4_000)).toBe(4_000)
})

test('the operator sees why files could not be built; database errors do not mention the bucket', () => {
  expect(fileProblemText('ENOSPC')).toBe('There is no space left for files')
  expect(fileProblemText('BucketAway')).toBe('The bucket for files cannot be reached')
  expect(fileProblemText('AccessDenied')).toBe('The bucket for files may not be written to')
  expect(fileProblemText('ECONNRESET')).toBe('The files could not be written (ECONNRESET)')
  expect(fileProblemText(undefined)).toBe('The files could not be written')
})

test('rows that differ only in writing have the same hash, other rows do not', () => {
  const sum = (pages: unknown[][], replaces: string[] = []) => {
    const content = createContentHash(replaces)
    for (const page of pages) content.add(parseRows(page))
    return content.hash()
  }
  expect(sum([[row(1)]])).toBe(sum([[{ ...row(1), PackageWeight: 1.5, somethingElse: 'x' }]]))
  expect(sum([[row(1)]])).toBe(sum([[{ ...row(1), signature: 'no', saturday: '' }]]))
  expect(sum([[row(1)]])).not.toBe(sum([[{ ...row(1), saturday: 'yes' }]]))
  expect(sum([[row(1)]])).not.toBe(sum([[row(2)]]))
  expect(sum([[row(1)]])).not.toBe(sum([[row(1)]], ['7']))
  expect(sum([[row(1), row(2)], [row(3)]])).toBe(sum([[row(1)], [row(2), row(3)]]))
})

const GROUND_PRICES = indexServicesWithPrices([
  {
    id: 1,
    uid: 'usps:GROUND_ADVANTAGE',
    name: 'USPS Ground Advantage',
    category: 'USPS',
    maxWeight: 70,
    offered: true,
    enabled: true,
    table: null,
    rule: null,
    priceVersionId: null,
    ranges: [
      { from: 1, to: 10, cents: cents(650) },
      { from: 11, to: 70, cents: cents(900) },
    ],
  },
])

test('one wrong row refuses all rows and every wrong field is named; prices come from the price list', () => {
  expect(
    checkRows(parseRows([row(1), row(2, { PackageWeight: '10.1' })]), GROUND_PRICES),
  ).toMatchObject({
    cost: 1550,
  })
  expect(
    checkRows(
      parseRows([
        row(1),
        row(2, { PackageWeight: '71', ToRecipientName: '🎁', ServiceName: 'Pony' }),
      ]),
      GROUND_PRICES,
    ),
  ).toEqual({
    wrongRows: 1,
    faults: [
      [
        '2.ToRecipientName',
        {
          code: 'character_not_printable',
          text: 'To Name cannot be printed; use Latin letters',
        },
      ],
      ['2.ServiceName', { code: 'service_unknown', text: "Service 'Pony' does not exist" }],
    ],
  })
  const later = checkRows(parseRows([row(1, { ToCity: '' })]), GROUND_PRICES, 500)
  expect(later).toEqual({
    wrongRows: 1,
    faults: [['501.ToCity', { code: 'required', text: 'To City is required' }]],
  })
})

test('a phone number is bought as it was typed or refused, never shortened', () => {
  const phones = ['555-0192 ext. 9', '(404) 555-0192 x12', '12x4', '555-0192 or 3']
  const bought = phones.map(ToPhone => {
    const checked = checkRows(parseRows([row(1, { ToPhone })]), GROUND_PRICES)
    return 'orders' in checked ? checked.orders[0]!.receiver.phone : checked.faults[0]![0]
  })
  expect(bought).toEqual(['555-0192 ext. 9', '(404) 555-0192 x12', '1.ToPhone', '1.ToPhone'])
})

const waiting = {
  left: 300,
  ahead: 0,
  owners: 1,
  labelsPerMinute: 60,
  done: 0,
  ranMs: 0,
  pauseMs: 0,
}

test('at 60 labels a minute 300 labels take five minutes, and longer if other users wait or the carrier is paused', () => {
  const minutes = (change: Partial<typeof waiting>): number =>
    estimateRemainingMs({ ...waiting, ...change })! / 60_000
  expect(minutes({})).toBe(5)
  expect(minutes({ ahead: 60 })).toBe(6)
  expect(minutes({ owners: 2 })).toBe(10)
  expect(minutes({ pauseMs: 120_000 })).toBe(7)
})

test('without a rate limit the estimate follows the speed so far, once enough labels are done; a short rest has no estimate', () => {
  const seen = { ...waiting, labelsPerMinute: null }
  expect(estimateRemainingMs({ ...seen, done: 5, ranMs: 60_000 })).toBeNull()
  expect(estimateRemainingMs({ ...seen, done: 100, ranMs: 4_000 })).toBeNull()
  expect(estimateRemainingMs({ ...seen, done: 100, ranMs: 60_000 })).toBe(180_000)
  expect(estimateRemainingMs({ ...seen, left: 20, done: 100, ranMs: 60_000 })).toBeNull()
  expect(estimateRemainingMs({ ...waiting, left: 0 })).toBeNull()
})
