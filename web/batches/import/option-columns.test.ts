import { expect, test } from 'vitest'
import { faultyRowLine, faultyRowsHead, rowsCsv } from '#contract/faulty-rows.ts'
import { TEMPLATE_CSV } from '#contract/rows.ts'
import { csv, importText, LINE } from '#tests/support/import-text.ts'
import { row } from '#tests/support/rows.ts'
import { draftFromFailedRows, toSubmittedRow } from '#web/batches/bulk/drafts/draft.ts'
import { combineRows, takeAllApart } from '#web/batches/bulk/parcels/combine.ts'
import { suggestColumns } from '#web/batches/columns/match-columns.ts'
import { withOptions } from '#web/batches/grid-row.ts'
import { packRows, unpackRows } from './packed-rows.ts'

const withColumns = (header: string, ...cells: string[]): string => {
  const [names, ...lines] = csv(...cells.map(() => LINE)).split('\r\n')
  return [`${names},${header}`, ...lines.map((line, at) => `${line},${cells[at]}`)].join('\r\n')
}
const optionsOf = ({ signature, saturday }: { signature?: string; saturday?: string }) => [
  signature,
  saturday,
]

test('columns for a signature and Saturday delivery beside the template reach the order', () => {
  const { rows, notices, columns } = importText(
    withColumns('Signature Confirmation,Saturday Delivery', 'Y,', 'adult,1', 'no,no', 'maybe,'),
  )
  expect(notices).toEqual([])
  expect(columns.slice(-2).map(({ use }) => use)).toEqual(['signature', 'saturday'])
  expect(rows.map(optionsOf)).toEqual([
    ['signature', undefined],
    ['adult', 'yes'],
    [undefined, undefined],
    // Shown with its fault, instead of being left out silently.
    ['maybe', undefined],
  ])
  expect(rows[2]).not.toHaveProperty('signature')
  expect(unpackRows(packRows(rows))).toEqual(rows)
  expect(toSubmittedRow(rows[1]!)).toMatchObject({ signature: 'adult', saturday: 'yes' })
})

test('a file without these columns is read as before, and the template has none', () => {
  const [read] = importText(csv(LINE)).rows
  expect(read).not.toHaveProperty('signature')
  expect(read).not.toHaveProperty('saturday')
  expect(TEMPLATE_CSV.toLowerCase()).not.toMatch(/signature|saturday/)
})

test('rows that are saved, failed or loaded to edit keep their options', () => {
  const asked = { ...row(1), signature: 'adult', saturday: 'yes', ToEmail: 'ana@example.com' }
  expect(importText(rowsCsv([asked])).rows.map(optionsOf)).toEqual([['adult', 'yes']])
  const failed = faultyRowsHead() + faultyRowLine(asked, 'Address not deliverable')
  expect(importText(failed).rows.map(optionsOf)).toEqual([['adult', 'yes']])
  const { items: _none, ...data } = { ...asked, items: undefined }
  const [edited] = draftFromFailedRows([{ orderId: '7', row: 1, reason: '', data }]).rows
  expect(edited).toMatchObject({ signature: 'adult', saturday: 'yes', ToEmail: 'ana@example.com' })
})

test('Match columns suggests both by the names that other programs give them', () => {
  const names = ['Signature Required', 'Deliver on Saturday', 'Saturday']
  expect(suggestColumns(names, []).map(({ use }) => use)).toEqual([
    'signature',
    'saturday',
    'unused',
  ])
})

test('lines with different options are not one label; a change of the label is one of its lines', () => {
  const lines = importText(withColumns('SIGNATURE', 'yes', '', 'yes')).rows
  const combined = combineRows(lines, 'address', new Map())
  expect(combined.map(one => [one.signature, one.parts?.length])).toEqual([
    ['signature', 2],
    [undefined, undefined],
  ])
  const changed = combined.map(one => withOptions(one, { saturday: 'yes' }))
  expect(takeAllApart(changed).map(optionsOf)).toEqual(lines.map(() => [undefined, 'yes']))
})
