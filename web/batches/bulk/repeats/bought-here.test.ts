import { afterEach, expect, test, vi } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import {
  applyOutcome,
  boughtBeforeOn,
  ordersWithoutOutcome,
  rememberBought,
} from './bought-here.ts'

const HOUR_MS = 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 22)
const RUNNING = new Set(['7'])
const ENDED: ReadonlySet<string> = new Set()

const row = (cells: Partial<BulkRow> = {}): GridRow => ({
  ...emptyRow(),
  ToRecipientName: 'Ada Lee',
  ToStreet1: '12 Main St',
  ToZipPostal: '04101',
  skuNumber: 'TEE',
  ...cells,
  id: 'row-0',
  line: 1,
  notices: [],
})

function withStorage(setItem?: () => never): Map<string, string> {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: setItem ?? ((key: string, value: string) => void stored.set(key, value)),
  })
  return stored
}
afterEach(() => vi.unstubAllGlobals())

test('the same receiver, SKU and quantity is recognized for 24 hours, for this user only', () => {
  withStorage()
  rememberBought('u1', '7', [row()], NOW)
  const later = NOW + 23 * HOUR_MS
  expect(boughtBeforeOn('u1', later, RUNNING)(row({ ToRecipientName: 'ADA LEE' }))).toBe(true)
  expect(boughtBeforeOn('u1', later, RUNNING)(row({ quantity: '2' }))).toBe(false)
  expect(boughtBeforeOn('u1', later, RUNNING)(row({ skuNumber: 'MUG' }))).toBe(false)
  expect(boughtBeforeOn('u2', later, RUNNING)(row())).toBe(false)
  expect(boughtBeforeOn('u1', NOW + 24 * HOUR_MS, RUNNING)(row())).toBe(false)
})

test('a label that failed is not called bought; one of the same receiver that was bought is', () => {
  withStorage()
  const twice = row({ ToRecipientName: 'Ben Roe' })
  rememberBought(
    'u1',
    '7',
    [row(), twice, twice, row({ orderId: '1' }), row({ quantity: '3' })],
    NOW,
  )
  expect(ordersWithoutOutcome('u1', NOW)).toEqual(['7'])
  // Nothing is said before the server has told which labels were bought.
  expect(boughtBeforeOn('u1', NOW, ENDED)(twice)).toBe(false)

  applyOutcome('u1', '7', { isEnded: false, failedRows: new Set([1]) }, NOW)
  expect(boughtBeforeOn('u1', NOW, RUNNING)(row())).toBe(false)
  expect(boughtBeforeOn('u1', NOW, RUNNING)(twice)).toBe(true)

  applyOutcome('u1', '7', { isEnded: true, failedRows: new Set([1, 2, 5]) }, NOW)
  expect(ordersWithoutOutcome('u1', NOW)).toEqual([])
  const isBought = boughtBeforeOn('u1', NOW, ENDED)
  expect([row(), twice, row({ quantity: '3' })].map(isBought)).toEqual([false, true, false])
})

test('an order that the server does not know is forgotten, others are not', () => {
  withStorage()
  rememberBought('u1', '7', [row()], NOW)
  rememberBought('u1', '8', [row({ quantity: '2' })], NOW)
  applyOutcome('u1', '7', null, NOW)
  const running = new Set(['7', '8'])
  expect(boughtBeforeOn('u1', NOW, running)(row())).toBe(false)
  expect(boughtBeforeOn('u1', NOW, running)(row({ quantity: '2' }))).toBe(true)
})

test('rows with an order id are left to the server', () => {
  const stored = withStorage()
  rememberBought('u1', '7', [row({ orderId: '1001' }), row({ ToRecipientName: '' })], NOW)
  expect(stored.size).toBe(0)
})

test('no name and no address is stored', () => {
  const stored = withStorage()
  rememberBought('u1', '7', [row()], NOW)
  const text = [...stored.values()].join().toLowerCase()
  for (const part of ['ada', 'lee', 'main', '04101', 'tee']) expect(text).not.toContain(part)
})

test('a browser without storage warns of nothing and breaks nothing', () => {
  withStorage(() => {
    throw new Error('quota')
  })
  rememberBought('u1', '7', [row()], NOW)
  expect(boughtBeforeOn('u1', NOW, RUNNING)(row())).toBe(false)
})
