/** How the sandbox fails when it is told to, the same way for every call. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '#server/platform/database/database.ts'
import { countCall } from './store.ts'

export const SLOW_MS = 2_000
/** How much later than its caller's patience a late answer comes. */
const LATE_MS = 200
const BUSY_CALLS = 2

/** 429: nothing happened. */
export const BUSY = {
  kind: 'retryable',
  code: '429',
  message: 'The carrier is busy',
  retryAfterMs: 300,
} as const

/** Whether this is one of the first two calls under this key, which a busy carrier sends away. */
export async function isBusy(database: Database, key: string): Promise<boolean> {
  return (await database.tx(tx => countCall(tx, key))) <= BUSY_CALLS
}

export const connectionReset = (): Error =>
  Object.assign(new Error('connection reset by the sandbox carrier'), { code: 'ECONNRESET' })

/** Waits until the caller has given up, and a little longer. */
export async function waitPastTimeout(signal: AbortSignal): Promise<void> {
  await new Promise<void>(done => {
    if (signal.aborted) done()
    else signal.addEventListener('abort', () => done(), { once: true })
  })
  await wait(LATE_MS)
}
