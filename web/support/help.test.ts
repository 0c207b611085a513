import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TextSection } from '#contract/support.ts'
import {
  areNumbered,
  markHtml,
  markText,
  questionCount,
  searchQuestions,
  searchWords,
  showsQuestions,
  suggestQuestions,
  topicOf,
} from './help.ts'

const section = (title: string, ...questions: [string, string][]): TextSection => ({
  id: title.toLowerCase(),
  title,
  html: '',
  questions: questions.map(([question, html]) => ({ id: question, title: question, html })),
})
const SECTIONS = [
  section(
    'Printing',
    ['Which formats can I print?', '<p>4x6 <strong>PDF</strong> &amp; ZPL</p>'],
    ['My label prints too small', '<p>Print at 100%</p>'],
  ),
  section('Refunds', ['How do I cancel a label?', '<p>Choose Void. Don’t ship with it</p>']),
]
const found = (search: string) =>
  searchQuestions(SECTIONS, searchWords(search)).flatMap(({ questions }) =>
    questions.map(({ id }) => id),
  )

test('every word is found in topic, question or answer, also at the beginning of a longer one', () => {
  expect(found('zpl')).toEqual(['Which formats can I print?'])
  expect(found('PRINTING small')).toEqual(['My label prints too small'])
  expect(found('refunds void')).toEqual(['How do I cancel a label?'])
  expect(found('labels')).toEqual(['My label prints too small', 'How do I cancel a label?'])
  expect(found('label zpl')).toEqual([])
  expect(found('abel')).toEqual([])
})

test('a question is searched by the words that tell it from others', () => {
  expect(found('How do I void my label?')).toEqual(['How do I cancel a label?'])
  expect(found('don’t')).toEqual(['How do I cancel a label?'])
  expect(found('how')).toEqual(['How do I cancel a label?'])
})

test('markup is no word', () => {
  expect(found('strong')).toEqual([])
  expect(found('amp')).toEqual([])
})

test('a search without any word is none', () => {
  expect(searchWords(' ?! ')).toEqual([])
  expect(questionCount(searchQuestions(SECTIONS, []))).toBe(3)
})

test('Help alone has questions to unfold', () => {
  expect(showsQuestions('help', SECTIONS)).toBe(true)
  expect(showsQuestions('help', [section('Labels')])).toBe(false)
  for (const slug of ['terms', 'privacy', 'refunds'] as const)
    expect(showsQuestions(slug, SECTIONS)).toBe(false)
})

test('searched words are marked in text, and in HTML without harm to tags and signs', () => {
  const parts = markText('My label, labels', searchWords('labels'))
  expect(parts.map(({ text }) => text).join('')).toBe('My label, labels')
  expect(parts.filter(part => part.isFound).map(({ text }) => text)).toEqual(['label', 'labels'])
  const html = '<p>Amp &amp; <strong class="amp">Résumé, don’t</strong></p>'
  expect(markHtml(html, searchWords('amp strong resume don’t'))).toBe(
    '<p><mark>Amp</mark> &amp; <strong class="amp"><mark>Résumé</mark>, <mark>don’t</mark></strong></p>',
  )
})

test('without a result, questions with some of the words are suggested, then the first of each topic', () => {
  const suggested = (search: string) =>
    suggestQuestions(SECTIONS, searchWords(search), 2).map(({ id }) => id)
  expect(suggested('small parcel')).toEqual([
    'My label prints too small',
    'Which formats can I print?',
  ])
  expect(suggested('drone')).toEqual(['Which formats can I print?', 'How do I cancel a label?'])
})

/** The questions of the example, read as simply as this test needs. */
const EXAMPLE = readFileSync('server/support/examples/help.md', 'utf8')
  .split(/^## /m)
  .slice(1)
  .map(part => {
    const [title = '', ...questions] = part.split(/^### |\n(?=### )/m).map(text => text.trim())
    return section(
      title,
      ...questions
        .filter(text => text !== '')
        .map((text): [string, string] => {
          const [question = '', ...answer] = text.split('\n')
          return [question, answer.join('\n')]
        }),
    )
  })
const answered = (search: string) =>
  searchQuestions(EXAMPLE, searchWords(search)).flatMap(({ questions }) =>
    questions.map(({ title }) => title),
  )

test.each([
  ['shipping label', 'What does a label cost?'],
  ['shipping labels', 'What does a label cost?'],
  ['weight', 'What does a label cost?'],
  ['pricing', 'What does a label cost?'],
  ['charged twice', 'Am I charged if a label can’t be created?'],
  ['returns', 'How do I repeat an order or make a return label?'],
  ['uploading excel', 'Which files can I upload?'],
  ['spreadsheets', 'Which files can I upload?'],
  ['failing rows', 'Some labels of my bulk order failed. What now?'],
  ['usps', 'How do I tell my marketplace and buyers what was shipped?'],
  ['tracking numbers', 'How do I tell my marketplace and buyers what was shipped?'],
  ['email my buyers', 'How do I tell my marketplace and buyers what was shipped?'],
  ['accountant', 'How do I add money?'],
  ['label printer', 'Which formats can I print?'],
  ['test page', 'Why does my label print too small or cut off?'],
  ['cancelled', 'How do I cancel a label I won’t use?'],
  ['cancelling', 'How do I cancel a label I won’t use?'],
  ['canceling a label', 'How do I cancel a label I won’t use?'],
  ['cancellation', 'How do I cancel a label I won’t use?'],
  ['voiding', 'How do I cancel a label I won’t use?'],
  ['refunds', 'When do I get my money back?'],
  ['bitcoin', 'How do I add money?'],
  ['top up', 'How do I add money?'],
  ['add funds', 'How do I add money?'],
  ['paid too late', 'What if I pay a different amount, or too late?'],
  ['2fa', 'How do I protect my account?'],
  ['passkeys', 'How do I protect my account?'],
  ['forgot password', 'How do I change my email or password?'],
  ['webhook', 'Can my own software buy labels?'],
  ['webhooks', 'Can my own software buy labels?'],
])('Help answers “%s”', (search, question) => {
  expect(answered(search)).toContain(question)
})

test('short words do not find others', () => {
  expect(answered('filling')).toEqual(answered('fill'))
  expect(searchWords('address passed selling shipped used')).toEqual([
    'addres',
    'pass',
    'sell',
    'ship',
    'used',
  ])
})

test('a topic has the picture of its words', () => {
  expect(
    [
      'Buying a label',
      'Bulk files',
      'Printing',
      'Refunds and voids',
      'Money and deposits',
      'Account and security',
      'API and apps',
      'Holidays',
    ].map(topicOf),
  ).toEqual(['label', 'bulk', 'print', 'refund', 'money', 'account', 'program', 'other'])
})

test('sections get no second number', () => {
  expect(areNumbered(['1. The service', '2. Labels'])).toBe(true)
  expect(areNumbered(['§ 1 The service'])).toBe(true)
  expect(areNumbered(['The service', '24/7 support'])).toBe(false)
  expect(areNumbered(['30 days to ask for money back', 'Your balance'])).toBe(false)
})
