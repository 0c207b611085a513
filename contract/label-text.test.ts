import { expect, test } from 'vitest'
import { labelNotice, labelText, latinText } from './label-text.ts'

test.each([
  ['José Muñoz', 'JOSE MUNOZ'],
  ['Łukasz Öztürk', 'LUKASZ OZTURK'],
  ['Hauptstraße 5', 'HAUPTSTRASSE 5'],
  ['Đặng Văn Ærøskøbing', 'DANG VAN AEROSKOBING'],
  ['Жуков Иван', 'ZHUKOV IVAN'],
  ['李小龙', 'LIXIAOLONG'],
  ['Jose\u0301', 'JOSE'],
])('%s is printed as %s, with a notice to the customer', (written, printed) => {
  expect(labelText(written)).toEqual({ text: printed, differs: true })
  expect(labelNotice(written)).toContain(printed)
})

test.each([
  ['12 Main St.', '12 MAIN ST.'],
  ['  12   Main\tSt\r\n', '12 MAIN ST'],
  ['O’Brien – “Sons”', 'O\'BRIEN - "SONS"'],
  ['A(\\)B^FS~JA', 'A(\\)B^FS~JA'],
  ['Anna\u200b\u202e\u0000 Bell\u0007', 'ANNA BELL'],
  ['Unit\u00a05', 'UNIT 5'],
  ['', ''],
])('%j is printed as %j without a notice', (written, printed) => {
  expect(labelText(written)).toEqual({ text: printed, differs: false })
  expect(labelNotice(written)).toBeNull()
})

test('emoji are left out instead of being spelled out', () => {
  expect(labelText('Mia 🎁 Bell 👩🏽‍🚀🇺🇸')).toEqual({ text: 'MIA BELL', differs: true })
  expect(labelText('Suite 5️⃣')).toEqual({ text: 'SUITE 5', differs: true })
})

test('unprintable text is refused instead of printing an empty line', () => {
  expect(labelText('🎁🎁')).toBeNull()
  expect(labelText('。')).toBeNull()
  expect(labelNotice('🎁')).toContain('Latin letters')
})

test('dashes and dots in plain ASCII are accepted', () => {
  expect(labelText('-')).toEqual({ text: '-', differs: false })
})

test('only printable ASCII reaches the label', () => {
  for (let code = 0; code < 0x1_1000; code += 7) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    expect(latinText(`a${String.fromCodePoint(code)}b`)).toMatch(/^[\x20-\x7e]*$/)
  }
  expect(latinText('a\ud800b')).toBe('ab')
})

test('references keep their letter case', () => {
  expect(latinText('sku-Äb')).toBe('sku-Ab')
})
