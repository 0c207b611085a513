import { expect, test } from 'vitest'
import { workbookParts, zipFile } from '#tests/support/zip-file.ts'
import type { ZipPart } from '#tests/support/zip-file.ts'
import { checkWorkbook, fileKind, readDirectory } from './workbook-safety.ts'

const SHEET = '<row r="1"><c r="A1"><v>1</v></c></row>'
const parts = workbookParts([{ name: 'Orders', sheetData: SHEET }])
const workbook = zipFile(parts)
const check = (bytes: Uint8Array) => {
  const checked = checkWorkbook(bytes, 'orders.xlsx')
  return 'problem' in checked ? checked.problem : checked.entries.length
}
const withParts = (...more: ZipPart[]) => zipFile([...parts, ...more])
const bytesOf = (text: string, encoding: BufferEncoding = 'utf8') =>
  new Uint8Array(Buffer.from(text, encoding))

test('what a file is follows from its content, not from its name', () => {
  expect(fileKind(workbook)).toBe('zip')
  expect(fileKind(bytesOf('order-id\tsku\r\n1\tMUG'))).toBe('text')
  expect(fileKind(bytesOf(''))).toBe('text')
  expect(fileKind(bytesOf('\ufeff  <HTML xmlns:x="urn"><table>'))).toBe('webPage')
  expect(fileKind(bytesOf('\ufeff<table><tr>', 'utf16le'))).toBe('webPage')
  expect(fileKind(bytesOf('<?xml version="1.0"?><Workbook xmlns="urn:x">'))).toBe('xmlWorkbook')
  expect(fileKind(bytesOf('<?xml version="1.0"?><orders/>'))).toBe('text')
  expect(check(bytesOf('<table><tr><td>1</td></tr></table>'))).toBe(
    "'orders.xlsx' is a web page saved under the name of a spreadsheet. Open it in a spreadsheet program, "
      + 'save it as .xlsx or .csv, and upload that file.',
  )
})

test('an old workbook and a protected one are told apart', () => {
  const compound = (stream: string) =>
    new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, ...new Uint8Array(600), ...bytesOf(stream, 'utf16le')])
  expect(check(compound('Root Entry Workbook'))).toContain('is an old Excel file (.xls)')
  expect(check(compound('Root Entry EncryptedPackage'))).toContain('is password-protected')
  expect(check(withParts({ name: 'x', data: 'x', flags: 1 }))).toContain('is password-protected')
})

test('other archives are named for what they are', () => {
  expect(check(workbook)).toBe(parts.length)
  expect(check(zipFile([{ name: 'orders.csv', data: 'a,b' }]))).toContain('is a ZIP archive')
  expect(check(zipFile([{ name: 'content.xml', data: '' }]))).toContain('OpenDocument')
  expect(check(zipFile([{ name: 'Index/Document.iwa', data: '' }]))).toContain('Numbers')
  expect(check(withParts({ name: 'word/document.xml', data: '' }))).toContain('is a text document')
  expect(check(withParts({ name: 'xl/vbaProject.bin', data: '' }))).toContain('contains macros')
  expect(check(withParts({ name: 'xl/workbook.bin', data: '' }))).toContain('.xlsb')
})

test('a workbook of too many bytes or parts is refused before it is unpacked', () => {
  const many = Array.from({ length: 1001 }, (_, at) => ({
    name: `xl/media/${at}.png`,
    data: '',
    stored: true,
  }))
  expect(check(zipFile(many))).toContain('has more than 1,000 parts inside')
  const large = { name: 'xl/a.xml', data: 'x', unpacked: 200 * 1024 * 1024 }
  expect(check(withParts(large))).toBe(parts.length + 1)
  expect(check(withParts(large, { ...large, name: 'xl/b.xml' }))).toBe(
    "'orders.xlsx' would take more than 256 MB unpacked. Save the sheet as .csv or split it.",
  )
  const packed = new Uint8Array(64 * 1024 * 1024 + 1)
  packed.set(workbook)
  expect(check(packed)).toContain('is larger than 64 MB')
})

test('a directory that is cut off or states no sizes is damaged', () => {
  const damaged = expect.stringContaining('is damaged or incomplete')
  for (const length of [4, 22, 100, workbook.length - 30, workbook.length - 1])
    expect(check(workbook.subarray(0, length)), `${length} bytes`).toEqual(damaged)
  const data = 'x'.repeat(10_000)
  expect(check(withParts({ name: 'a', data, unpacked: 0 }))).toEqual(damaged)
  expect(check(withParts({ name: 'a', data, packed: 0, unpacked: 0, flags: 8 }))).toEqual(damaged)
  expect(check(withParts({ name: 'a', data: 'xyz', stored: true, unpacked: 9 }))).toEqual(damaged)
  expect(readDirectory(new Uint8Array(0))).toBe(null)
})

test('sizes in fields of 64 bits are read', () => {
  const bytes = new Uint8Array(
    Buffer.from(zipFile([{ name: 'abc', data: 'x', unpacked: 2 ** 32 - 1 }])),
  )
  expect(readDirectory(bytes)).toBe(null)
  const at = bytes.length - 22
  const central = Buffer.from(bytes.subarray(at - 49, at))
  central.writeUInt16LE(12, 30)
  const extra = Buffer.alloc(12)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(8, 2)
  extra.writeBigUInt64LE(5_000_000_000n, 4)
  const file = new Uint8Array(
    Buffer.concat([bytes.subarray(0, at - 49), central, extra, bytes.subarray(at)]),
  )
  expect(readDirectory(file)).toMatchObject([{ name: 'abc', unpacked: 5_000_000_000, at: 0 }])
})
