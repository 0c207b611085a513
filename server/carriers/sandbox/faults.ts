/** Deterministic faults of the sandbox. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '#server/platform/database/database.ts'
import { countCall } from './store.ts'

export const SLOW_MS = 2_000
/** How long after the caller's timeout a late response comes. */
const LATE_MS = 200
const BUSY_CALLS = 2

/** 429: nothing happened. */
export const BUSY = {
  kind: 'retryable',
  code: '429',
  message: 'The carrier is busy',
  retryAfterMs: 300,
} as const

/** True for the first two calls under a key. */
export async function isBusy(database: Database, key: string): Promise<boolean> {
  return (await database.tx(tx => countCall(tx, key))) <= BUSY_CALLS
}

export const connectionReset = (): Error =>
  Object.assign(new Error('connection reset by the sandbox carrier'), { code: 'ECONNRESET' })

export async function waitPastTimeout(signal: AbortSignal): Promise<void> {
  await new Promise<void>(done => {
    if (signal.aborted) done()
    else signal.addEventListener('abort', () => done(), { once: true })
  })
  await wait(LATE_MS)
}
