import { expect, test } from 'vitest'
import type { StatementEntry } from '#contract/ledger.ts'
import { foldReleases } from './fold-releases.ts'

const release = (orderId: string, balance: number, changes: Partial<StatementEntry> = {}) =>
  ({
    at: '2026-11-23T12:04:00.000Z',
    kind: 'release',
    amount: 6.1,
    balance,
    orderId,
    batchId: '27',
    note: 'Address not deliverable',
    ...changes,
  }) satisfies StatementEntry

test('labels of a bulk order that failed for one reason are one line with their sum', () => {
  const entries = [release('3', 18.3), release('2', 12.2), release('1', 6.1)]
  const [line, ...others] = foldReleases(entries)
  expect(others).toEqual([])
  expect(line).toMatchObject({ amount: 18.3, balance: 18.3, batchId: '27', folded: entries })
  expect(line!.orderId).toBeUndefined()
})

test('another reason, bulk order or kind in between stays a line of its own', () => {
  const deposit: StatementEntry = { at: '', kind: 'deposit', amount: 50, balance: 62.2 }
  const entries = [
    release('6', 80.5),
    release('5', 74.4, { note: 'Too heavy' }),
    release('4', 68.3, { batchId: '26' }),
    deposit,
    release('2', 12.2, { batchId: '26' }),
    release('1', 6.1, { batchId: undefined }),
    release('0', 0, { batchId: undefined }),
  ]
  expect(foldReleases(entries)).toEqual(entries)
})
