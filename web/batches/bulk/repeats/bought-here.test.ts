import { afterEach, expect, test, vi } from 'vitest'
import { emptyRow } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { boughtBeforeOn, rememberBought } from './bought-here.ts'

const HOUR_MS = 60 * 60 * 1000
const NOW = Date.UTC(2026, 10, 22)

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
  rememberBought('u1', [row()], NOW)
  const later = NOW + 23 * HOUR_MS
  expect(boughtBeforeOn('u1', later)(row({ ToRecipientName: 'ADA LEE' }))).toBe(true)
  expect(boughtBeforeOn('u1', later)(row({ quantity: '2' }))).toBe(false)
  expect(boughtBeforeOn('u1', later)(row({ skuNumber: 'MUG' }))).toBe(false)
  expect(boughtBeforeOn('u2', later)(row())).toBe(false)
  expect(boughtBeforeOn('u1', NOW + 24 * HOUR_MS)(row())).toBe(false)
})

test('rows with an order id are left to the server', () => {
  const stored = withStorage()
  rememberBought('u1', [row({ orderId: '1001' }), row({ ToRecipientName: '' })], NOW)
  expect(stored.size).toBe(0)
})

test('no name and no address is stored', () => {
  const stored = withStorage()
  rememberBought('u1', [row()], NOW)
  const text = [...stored.values()].join().toLowerCase()
  for (const part of ['ada', 'lee', 'main', '04101', 'tee']) expect(text).not.toContain(part)
})

test('a browser without storage warns of nothing and breaks nothing', () => {
  withStorage(() => {
    throw new Error('quota')
  })
  rememberBought('u1', [row()], NOW)
  expect(boughtBeforeOn('u1', NOW)(row())).toBe(false)
})
