import { expect, test } from 'vitest'
import { sandboxTracking } from '#server/carriers/sandbox/tracking.ts'
import {
  labelResolvableAfterMs,
  voidResolvableAfterMs,
  normalizeTracking,
  trackingProblem,
} from './manual-resolution-rules.ts'

const MINUTE = 60_000

test('labels can be resolved after ten minutes and the quarantine, voids after the time that carriers document', () => {
  expect([0, 2 * MINUTE, 30 * MINUTE].map(labelResolvableAfterMs)).toEqual([
    10 * MINUTE,
    10 * MINUTE,
    35 * MINUTE,
  ])
  expect([voidResolvableAfterMs(false), voidResolvableAfterMs(true)]).toEqual([
    24 * 60 * MINUTE,
    15 * 24 * 60 * MINUTE,
  ])
})

test('a tracking number is normalized to the form of the carrier', () => {
  for (const written of [
    '9400 1001 1036 8068 9516 37',
    ' 9400-1001-1036-8068-9516-37',
    '420937019400100110368068951637',
    '420937011234' + '9400100110368068951637',
  ]) {
    expect(normalizeTracking(written), written).toBe('9400100110368068951637')
  }
})

test('a number that USPS cannot have issued is refused, and so is a real one in the sandbox', () => {
  for (const good of ['9400100110368068951637', 'EA123456785US', 'RB123456785US'])
    expect(trackingProblem(good, false), good).toBeNull()
  for (const bad of [
    '',
    '123',
    '9400100110368068951638',
    '9400100110368068951',
    'EA123456789US',
    'EA123456785GB',
    '1Z999AA10123456784',
    sandboxTracking(1),
  ]) {
    expect(trackingProblem(bad, false), bad).not.toBeNull()
  }
  expect(trackingProblem(sandboxTracking(1), true)).toBeNull()
  expect(trackingProblem('9400100110368068951637', true)).not.toBeNull()
})
