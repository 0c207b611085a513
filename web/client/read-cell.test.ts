import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { csvCell } from '#contract/csv.ts'
import { readCell } from './read-cell.ts'

test('a name in a file of ours is read as it was, also one that begins with an apostrophe', () => {
  const readBack = (text: string) => {
    const { data } = Papa.parse<string[]>(csvCell(text), { delimiter: ',', newline: '\r\n' })
    return readCell(data[0]?.[0])
  }
  expect(readBack("'90s Shop")).toBe("'90s Shop")
  const name = fc.string({ unit: fc.constantFrom(...'\'90aZ=+-@(#$. "') })
  fc.assert(fc.property(name, text => readBack(text.trim()) === text.trim()))
})

test('the apostrophe that other programs put before a figure is no part of it', () => {
  expect(readCell("'04101")).toBe('04101')
  expect(readCell("'1 Mill Rd")).toBe('1 Mill Rd')
  expect(readCell("'t Hoekje")).toBe("'t Hoekje")
})
