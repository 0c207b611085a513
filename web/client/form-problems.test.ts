import { expect, test } from 'vitest'
import { formProblemsFrom } from './form-problems.ts'
import { ApiError } from './send.ts'

const FORM = { name: 'Warehouse', weight: '' }
const said = (reason: unknown) => formProblemsFrom(reason, FORM, 'Submission failed')

test('a name that is taken is said at its field and nowhere else', () => {
  expect(said(new ApiError(409, 'It exists', { name: 'It exists' }))).toEqual({
    fields: { name: 'It exists' },
    form: null,
  })
})

test('a refusal without a field is said for the whole form, in the words of the server or the specified ones', () => {
  expect(said(new ApiError(429, 'Please wait a minute')).form).toBe('Please wait a minute')
  expect(said(new ApiError(0, '')).form).toBe('Submission failed')
  expect(said(new ApiError(422, 'x', { planet: 'Mars is too far' }))).toEqual({
    fields: {},
    form: 'Mars is too far',
  })
})

test('the only record of a list is the form', () => {
  expect(said(new ApiError(422, 'x', { '1.weight': 'Weight must be greater than 0' }))).toEqual({
    fields: { weight: 'Weight must be greater than 0' },
    form: null,
  })
})
