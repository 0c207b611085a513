import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '#tests/support/any-character.ts'
import { isFarTooLong, normalizeText, tidyText, tidyWithin, tooLong } from './text.ts'

test.each([
  'José Muñoz',
  'Nguyễn Thị Hồng',
  'Łukasz Öztürk',
  'Жуков Иван',
  'Ἀριστοτέλης',
  'सुरेश कुमार',
  'ศิริพร ทองอยู่',
  'བསྟན་འཛིན་རྒྱ་མཚོ',
  'רִבְקָה',
  'مُحَمَّد',
  '김민준',
  '李小龙',
  'ばば',
])('the name %s stays as it is', name => {
  expect(tidyText(name)).toBe(name.normalize('NFC'))
  expect(tidyText(name.normalize('NFD'))).toBe(name.normalize('NFC'))
  expect(normalizeText(name, 'NFKD')).toBe(name.normalize('NFKD'))
})

test('up to thirty marks in a row are sorted like everywhere; longer rows are broken and lose nothing', () => {
  const thirty = `a${'\u0301\u0316'.repeat(15)}`
  expect(normalizeText(thirty)).toBe(thirty.normalize('NFC'))
  const zalgo = `a${'\u0301\u0316'.repeat(100)}b`
  const found = normalizeText(zalgo)
  expect(found.normalize('NFD').replaceAll('\u034f', '')).toHaveLength(202)
  expect(found).toMatch(/^(?:[^\u0300-\u036f]*[\u0300-\u036f]{0,30}\u034f?)*$/)
})

test('tidying twice is tidying once, and other text is normalized as Unicode says', () => {
  const unit = fc.oneof(
    fc.constantFrom('a', ' ', '\u0301', '\u0316', '\uff9e', '\u200b', '\u034f', '\u1161', '\ud83d'),
    anyCharacter,
  )
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 100 }), text => {
      expect(tidyText(tidyText(text))).toBe(tidyText(text))
      if (!/[\p{M}\uff9e\uff9f]{31}/u.test(text)) {
        expect(normalizeText(text)).toBe(text.normalize('NFC'))
        expect(normalizeText(text, 'NFKD')).toBe(text.normalize('NFKD'))
      }
    }),
  )
})

/** The joiner, and two vowels that begin with a mark that is not sorted. */
const EXCEPTIONS = ['\u034f', '\u0e33', '\u0eb3']

test('every character that decomposes into a mark counts as a mark', () => {
  const missed: string[] = []
  for (let code = 0; code < 0x11_0000; code++) {
    const sign = String.fromCodePoint(code)
    if (!/^\p{M}/u.test(sign.normalize('NFKD')) || EXCEPTIONS.includes(sign)) continue
    const text = `a${'\u0316'.repeat(29)}${sign}\u0301`
    if (!normalizeText(text).includes('\u034f')) missed.push(code.toString(16))
  }
  expect(missed).toEqual([])
})

test('a text of more than four times its limit is not tidied; the error tells its length', () => {
  expect(tidyWithin(' a ', 60)).toBe('a')
  const long = ' '.repeat(241)
  expect([isFarTooLong(' '.repeat(240), 60), isFarTooLong(long, 60)]).toEqual([false, true])
  expect(tidyWithin(long, 60)).toBe(long)
  expect(tooLong('City', 60, 241)).toEqual({
    code: 'too_long',
    text: 'City must be at most 60 characters; this has 241',
  })
})
