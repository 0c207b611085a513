import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { prefixWithOwner, tsQueryFor, parseSearch, searchWordsOf } from './search.ts'

const database = await testDatabase()

test.each([
  ['', null],
  ['  ', null],
  ['81', { id: 81, tracking: null, words: ['81'], reference: '81' }],
  ['#81', { id: 81, tracking: null, words: ['81'], reference: '#81' }],
  ['Label 81', { id: 81, tracking: null, words: ['label', '81'], reference: 'label 81' }],
  ['label #81', { id: 81, tracking: null, words: ['label', '81'], reference: 'label #81' }],
  ['label', { id: null, tracking: null, words: ['label'], reference: 'label' }],
  ['0017', { id: 17, tracking: '0017', words: ['0017'], reference: '0017' }],
  [
    '9800 0000 0000 0000 0000 17',
    {
      id: null,
      tracking: '9800000000000000000017',
      words: ['9800', '0000', '17'],
      reference: '9800 0000 0000 0000 0000 17',
    },
  ],
  [
    '111-4820448',
    { id: null, tracking: null, words: ['111', '4820448'], reference: '111-4820448' },
  ],
  [' José RIV ', { id: null, tracking: null, words: ['jose', 'riv'], reference: 'josé riv' }],
  ['100%', { id: null, tracking: null, words: ['100'], reference: '100%' }],
])('%j is understood', (typed, sought) => {
  expect(parseSearch(typed)).toEqual(sought)
})

test('the barcode of a label contains its tracking number after a ZIP code of five or nine digits', () => {
  expect(parseSearch('420937019800000000000000000017')?.tracking).toBe('9800000000000000000017')
  expect(parseSearch('4209370122089800000000000000000017')?.tracking).toBe('9800000000000000000017')
})

test('a search finds words of one user only, and the typed text cannot leave its quotes', () => {
  expect(tsQueryFor(42, searchWordsOf([`o'neil\\ & !riv | 'x':*`]))).toBe(
    `'42:o':* & '42:neil':* & '42:riv':* & '42:x':*`,
  )
  expect(tsQueryFor(42, searchWordsOf(['%&']))).toBeNull()
})

test('a very long word is shortened to 200 bytes, at the end of a character', () => {
  const [word, ...others] = parseSearch('\u3316'.repeat(200))!.words
  expect(others).toEqual([])
  expect(Buffer.byteLength(word!)).toBe(198)
  expect('キロメートル'.repeat(200).normalize('NFKD').startsWith(word!)).toBe(true)
  expect(parseSearch('x'.repeat(200))!.words).toEqual(['x'.repeat(200)])
  expect(parseSearch('x'.repeat(201))!.words).toEqual(['x'.repeat(200)])
})

test('SQL splits words like the program, so old orders are found by the same words', async () => {
  for (const texts of [
    ['Mason Trading', 'June Rivera-Núñez', '111-4820448-1000001'],
    ['O’Neil & Sons (West)', 'ÉMILE “Zed” Øst', null],
    ['  ', '---', ''],
    ['Ωmega Жанна 東京', 'a\u00a0b\tc', 'ﬁne №5'],
    ['same same', 'SAME', null],
  ]) {
    const {
      rows: [row],
    } = await sql<{ words: string[] }>`
      select tsvector_to_array(order_search_words(7, ${texts}::text[])) as words`.execute(
      database.db,
    )
    expect(row!.words.toSorted()).toEqual(prefixWithOwner(7, searchWordsOf(texts)).toSorted())
  }
})
