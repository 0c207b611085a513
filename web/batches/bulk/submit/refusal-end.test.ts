import { expect, test } from 'vitest'
import { ApiError } from '#web/client/send.ts'
import { refusalEnd } from './refusal-end.ts'

const refusal = (status: number, code?: 'already_bought') => new ApiError(status, 'No.', {}, code)

test.each([402, 422, 429])('after a first refusal with %i nothing is bought', status => {
  expect(refusalEnd(refusal(status), false)).toBe('refused')
})

test.each([0, 500, 503])('after status %i the rows may be bought', status => {
  expect(refusalEnd(refusal(status), false)).toBe('open')
  expect(refusalEnd(refusal(status), true)).toBe('open')
})

test('rows that were sent before without a response stay open after a refusal that did not look for them', () => {
  expect(refusalEnd(refusal(401), true)).toBe('open')
  expect(refusalEnd(refusal(429), true)).toBe('open')
  expect(refusalEnd(refusal(402), true)).toBe('refused')
  expect(refusalEnd(refusal(422), true)).toBe('refused')
})

test('rows that have a label end a lost response; other rows under the id are a conflict', () => {
  expect(refusalEnd(refusal(409, 'already_bought'), true)).toBe('refused')
  expect(refusalEnd(refusal(409), true)).toBe('conflict')
  expect(refusalEnd(refusal(404), true)).toBe('unknown id')
})
