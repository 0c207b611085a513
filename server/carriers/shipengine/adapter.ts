import { PURCHASED_FORMAT } from '#server/carriers/port.ts'
import type {
  Carrier,
  LabelFileResult,
  QuoteResult,
  RateLimit,
  CarrierVoidResult,
} from '#server/carriers/port.ts'
import { POSTAL_SERVICES, postalOptions } from '#server/carriers/services.ts'
import type { ServiceUid } from '#server/carriers/services.ts'
import { shipmentRefusal } from '#server/carriers/shipment-refusal.ts'
import { failureAfterPurchase, labelFileNotYet } from '#server/carriers/wire/failures.ts'
import { retryableIfNotSent } from '#server/carriers/wire/http.ts'
import { sanitizeMessage } from '#server/carriers/wire/parsing.ts'
import { createClient } from './client.ts'
import type { ApiClient, ShipEngineClientOptions } from './client.ts'
import { failureFrom } from './failures.ts'
import { createMessageReader } from './messages.ts'
import { createPurchaseCalls } from './purchase.ts'
import { estimateRequest, SERVICE_CODES } from './request.ts'
import { parseBalance, parseEstimate, parseTracking, parseVoid } from './response.ts'
import { scanFormsOf } from './scan-forms.ts'

/**
 * `carrierId`: the carrier account that ShipEngine buys from ('se-…'). `now` (ms since 1970) and
 * `quarantineMs`: for tests.
 */
export type ShipEngineOptions = ShipEngineClientOptions & {
  carrierId: string
  rateLimit?: RateLimit | undefined
  quarantineMs?: number
  now?: () => number
}

/**
 * Published: 200 requests per minute, 20 with a sandbox key (docs.shipstation.com, rate limits).
 */
const RATE_LIMIT: RateLimit = { perMinute: 200, burst: 20 }
const SANDBOX_RATE_LIMIT: RateLimit = { perMinute: 20, burst: 5 }

/** The label is read, then voided. A second read, after a refusal, is not counted. */
const CALLS_PER_VOID = 2

/** ShipEngine names no maximum duration of a request. */
const QUARANTINE_MS = 2 * 60_000

/** Postal labels are refundable for 28 days. */
const VOID_WINDOW_MS = 28 * 24 * 60 * 60_000

/** The billed carrier account. */
export const shipengineAccount = (carrierId: string): string => `shipengine:${carrierId}`

/**
 * ShipEngine, an intermediary without idempotency keys: attempts are looked up by their shipment's
 * external id.
 */
export function shipengineCarrier(options: ShipEngineOptions): Carrier {
  const { apiKey, carrierId, notes, quarantineMs = QUARANTINE_MS, now = Date.now } = options
  const client = createClient(options)
  return {
    name: 'shipengine',
    account: shipengineAccount(carrierId),
    rateLimit: options.rateLimit ?? (isSandboxKey(apiKey) ? SANDBOX_RATE_LIMIT : RATE_LIMIT),
    callsPerLabel: 1,
    callsPerVoid: CALLS_PER_VOID,
    voidWindowMs: VOID_WINDOW_MS,
    idempotency: 'lookup',
    quarantineMs,
    services: async () => POSTAL_SERVICES.map(service => ({ ...service })),
    options: postalOptions,
    ...createPurchaseCalls(client, notes, carrierId, quarantineMs, now),
    quote: createQuote(client, carrierId, now),
    void: createVoid(client),
    scanForms: scanFormsOf(client, notes, quarantineMs),

    labelFormats: ['pdf', 'png', 'zpl'],
    async fetchLabel({ attempt }, format, signal): Promise<LabelFileResult> {
      // Only the addresses name a file of each format.
      const files = format === PURCHASED_FORMAT ? 'inline' : 'url'
      const found = await client.findLabel(attempt, signal, files)
      if (!('ok' in found))
        return found.label ? client.fetchFile(found.label, format, signal) : LABEL_GONE
      return labelFileNotYet(found)
    },

    async track({ attempt }, signal) {
      const id = await notes.find(attempt)
      const found = id === null ? await client.findLabel(attempt, signal) : { label: { id } }
      if ('ok' in found || !found.label) throw new Error('ShipEngine does not know the label')
      const response = await client.send('GET', `/v1/labels/${found.label.id}/track`, signal)
      const tracked = response.status === 200 ? parseTracking(response.body) : null
      if (!tracked) throw new Error(`ShipEngine answered ${response.status} about a parcel`)
      return tracked
    },

    readMessage: createMessageReader(client, now),

    async balance(signal) {
      const response = await client.send(
        'GET',
        `/v1/carriers/${encodeURIComponent(carrierId)}`,
        signal,
      )
      if (response.status !== 200)
        throw new Error(`ShipEngine answered ${response.status} about its carrier`)
      return parseBalance(response.body)
    },
  }
}

/** `now`: ms since 1970. */
const createQuote =
  (client: ApiClient, carrierId: string, now: () => number): NonNullable<Carrier['quote']> =>
  (shipment, signal) =>
    retryableIfNotSent(async (): Promise<QuoteResult> => {
      const refusal = shipmentRefusal(shipment)
      if (refusal) return refusal
      const body = estimateRequest(carrierId, new Date(now()), shipment)
      const response = await client.send('POST', '/v1/rates/estimate', signal, body)
      const found =
        response.status === 200
          ? parseEstimate(response.body, SERVICE_CODES[shipment.serviceUid as ServiceUid])
          : null
      if (!found) return failureFrom(response, client.responseContext(body))
      if ('costCents' in found) return { ok: true, ...found }
      const { secrets } = client.responseContext(body)
      const why = found.reason === null ? '' : `: ${sanitizeMessage(found.reason, secrets)}`
      const message = `The carrier has no price for this parcel${why}`
      return { ok: false, kind: 'permanent', code: 'NO_RATE', message }
    })

/** Sandbox keys buy no postage. */
export const isSandboxKey = (apiKey: string): boolean => apiKey.startsWith('TEST_')

const LABEL_GONE = {
  kind: 'gone',
  code: 'LABEL_UNKNOWN',
  message: 'The carrier does not know this label',
} as const

/** Reads the label first, and after a refusal: it tells whether an earlier request voided it. */
const createVoid =
  (client: ApiClient): Carrier['void'] =>
  ({ attempt, trackingNumber }, signal) =>
    retryableIfNotSent(async (): Promise<CarrierVoidResult> => {
      const found = await client.findLabel(attempt, signal)
      if ('ok' in found) return failureAfterPurchase(found)
      if (found.label?.trackingNumber !== trackingNumber)
        return { kind: 'permanent', code: LABEL_GONE.code, message: LABEL_GONE.message }
      if (found.label.isVoided) return { kind: 'voided' }
      const response = await client.send('PUT', `/v1/labels/${found.label.id}/void`, signal)
      const told = response.status === 200 ? parseVoid(response.body) : null
      if (told?.isVoided) return { kind: 'voided' }
      const refusal: CarrierVoidResult = told
        ? {
            kind: 'permanent',
            code: told.code,
            message: sanitizeMessage(told.message, client.responseContext().secrets),
          }
        : failureAfterPurchase(failureFrom(response, client.responseContext()))
      if (refusal.kind !== 'permanent') return refusal
      const after = await client.findLabel(attempt, signal)
      if ('ok' in after || after.label?.trackingNumber !== trackingNumber) return refusal
      return after.label.isVoided ? { kind: 'voided' } : { ...refusal, isStillValid: true }
    })
