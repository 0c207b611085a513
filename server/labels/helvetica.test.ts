import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fitText, textWidth, type Face } from './helvetica.ts'

const metrics = join(dirname(createRequire(import.meta.url).resolve('pdfkit')), 'data')

// ASCII characters whose names in Adobe's files differ from their code.
const RENAMED: Record<string, string> = { "'": 'quotesingle', '`': 'grave' }

const FACES: [Face, string][] = [
  ['regular', 'Helvetica'],
  ['bold', 'Helvetica-Bold'],
]

test.each(FACES)('the widths of %s are those of the published metrics', (face, file) => {
  const published = readFileSync(join(metrics, `${file}.afm`), 'latin1')
  const width = (pattern: string) => Number(new RegExp(`^C ${pattern} ;`, 'm').exec(published)![1])
  for (let code = 0x20; code < 0x7f; code++) {
    const name = RENAMED[String.fromCharCode(code)]
    const wanted = name
      ? width(`-?\\d+ ; WX (\\d+) ; N ${name}`)
      : width(`${code} ; WX (\\d+) ; N \\w+`)
    expect(textWidth(face, String.fromCharCode(code), 1000), String.fromCharCode(code)).toBe(wanted)
  }
})

test('a short line stays as it is', () => {
  expect(fitText('bold', 'OPAL WAINWRIGHT', 12, 209)).toEqual({
    text: 'OPAL WAINWRIGHT',
    size: 12,
    squeeze: 100,
  })
})

test('a long line first gets smaller, then narrower, and is cut at last', () => {
  const shown = (letters: number) => fitText('bold', 'M'.repeat(letters), 12, 209)
  expect(shown(23)).toMatchObject({ text: 'M'.repeat(23), squeeze: 100 })
  expect(shown(23).size).toBeLessThan(12)
  expect(shown(30)).toMatchObject({ text: 'M'.repeat(30), size: 8.6 })
  expect(shown(30).squeeze).toBeLessThan(100)
  expect(shown(300).text.length).toBeLessThan(40)
})

test('however long a line is, it fits', () => {
  for (let letters = 1; letters < 400; letters++) {
    for (const letter of ['W', 'i', '8']) {
      const { text, size, squeeze } = fitText('regular', letter.repeat(letters), 8, 172)
      expect((textWidth('regular', text, size) * squeeze) / 100).toBeLessThanOrEqual(172)
    }
  }
})

test('a city gives way to its state and ZIP', () => {
  expect(
    fitText('bold', `${'W'.repeat(80)} CA 92688-1234`, 12, 209, ' CA 92688-1234').text,
  ).toMatch(/^W+ CA 92688-1234$/)
})
