import { expect, test } from 'vitest'
import { formProblemsFrom } from './form-problems.ts'
import { ApiError } from './send.ts'

const FORM = { name: 'Warehouse', weight: '' }
const said = (reason: unknown) => formProblemsFrom(reason, FORM, 'Submission failed')

test('a taken name shows an error at its field only', () => {
  expect(said(new ApiError(409, 'It exists', { name: 'It exists' }))).toEqual({
    fields: { name: 'It exists' },
    form: null,
  })
})

test("a refusal without a field shows the server's message or the fallback for the whole form", () => {
  expect(said(new ApiError(429, 'Please wait a minute')).form).toBe('Please wait a minute')
  expect(said(new ApiError(0, '')).form).toBe('Submission failed')
  expect(said(new ApiError(422, 'x', { planet: 'Mars is too far' }))).toEqual({
    fields: {},
    form: 'Mars is too far',
  })
})

test('an error of the only record in a list belongs to the form', () => {
  expect(said(new ApiError(422, 'x', { '1.weight': 'Weight must be greater than 0' }))).toEqual({
    fields: { weight: 'Weight must be greater than 0' },
    form: null,
  })
})
