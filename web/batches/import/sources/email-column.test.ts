import { expect, test } from 'vitest'
import { rowsCsv } from '#contract/faulty-rows.ts'
import { csv, importText, LINE } from '#tests/support/import-text.ts'
import { toSubmittedRow } from '#web/batches/bulk/drafts/draft.ts'
import { packRows, unpackRows } from '#web/batches/import/packed-rows.ts'

const withEmails = (...emails: string[]): string => {
  const [header, ...lines] = csv(...emails.map(() => LINE)).split('\r\n')
  return [`${header},TO EMAIL`, ...lines.map((line, at) => `${line},${emails[at]}`)].join('\r\n')
}

test('a column TO EMAIL beside the template reaches the order; a file without it is read as before', () => {
  const { rows, notices } = importText(
    withEmails('ana@example.com', '', 'no address', 'x7@marketplace.amazon.com'),
  )
  expect(notices).toEqual([])
  expect(rows.map(({ ToEmail }) => ToEmail)).toEqual([
    'ana@example.com',
    undefined,
    undefined,
    undefined,
  ])
  expect(rows.map(row => row.notices.filter(text => text.includes('email')))).toEqual([
    [],
    [],
    [expect.stringContaining("'no address'")],
    [],
  ])
  expect(unpackRows(packRows(rows))).toEqual(rows)
  expect(toSubmittedRow(rows[0]!)).toMatchObject({ ToEmail: 'ana@example.com' })
  // Rows that are saved and read again keep it.
  expect(importText(rowsCsv(rows.map(toSubmittedRow))).rows[0]).toMatchObject({
    ToEmail: 'ana@example.com',
  })
  expect(importText(csv(LINE)).rows[0]).not.toHaveProperty('ToEmail')
})

test('Shopify’s Email is of each line of its order', () => {
  const header =
    'Name,Email,Lineitem quantity,Lineitem name,Lineitem sku,Shipping Name,'
    + 'Shipping Address1,Shipping City,Shipping Province,Shipping Zip,Shipping Country'
  const first = "#1001,ana@example.com,1,Mug,MUG,Ana Lee,9 Oak St,Portland,ME,'04101,US"
  const { source, rows } = importText([header, first, '#1001,,1,Pot,POT,,,,,,'].join('\n'))
  expect(source).toBe('shopify')
  expect(rows.map(({ ToEmail }) => ToEmail)).toEqual(['ana@example.com', 'ana@example.com'])
})
