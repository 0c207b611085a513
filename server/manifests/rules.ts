import type { ScanForm, ScanFormState } from '#contract/scan-forms.ts'
import type { ScanFormLookupResult, ScanFormResult, StoredAddress } from '#server/carriers/port.ts'
import { backOffMs } from '#server/carriers/rules.ts'

export type ServiceCount = { name: string; labels: number }

/** A form as it is shown. `voided`: labels whose void was requested since. */
export type ScanFormRecord = {
  id: number
  key: string
  userId: number
  state: ScanFormState
  sender: StoredAddress
  /** '2026-11-22' */
  day: string
  services: ServiceCount[]
  labels: number
  voided: number
  upstreamRef: string | null
  awaitsFile: boolean
  files: string[]
  problem: string | null
  madeAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** `sinceCalledMs`: of the call whose outcome was open at the claim; null without one. */
export type ClaimAges = { sinceCreatedMs: number; sinceCalledMs: number | null; attempt: number }

export type ScanFormVerdict =
  | { state: 'made'; ref: string; awaitsFile: boolean; problem: string | null; waitMs: number }
  | { state: 'failed' | 'unknown'; problem: string }
  /** `isCallOpen`: a call may still have made it. */
  | {
      state: 'asked'
      isCallOpen: boolean
      ref: string | null
      problem: string | null
      waitMs: number
    }

const DAY_MS = 24 * 3600_000

const GONE =
  'The carrier made the form but did not send its file. Have each parcel scanned on its own.'
const NOT_TOLD =
  'The carrier did not confirm whether it made this form. Have each of its parcels scanned on its own.'

/** What the answer of a request to make a form means. Only a certain answer ends it. */
export function verdictOnMake(
  answer: ScanFormResult,
  { sinceCreatedMs, attempt }: ClaimAges,
  canBeLookedUp: boolean,
): ScanFormVerdict {
  switch (answer.kind) {
    case 'made':
      return madeVerdict(answer)
    case 'permanent':
      return { state: 'failed', problem: answer.message || 'The carrier named no reason' }
    case 'pending':
      return asked(true, answer.ref, null, backOffMs(attempt))
    case 'retryable':
      return sinceCreatedMs > DAY_MS
        ? { state: 'failed', problem: answer.message }
        : asked(false, null, answer.message, backOffMs(attempt, answer.retryAfterMs))
    case 'unknown':
      return canBeLookedUp
        ? asked(true, null, answer.message, backOffMs(attempt, answer.retryAfterMs))
        : { state: 'unknown', problem: NOT_TOLD }
  }
}

/** What a look-up means. 'Not made' is proof only after the carrier's quarantine. */
export function verdictOnLookup(
  answer: ScanFormLookupResult,
  ref: string | null,
  { sinceCreatedMs, sinceCalledMs, attempt }: ClaimAges,
  quarantineMs: number,
): ScanFormVerdict {
  switch (answer.kind) {
    case 'made':
      return madeVerdict(answer)
    case 'permanent':
      return { state: 'failed', problem: answer.message || 'The carrier named no reason' }
    case 'not_made':
      if (sinceCalledMs !== null && sinceCalledMs < quarantineMs)
        return asked(true, ref, null, quarantineMs - sinceCalledMs)
      return sinceCreatedMs > DAY_MS
        ? { state: 'failed', problem: 'The carrier did not make this form' }
        : asked(false, null, null, 0)
    case 'pending':
      return sinceCreatedMs > DAY_MS
        ? { state: 'unknown', problem: NOT_TOLD }
        : asked(true, answer.ref, null, backOffMs(attempt))
    case 'retryable':
    case 'unknown':
      return sinceCreatedMs > DAY_MS
        ? { state: 'unknown', problem: NOT_TOLD }
        : asked(true, ref, answer.message, backOffMs(attempt, answer.retryAfterMs))
  }
}

/**
 * No look-up tells what an earlier claim's call has made, and the process that called has ended or
 * could not store the answer: the form, or its file, is lost.
 */
export const verdictWithoutAnswer = ({
  ref,
  state,
}: {
  state: 'asked' | 'made'
  ref: string | null
}): ScanFormVerdict =>
  state === 'made'
    ? { state, ref: ref!, awaitsFile: false, problem: GONE, waitMs: 0 }
    : { state: 'unknown', problem: NOT_TOLD }

/** After a look-up for the file of a form that is made. */
export function verdictOnFile(
  answer: ScanFormLookupResult,
  ref: string,
  { sinceCreatedMs, attempt }: ClaimAges,
): ScanFormVerdict {
  if (answer.kind === 'made' && answer.files !== 'not_yet') return madeVerdict(answer)
  const isOver = sinceCreatedMs > DAY_MS
  const waitMs = Math.min(10 * 60_000, 4 * backOffMs(attempt))
  return { state: 'made', ref, awaitsFile: !isOver, problem: isOver ? GONE : null, waitMs }
}

const madeVerdict = ({
  ref,
  files,
}: Extract<ScanFormResult, { kind: 'made' }>): ScanFormVerdict => ({
  state: 'made',
  ref,
  awaitsFile: files === 'not_yet',
  problem: files === 'gone' ? GONE : null,
  waitMs: backOffMs(1),
})

const asked = (
  isCallOpen: boolean,
  ref: string | null,
  problem: string | null,
  waitMs: number,
): ScanFormVerdict => ({ state: 'asked', isCallOpen, ref, problem, waitMs })

/** A form names its sender without phone and country. */
export const senderOf = ({
  name,
  company,
  street1,
  street2,
  city,
  state,
  zip,
}: StoredAddress): ScanForm['sender'] => ({ name, company, street1, street2, city, state, zip })

/** Labels with the same key go on one form; a phone number makes no other sender. */
export const senderKey = (sender: StoredAddress): string =>
  Object.values({ ...senderOf(sender), zip: sender.zip.slice(0, 5) })
    .map(text => text.trim().replace(/\s+/g, ' ').toLowerCase())
    .join('\n')

/** Counts by name, in the order of the names. */
export function countServices(names: readonly string[]): ServiceCount[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts]
    .map(([name, labels]) => ({ name, labels }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** In the given order, at most `size` each. */
export const chunksOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  )

/** 'scan-form-17-0a1b….pdf' */
export const scanFormFileName = (id: number, sha256: string): string =>
  `scan-form-${id}-${sha256.slice(0, 24)}.pdf`
