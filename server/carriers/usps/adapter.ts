import type { AttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import { PURCHASED_FORMAT } from '#server/carriers/port.ts'
import type {
  Attempt,
  Carrier,
  CarrierFailure,
  CarrierLabelFormat,
  LabelFileResult,
  PurchaseResult,
  QuoteResult,
  RateLimit,
  Shipment,
} from '#server/carriers/port.ts'
import { POSTAL_SERVICES, postalOptions } from '#server/carriers/services.ts'
import { shipmentRefusal } from '#server/carriers/shipment-refusal.ts'
import { attemptUuid } from '#server/carriers/wire/attempt-name.ts'
import { labelFileNotYet } from '#server/carriers/wire/failures.ts'
import { retryableIfNotSent } from '#server/carriers/wire/http.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { createClient } from './client.ts'
import { labelRequest, mailingDay, quoteRequest, reprintRequest } from './request.ts'
import { parseLabelFile, parseLookup, parsePurchaseResult, parseQuote } from './response.ts'
import { uspsScanForms } from './scan-forms.ts'
import type { UspsSessionOptions } from './session.ts'
import { createUspsTrack } from './tracking.ts'
import { createUspsVoid } from './voids.ts'

/** `instance`: the name of this installation, resolved on first use. `now`: for tests. */
export type UspsOptions = UspsSessionOptions & {
  instance: () => Promise<string>
  notes: AttemptNotes
  rateLimit?: RateLimit | undefined
  now?: () => Date
}

/**
 * Default without CARRIER_PER_MINUTE. USPS gives new applications little (60 per hour is reported)
 * and more on request; beyond it, 429.
 */
const RATE_LIMIT: RateLimit = { perMinute: 60, burst: 10 }

/** Refunds of unused labels are possible for 30 days (Domestic Mail Manual 604, 9). */
const VOID_WINDOW_MS = 30 * 24 * 60 * 60_000

/** USPS's environment for tests. It knows no label of the real one. */
export const isTestUrl = (url: string): boolean => new URL(url).hostname.startsWith('apis-tem.')

/** Named by the customer registration id, which is the same in the environment for tests. */
export const uspsAccount = (crid: string, url: string): string =>
  `usps:${isTestUrl(url) ? 'test-' : ''}${crid}`

/**
 * USPS Labels and Tracking APIs, version 3. An attempt may be repeated: its idempotency key follows
 * from it.
 */
export function uspsCarrier(options: UspsOptions): Carrier {
  const { instance, notes, now = () => new Date() } = options
  const client = createClient(options)

  const keyOf = async (attempt: Attempt): Promise<string> => attemptUuid(await instance(), attempt)
  /** Reprints a label by its key: the only call that tells what became of an attempt. */
  const reprint = async (
    attempt: Attempt,
    format: CarrierLabelFormat,
    signal: AbortSignal,
  ): Promise<CarrierResponse | CarrierFailure> =>
    client.send(
      {
        method: 'POST',
        path: '/labels/v3/label-reprint',
        key: await keyOf(attempt),
        body: reprintRequest(format),
      },
      signal,
    )

  const lookup: Carrier['lookup'] = async (attempt, signal) => {
    const response = await reprint(attempt, PURCHASED_FORMAT, signal)
    return 'ok' in response ? { found: 'unknown' } : parseLookup(response, client.responseContext())
  }

  return {
    name: 'usps',
    account: uspsAccount(options.account.crid, options.url),
    rateLimit: options.rateLimit ?? RATE_LIMIT,
    callsPerLabel: 1,
    voidWindowMs: VOID_WINDOW_MS,
    idempotency: 'key',
    quarantineMs: 0,
    services: async () => POSTAL_SERVICES.map(service => ({ ...service })),
    options: postalOptions,

    purchase: (attempt, shipment, signal) =>
      retryableIfNotSent(() =>
        purchase(
          { client, notes, lookup, keyOf },
          { attempt, shipment, today: mailingDay(now()) },
          signal,
        ),
      ),

    quote: (shipment, signal) =>
      retryableIfNotSent(() => quote(client, shipment, mailingDay(now()), signal)),

    lookup,
    // A lookup is a reprint: three per label, none of a cancelled one.
    lookupReportsVoids: false,
    void: createUspsVoid(client, reprint, notes, now),
    scanForms: uspsScanForms(client),

    labelFormats: ['pdf', 'png', 'zpl'],
    // Each format is a reprint.
    async fetchLabel({ attempt }, format, signal): Promise<LabelFileResult> {
      const response = await reprint(attempt, format, signal)
      if (!('ok' in response)) return parseLabelFile(response, format, client.responseContext())
      return labelFileNotYet(response)
    },
    track: createUspsTrack(client),
    balance: async () => null,
  }
}

async function quote(
  client: ReturnType<typeof createClient>,
  shipment: Shipment,
  today: string,
  signal: AbortSignal,
): Promise<QuoteResult> {
  const refusal = shipmentRefusal(shipment)
  if (refusal) return refusal
  if ((shipment.signature ?? 'none') !== 'none') return SIGNATURE_NOT_QUOTED
  const body = quoteRequest(shipment, today)
  const response = await client.send(
    {
      method: 'POST',
      path: '/prices/v3/base-rates/search',
      body,
      accept: 'application/json',
      isFree: true,
    },
    signal,
  )
  return 'ok' in response ? response : parseQuote(response, client.responseContext(body))
}

const SIGNATURE_NOT_QUOTED: CarrierFailure = {
  ok: false,
  kind: 'permanent',
  code: 'NOT_QUOTED',
  message: 'The carrier tells no price with a signature before it sells',
}

type PurchaseDeps = {
  client: ReturnType<typeof createClient>
  notes: AttemptNotes
  lookup: Carrier['lookup']
  keyOf(attempt: Attempt): Promise<string>
}

async function purchase(
  { client, notes, lookup, keyOf }: PurchaseDeps,
  { attempt, shipment, today }: { attempt: Attempt; shipment: Shipment; today: string },
  signal: AbortSignal,
): Promise<PurchaseResult> {
  const refusal = shipmentRefusal(shipment)
  if (refusal) return refusal
  // A key returns the same label only with the same body, which includes the mailing date.
  const noted = await notes.write(attempt, today)
  if (noted < today) {
    // On a later day the body differs, so it is sent only if nothing was sold.
    const found = await lookup(attempt, signal)
    if (found.found === 'purchased') return { ok: true, purchase: found.purchase }
    if (found.found === 'unknown') return RESULT_UNKNOWN
  }
  const body = labelRequest(shipment, today)
  const response = await client.send(
    { method: 'POST', path: '/labels/v3/label', key: await keyOf(attempt), body },
    signal,
  )
  return 'ok' in response ? response : parsePurchaseResult(response, client.responseContext(body))
}

const RESULT_UNKNOWN: CarrierFailure = {
  ok: false,
  kind: 'unknown',
  code: 'NOT_TOLD',
  message: 'The carrier did not say what became of this label',
}
