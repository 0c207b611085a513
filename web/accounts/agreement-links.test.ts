import { expect, test } from 'vitest'
import { parseAgreement } from './agreement-links.ts'

test('the pages that a new customer agrees to are those that the server wrote into the page', () => {
  expect(parseAgreement('[{"path":"/terms","name":"terms"}]')).toEqual([
    { path: '/terms', name: 'terms' },
  ])
})

test('without terms of the operator there is nothing to agree to', () => {
  for (const content of [null, undefined, '', '{{#agreement}}{{json}}{{/agreement}}'])
    expect(parseAgreement(content)).toEqual([])
})
