import { expect, test } from 'vitest'
import { partsWithIds, shortId } from './short-ids.ts'

const shortened = (text: string): string =>
  partsWithIds(text)
    .map(({ part, isId }) => (isId ? shortId(part) : part))
    .join('')

test.each([
  [
    'Payment of $120.00 credited from invoice sbxaf6053535c009e5b1d186f33',
    'Payment of $120.00 credited from invoice sbxaf605…186f33',
  ],
  ['sbxaf6053535c009e5b1d186f33: reversed', 'sbxaf605…186f33: reversed'],
  ['Created the API key Books (…mWDz): books', 'Created the API key Books (…mWDz): books'],
  ['Requested a void of label 2048', 'Requested a void of label 2048'],
  ['Balance set to $9,007,199,254,740.99', 'Balance set to $9,007,199,254,740.99'],
  ['Renamed to Antidisestablishmentarianism', 'Renamed to Antidisestablishmentarianism'],
])('%s reads %s', (sentence, shown) => {
  expect(shortened(sentence)).toBe(shown)
})
