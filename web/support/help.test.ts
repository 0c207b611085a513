import { expect, test } from 'vitest'
import type { PageSection } from '#contract/support.ts'
import { areNumbered, hasQuestions, questionCount, searchQuestions, topicOf } from './help.ts'

const section = (title: string, ...questions: [string, string][]): PageSection => ({
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
  searchQuestions(SECTIONS, search).flatMap(({ questions }) => questions.map(({ id }) => id))

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

test('without words all questions are there', () => {
  expect(questionCount(searchQuestions(SECTIONS, ' ?! '))).toBe(3)
  expect(hasQuestions(SECTIONS)).toBe(true)
  expect(hasQuestions([section('Labels')])).toBe(false)
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
})
