import { SERVICES } from '#server/carriers/catalogue.ts'
import type { Carrier, Failure, LabelAnswer, Pace, VoidAnswer } from '#server/carriers/port.ts'
import { orTryLater } from '#server/carriers/wire/http.ts'
import { sentence } from '#server/carriers/wire/words.ts'
import { balanceIn, trackedIn, voidIn } from './answer.ts'
import { openDesk } from './desk.ts'
import type { Desk, DeskWish } from './desk.ts'
import { purchases } from './purchase.ts'
import { failureOf } from './refusals.ts'

/** `carrierId`: the account at a carrier that ShipEngine buys from ('se-…'). `now` (ms since 1970) and `quarantineMs`: for tests. */
export type ShipEngineWish = DeskWish & {
  carrierId: string
  pace?: Pace | undefined
  quarantineMs?: number
  now?: () => number
}

/** Published limits: 200 questions a minute, 20 with a key of its sandbox (docs.shipstation.com, rate limits). */
const PACE: Pace = { perMinute: 200, burst: 20 }
const SANDBOX_PACE: Pace = { perMinute: 20, burst: 5 }

/** It names no longest time that a question may take; no proxy between us keeps one open for longer than this. */
const QUARANTINE_MS = 2 * 60_000

/** Postage of the postal service goes back within 28 days of its purchase. */
const VOID_WINDOW_MS = 28 * 24 * 60 * 60_000

/** The name of an account: the carrier that is billed. */
export const shipengineAccount = (carrierId: string): string => `shipengine:${carrierId}`

/** ShipEngine, a go-between. It has no keys: what became of an attempt is asked by the name that its shipment was given. */
export function shipengineCarrier(wish: ShipEngineWish): Carrier {
  const { apiKey, carrierId, notes, quarantineMs = QUARANTINE_MS, now = Date.now } = wish
  const desk = openDesk(wish)
  return {
    name: 'shipengine',
    account: shipengineAccount(carrierId),
    pace: wish.pace ?? (isSandboxKey(apiKey) ? SANDBOX_PACE : PACE),
    callsPerLabel: 1,
    voidWindowMs: VOID_WINDOW_MS,
    idempotency: 'lookup',
    quarantineMs,
    services: async () => SERVICES.map(service => ({ ...service })),
    ...purchases(desk, notes, carrierId, quarantineMs, now),
    void: voids(desk),

    async fetchLabel({ attempt }, signal): Promise<LabelAnswer> {
      const found = await desk.find(attempt, signal)
      if (!('ok' in found)) return found.label ? desk.fileOf(found.label, signal) : GONE
      const { code, message, retryAfterMs } = found
      return { kind: 'not_yet', code, message, ...(retryAfterMs !== undefined && { retryAfterMs }) }
    },

    async track({ attempt }, signal) {
      const id = await notes.find(attempt)
      const found = id === null ? await desk.find(attempt, signal) : { label: { id } }
      if ('ok' in found || !found.label) throw new Error('ShipEngine does not know the label')
      const answer = await desk.ask('GET', `/v1/labels/${found.label.id}/track`, signal)
      const tracked = answer.status === 200 ? trackedIn(answer.body) : null
      if (!tracked) throw new Error(`ShipEngine answered ${answer.status} about a parcel`)
      return tracked
    },

    async balance(signal) {
      const answer = await desk.ask('GET', `/v1/carriers/${encodeURIComponent(carrierId)}`, signal)
      if (answer.status !== 200)
        throw new Error(`ShipEngine answered ${answer.status} about its carrier`)
      return balanceIn(answer.body)
    },
  }
}

/** Keys of ShipEngine's sandbox say so: what is bought with one is no postage. */
export const isSandboxKey = (apiKey: string): boolean => apiKey.startsWith('TEST_')

const GONE = {
  kind: 'gone',
  code: 'LABEL_UNKNOWN',
  message: 'The carrier does not know this label',
} as const

/** Voids a label that is not voided yet: the label itself tells, also after a question whose answer was lost. */
const voids =
  (desk: Desk): Carrier['void'] =>
  ({ attempt, trackingNumber }, signal) =>
    orTryLater(async (): Promise<VoidAnswer> => {
      const found = await desk.find(attempt, signal)
      if ('ok' in found) return laterOf(found)
      if (found.label?.trackingNumber !== trackingNumber)
        return { kind: 'permanent', code: GONE.code, message: GONE.message }
      if (found.label.isVoided) return { kind: 'voided' }
      const answer = await desk.ask('PUT', `/v1/labels/${found.label.id}/void`, signal)
      const told = answer.status === 200 ? voidIn(answer.body) : null
      if (!told) return laterOf(failureOf(answer, desk.context()))
      if (told.isVoided) return { kind: 'voided' }
      return {
        kind: 'permanent',
        code: told.code,
        message: sentence(told.message, desk.context().secrets),
      }
    })

/** An account with a problem keeps a void waiting: no label is to blame. */
function laterOf({ kind, code, message, retryAfterMs }: Failure): VoidAnswer {
  return {
    kind: kind === 'account' ? 'retryable' : kind,
    code,
    message,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}
