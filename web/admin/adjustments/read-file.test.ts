import { expect, test } from 'vitest'
import { needsReportDay, readAdjustmentFile, withReportDay } from './read-file.ts'

const file = (...header: string[]) => ({
  fileName: 'report.csv',
  rows: [header, ['94', '5.10']],
  notices: [],
})

test('a report of whole changes gets the day that the administrator names behind each row', () => {
  const report = file('Tracking_code', 'initially_paid_amount', 'final_invoice_amount')
  expect(needsReportDay(report)).toBe(true)
  const dated = withReportDay(report, '2026-11-30')
  expect(needsReportDay(dated)).toBe(false)
  expect(dated.rows.map(row => row[3])).toEqual(['report_date', '2026-11-30'])
  expect(needsReportDay(file('tracking_number', 'amount', 'date'))).toBe(false)
})

test('a file of adjustments that is not Unicode says so, also after its day was named', async () => {
  const text = 'tracking_number,amount,date,reason\n9400,1.25,2026-11-20,Envío pesado\n'
  const latin = Uint8Array.from(text, letter => letter.charCodeAt(0))
  const read = async (part: BlobPart) => {
    const found = await readAdjustmentFile(new File([part], 'report.csv'))
    if ('problem' in found) throw new Error(found.problem)
    return withReportDay(found, '2026-11-30')
  }
  const { rows, notices } = await read(latin)
  expect(rows[1]).toEqual(['9400', '1.25', '2026-11-20', 'Envío pesado', '2026-11-30'])
  expect(notices).toEqual([
    'This file is not Unicode and was read as Windows-1252. Check names with accents.',
  ])
  expect(await read(text)).toMatchObject({ notices: [] })
})
