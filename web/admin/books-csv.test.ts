import { expect, test } from 'vitest'
import type { BooksMonth } from '#contract/admin.ts'
import { booksCsv } from './books-csv.ts'

const month = (n: number, change: Partial<BooksMonth> = {}): BooksMonth => ({
  from: new Date(Date.UTC(2026, n, 1)).toISOString(),
  labels: 0,
  voided: 0,
  opening: 0,
  deposits: 0,
  charged: 0,
  refunded: 0,
  adjusted: 0,
  closing: 0,
  carrierCost: 0,
  margin: 0,
  ...change,
})

test('the file has the oldest month first, and amounts that a spreadsheet reads as numbers', () => {
  const file = booksCsv([
    month(10, { labels: 3, opening: 85, charged: 6.5, adjusted: -1.5, closing: 77, margin: -0.43 }),
    month(9, { deposits: 85, closing: 85 }),
  ])
  expect(file.split('\r\n')).toEqual([
    '\ufeffMonth (UTC),Balances before,Deposits,Charged,Refunded,Adjusted,Balances after,Carrier cost,Margin,Labels,Voided',
    '2026-10,0.00,85.00,0.00,0.00,0.00,85.00,0.00,0.00,0,0',
    '2026-11,85.00,0.00,6.50,0.00,-1.50,77.00,0.00,-0.43,3,0',
    '',
  ])
})
