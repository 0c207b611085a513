import { expect, test } from 'vitest'
import { needsReportDay, withReportDay } from './read-file.ts'

const file = (...header: string[]) => ({ fileName: 'report.csv', rows: [header, ['94', '5.10']] })

test('a report of whole changes gets the day that the administrator names behind each row', () => {
  const report = file('Tracking_code', 'initially_paid_amount', 'final_invoice_amount')
  expect(needsReportDay(report)).toBe(true)
  const dated = withReportDay(report, '2026-11-30')
  expect(needsReportDay(dated)).toBe(false)
  expect(dated.rows.map(row => row[3])).toEqual(['report_date', '2026-11-30'])
  expect(needsReportDay(file('tracking_number', 'amount', 'date'))).toBe(false)
})
