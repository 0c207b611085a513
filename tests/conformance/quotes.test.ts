/**
 * What a live price relies on, asked of every adapter in the same words: a parcel between two ZIP
 * codes, with the city and state of each and no person, has a price, and nothing is sold for it.
 */
import { afterAll, describe, expect, test } from 'vitest'
import { loadPlaces } from '#contract/zip-places.ts'
import { callQuote } from '#server/carriers/calls.ts'
import { shipmentToQuote } from '#server/catalogue/quote-rules.ts'
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import { testDatabase } from '#tests/support/database.ts'
import { comparedFaults } from './published.ts'
import { SUBJECTS } from './subjects.ts'

const CALL_TIMEOUT_MS = 10_000

const database = await testDatabase()
const subjects = await Promise.all(
  SUBJECTS.map(async subject => ({ ...subject, opened: await subject.open(database) })),
)
afterAll(async () => {
  for (const { opened } of subjects) await opened.close()
})
const places = await loadPlaces()
const quoted = shipmentToQuote(
  {
    uid: 'usps:GROUND_ADVANTAGE',
    fromZip: '78701',
    toZip: '93701',
    weight: 1.5,
    length: 9,
    width: 6,
    height: 3,
  },
  zip => places.placeOf(zip),
)
const FAILING: CarrierBehavior[] = ['wrong-key', 'away']

describe.each(subjects)('$name', ({ unsupported, opened }) => {
  test('a parcel between two ZIP codes has a price', async () => {
    expect(await callQuote(opened.withBehavior('fine'), quoted, CALL_TIMEOUT_MS)).toEqual({
      ok: true,
      costCents: expect.any(Number),
    })
  })

  test('the question is one that the carrier publishes', async ({ skip }) => {
    await callQuote(opened.withBehavior('fine'), quoted, CALL_TIMEOUT_MS)
    const faults = comparedFaults(opened)
    // The published document of some carriers is not beside every copy of the project.
    skip(faults === null)
    expect(faults).toEqual([])
  })

  // The sandbox tells its prices without a connection.
  const behaviors = opened.wire
    ? FAILING.filter(behavior => unsupported[behavior] === undefined)
    : []
  test.each(behaviors)('no price is guessed: %s', async behavior => {
    const quote = await callQuote(opened.withBehavior(behavior), quoted, CALL_TIMEOUT_MS)
    expect(quote).toMatchObject({ ok: false, message: expect.stringMatching(/./) })
  })
})
