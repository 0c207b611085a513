import { expect, test } from 'vitest'
import type { ScanFormLookupResult } from '#server/carriers/port.ts'
import {
  chunksOf,
  countServices,
  senderKey,
  verdictOnFile,
  verdictOnLookup,
  verdictOnMake,
} from './rules.ts'

const HOUR_MS = 3600_000
const ages = (sinceCreatedMs: number, sinceCalledMs: number | null = null) => ({
  sinceCreatedMs,
  sinceCalledMs,
  attempt: 1,
})
const failure = (kind: 'permanent' | 'retryable' | 'unknown') => ({
  kind,
  code: 'X',
  message: 'why',
})

test('a form without an answer is looked up, and unknown where no call tells', () => {
  expect(verdictOnMake(failure('unknown'), ages(0), true)).toMatchObject({
    state: 'asked',
    isCallOpen: true,
  })
  expect(verdictOnMake(failure('unknown'), ages(0), false)).toMatchObject({
    state: 'unknown',
    problem: expect.stringContaining('scanned on its own') as string,
  })
})

test('a request that was certainly not sent is repeated for a day', () => {
  expect(verdictOnMake(failure('retryable'), ages(HOUR_MS), false)).toMatchObject({
    state: 'asked',
    isCallOpen: false,
  })
  expect(verdictOnMake(failure('retryable'), ages(25 * HOUR_MS), false)).toEqual({
    state: 'failed',
    problem: 'why',
  })
})

test('a refusal ends a form, with the carrier’s reason', () => {
  expect(verdictOnMake(failure('permanent'), ages(0), true)).toEqual({
    state: 'failed',
    problem: 'why',
  })
})

test('‘not made’ is proof only after the carrier’s quarantine', () => {
  const lookUp = (answer: ScanFormLookupResult, sinceCalledMs: number) =>
    verdictOnLookup(answer, null, ages(sinceCalledMs, sinceCalledMs), 120_000)
  expect(lookUp({ kind: 'not_made' }, 50_000)).toMatchObject({
    state: 'asked',
    isCallOpen: true,
    waitMs: 70_000,
  })
  expect(lookUp({ kind: 'not_made' }, 120_001)).toMatchObject({ state: 'asked', isCallOpen: false })
  expect(lookUp(failure('unknown'), 120_001)).toMatchObject({ state: 'asked', isCallOpen: true })
  // A look-up that was not sent says nothing about the request before it.
  expect(lookUp(failure('retryable'), 120_001)).toMatchObject({ state: 'asked', isCallOpen: true })
  expect(lookUp(failure('unknown'), 25 * HOUR_MS)).toMatchObject({ state: 'unknown' })
})

test('a form stays made while its file does not arrive, for a day', () => {
  const made = { kind: 'made', ref: 'sf_1', files: 'not_yet' } as const
  expect(verdictOnMake(made, ages(0), true)).toMatchObject({ state: 'made', awaitsFile: true })
  expect(verdictOnFile(failure('unknown'), 'sf_1', ages(HOUR_MS))).toMatchObject({
    state: 'made',
    ref: 'sf_1',
    awaitsFile: true,
  })
  expect(verdictOnFile(made, 'sf_1', ages(25 * HOUR_MS))).toMatchObject({
    state: 'made',
    awaitsFile: false,
    problem: expect.stringContaining('did not send its file') as string,
  })
})

test('a sender is the same in other letters, with another phone and with ZIP+4', () => {
  const sender = {
    name: 'Mason Trading',
    company: '',
    phone: '512-555-0100',
    street1: '100 Congress Ave',
    street2: '',
    city: 'Austin',
    state: 'TX',
    zip: '78701',
    country: 'US',
  }
  const same = { ...sender, phone: '', city: 'AUSTIN ', zip: '78701-4040' }
  expect(senderKey(same)).toBe(senderKey(sender))
  expect(senderKey({ ...sender, street2: 'Ste 2' })).not.toBe(senderKey(sender))
})

test('10,000 labels are one form of 40,000, and 20 forms of 500', () => {
  const labels = Array.from({ length: 10_000 }, (_, at) => at)
  expect(chunksOf(labels, 40_000)).toEqual([labels])
  const forms = chunksOf(labels, 500)
  expect(forms.map(({ length }) => length)).toEqual(Array(20).fill(500))
  expect(forms.flat()).toEqual(labels)
  expect(countServices(['B', 'A', 'B'])).toEqual([
    { name: 'A', labels: 1 },
    { name: 'B', labels: 2 },
  ])
})
