import { expect, test } from 'vitest'
import { decodeText, fileExtension } from './decode-text.ts'

const TEXT = 'Zoë Núñez, 8 Peña Blvd, Española\r\n'
const wide = (text: string, littleEndian: boolean, mark: boolean) => {
  const units = (mark ? '\ufeff' : '') + text
  const view = new DataView(new ArrayBuffer(units.length * 2))
  for (let at = 0; at < units.length; at++)
    view.setUint16(at * 2, units.charCodeAt(at), littleEndian)
  return new Uint8Array(view.buffer)
}

test('files are decoded in every encoding', () => {
  expect(decodeText(new TextEncoder().encode(TEXT))).toEqual({ text: TEXT, encoding: 'utf-8' })
  expect(decodeText(new TextEncoder().encode(`\ufeff${TEXT}`))).toEqual({
    text: TEXT,
    encoding: 'utf-8',
  })
  for (const mark of [true, false]) {
    expect(decodeText(wide(TEXT, true, mark))).toEqual({ text: TEXT, encoding: 'utf-16le' })
    expect(decodeText(wide(TEXT, false, mark))).toEqual({ text: TEXT, encoding: 'utf-16be' })
  }
  expect(decodeText(Uint8Array.from(TEXT, letter => letter.charCodeAt(0)))).toEqual({
    text: TEXT,
    encoding: 'windows-1252',
  })
  expect(decodeText(Uint8Array.of(0x80, 0x31, 0x30, 0x93))).toEqual({
    text: '€10“',
    encoding: 'windows-1252',
  })
})

test('a UTF-8 mark on a file that is not UTF-8 does no harm', () => {
  expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf, 0x5a, 0x6f, 0xeb)).text).toBe('Zoë')
})

test('one broken byte costs one letter, not the accents of the whole file', () => {
  const broken = (text: string) => Uint8Array.of(...new TextEncoder().encode(text), 0xe9, 0x0a)
  for (const mark of ['', '\ufeff'])
    expect(decodeText(broken(mark + TEXT))).toEqual({ text: `${TEXT}\ufffd\n`, encoding: 'utf-8' })
  // As many letters of one encoding as of the other.
  expect(decodeText(broken('é,')).encoding).toBe('windows-1252')
})

test('accents are composed and NUL is dropped', () => {
  expect(decodeText(new TextEncoder().encode('Zoe\u0308 Lindqvist, Mill Road\0')).text).toBe(
    'Zoë Lindqvist, Mill Road',
  )
  expect(decodeText(new Uint8Array())).toEqual({ text: '', encoding: 'utf-8' })
})

test('the extension follows the last dot', () => {
  expect(['a.CSV', 'b.tar.gz', 'csv', 'dir.x/file', ' a.txt '].map(fileExtension)).toEqual([
    'csv',
    'gz',
    '',
    '',
    'txt',
  ])
})
