import { createHash, randomUUID } from 'node:crypto'
import { isOfFormat, PURCHASED_FORMAT } from '#server/carriers/port.ts'
import type {
  Attempt,
  PurchasedLabel,
  Carrier,
  CarrierFailure,
  CarrierLabelFormat,
  PurchaseLookupResult,
  LabelFileResult,
  PurchaseResult,
  QuoteResult,
  Shipment,
  CarrierVoidResult,
} from '#server/carriers/port.ts'
import { POSTAL_SERVICES, postalOptions } from '#server/carriers/services.ts'
import type { ServiceUid } from '#server/carriers/services.ts'
import { costRefusal, shipmentRefusal } from '#server/carriers/shipment-refusal.ts'
import {
  failureAfterPurchase,
  INVALID_RESPONSE,
  labelFileNotYet,
} from '#server/carriers/wire/failures.ts'
import { sendRequest, retryableIfNotSent } from '#server/carriers/wire/http.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import { parseCentsDown, detectLabel } from '#server/carriers/wire/parsing.ts'
import { createClient, isOk, toFailure } from './client.ts'
import type { ApiClient, EasypostOptions } from './client.ts'
import { isAlreadyPurchased, isNotFound } from './failures.ts'
import { buyRequest, shipmentRequest } from './request.ts'
import {
  parseBalance,
  parseLabelUrl,
  parseRatedShipment,
  parsePurchase,
  cheapestRate,
  parseRefund,
  parseTracking,
} from './response.ts'
import { easypostScanForms } from './scan-forms.ts'

/** Keys of EasyPost's test mode buy no postage (docs.easypost.com/docs/authentication). */
export const isTestKey = (apiKey: string): boolean => apiKey.startsWith('EZTK')

/** The account's name: the start of the key's hash, which does not reveal the key. */
export const easypostAccount = (apiKey: string): string =>
  `easypost:${createHash('sha256').update(apiKey).digest('hex').slice(0, 8)}`

/** Refunds of postal labels are possible for 30 days (docs.easypost.com/docs/shipping-refund). */
const VOID_WINDOW_MS = 30 * 24 * 60 * 60_000
/** Refunds by the postal service take at least 15 days (docs.easypost.com/docs/shipping-refund). */
const VOID_DECISION_DAYS = 15
/** EasyPost publishes 5 requests per second for lists and limits the rest by load; we use 5. */
const RATE_LIMIT = { perMinute: 300, burst: 30 }
/** Create, buy, and the file's address. The file itself comes from another host. */
const CALLS_PER_LABEL = 3
/** The refund's state is read, then the refund is asked for. The second read after a refusal, which is rare, is not counted. */
const CALLS_PER_VOID = 2
/**
 * EasyPost in two steps: create a shipment (free), store its id, buy it. EasyPost sells a shipment
 * once, so an attempt without a response may be repeated.
 */
export function easypostCarrier(options: EasypostOptions): Carrier {
  const client = createClient(options)
  return {
    name: 'easypost',
    account: easypostAccount(options.apiKey),
    rateLimit: RATE_LIMIT,
    callsPerLabel: CALLS_PER_LABEL,
    callsPerVoid: CALLS_PER_VOID,
    voidWindowMs: VOID_WINDOW_MS,
    voidDecisionDays: VOID_DECISION_DAYS,
    idempotency: 'two-step',
    quarantineMs: 0,
    services: () => Promise.resolve([...POSTAL_SERVICES]),
    options: postalOptions,
    purchase: (attempt, shipment, signal) =>
      retryableIfNotSent(() => purchase(client, attempt, shipment, signal)),
    lookup: (attempt, signal) => lookup(client, attempt, signal),
    quote: (shipment, signal) => retryableIfNotSent(() => quote(client, shipment, signal)),
    void: (bought, signal) => retryableIfNotSent(() => refund(client, bought, signal)),
    labelFormats: ['pdf', 'png', 'zpl'],
    fetchLabel: (bought, format, signal) => fetchLabel(client, bought, format, signal),
    scanForms: easypostScanForms(client),
    async track({ attempt }, signal) {
      const tracked = parseTracking(
        assertOk(client, await client.read(await client.refOf(attempt), signal)).body,
      )
      if (!tracked) throw new Error('the carrier’s answer made no sense')
      return tracked
    },
    async balance(signal) {
      const response = await client.call('GET', '/v2/users', undefined, signal)
      // Only keys with account permissions may read the balance; other keys still buy labels.
      return response.status === 403
        ? null
        : parseCentsDown(parseBalance(assertOk(client, response).body))
    },
  }
}

/** Throws a sentence unless the response is a success. */
function assertOk(client: ApiClient, response: CarrierResponse): CarrierResponse {
  if (isOk(response)) return response
  const { code, message } = toFailure(client, response, true)
  throw Object.assign(new Error(message), { code })
}

async function purchase(
  client: ApiClient,
  attempt: Attempt,
  shipment: Shipment,
  signal: AbortSignal,
): Promise<PurchaseResult> {
  const refusal = shipmentRefusal(shipment)
  if (refusal) return refusal
  const prepared = await prepare(client, attempt, shipment, signal)
  if ('ok' in prepared) return prepared
  if (!isOk(prepared)) return toFailure(client, prepared, true)
  const before = parsePurchaseResult(prepared)
  if (before) return before
  const offered = parseRatedShipment(prepared.body)
  if (!offered) return INVALID_RESPONSE
  const rate = cheapestRate(offered, shipment.serviceUid as ServiceUid)
  if ('kind' in rate) return rate
  const tooCostly = costRefusal(shipment, rate.amount)
  if (tooCostly) return tooCostly
  const outcome = await buy(client, attempt, offered.id, rate.id, signal)
  // The shipment disappeared between two calls and was certainly not bought: the next attempt
  // creates a new one.
  return outcome === SHIPMENT_MISSING ? SHIPMENT_GONE : outcome
}

/** A shipment without a purchase costs nothing, and EasyPost forgets it. */
async function quote(
  client: ApiClient,
  shipment: Shipment,
  signal: AbortSignal,
): Promise<QuoteResult> {
  const refusal = shipmentRefusal(shipment)
  if (refusal) return refusal
  const body = shipmentRequest(`quote-${randomUUID()}`, shipment)
  const response = await client.call('POST', '/v2/shipments', body, signal)
  if (!isOk(response)) return toFailure(client, response, true)
  const offered = parseRatedShipment(response.body)
  if (!offered) return INVALID_RESPONSE
  const rate = cheapestRate(offered, shipment.serviceUid as ServiceUid)
  return 'kind' in rate ? rate : { ok: true, costCents: rate.amount }
}

const SHIPMENT_MISSING = 'gone'
const SHIPMENT_GONE: CarrierFailure = {
  ok: false,
  kind: 'retryable',
  code: 'SHIPMENT_GONE',
  message: 'The carrier has forgotten what it was about to sell',
}
const SHIPMENT_LOST: CarrierFailure = {
  ok: false,
  kind: 'unknown',
  code: 'SHIPMENT_LOST',
  message: 'The carrier does not find a shipment that it may have sold',
}

/**
 * Buys a shipment. The request is noted first. The note is removed by a response that certainly
 * sold nothing, unless an earlier request is still unanswered.
 */
async function buy(
  client: ApiClient,
  attempt: Attempt,
  id: string,
  rateId: string,
  signal: AbortSignal,
): Promise<PurchaseResult | typeof SHIPMENT_MISSING> {
  const wasAsked = await client.notes.isBuyRequested(attempt)
  if (!wasAsked) await client.notes.recordBuyRequest(attempt)
  const outcome = await asked()
  if (!wasAsked && (outcome === SHIPMENT_MISSING || soldNothing(outcome)))
    await client.notes.clearBuyRequest(attempt)
  return outcome

  async function asked(): Promise<PurchaseResult | typeof SHIPMENT_MISSING> {
    const response = await client.call(
      'POST',
      `/v2/shipments/${id}/buy`,
      buyRequest(rateId),
      signal,
    )
    if (isOk(response)) return parsePurchaseResult(response) ?? INVALID_RESPONSE
    const failure = toFailure(client, response, false)
    if (!isAlreadyPurchased(response) && failure.kind !== 'permanent') return failure
    // An earlier request may have succeeded meanwhile; a refusal counts only if it did not.
    const now = await client.read(id, signal)
    if (isNotFound(now)) return wasAsked ? SHIPMENT_LOST : SHIPMENT_MISSING
    return (
      parsePurchaseResult(now)
      ?? (isAlreadyPurchased(response) || (isOk(now) && parsePurchase(now.body) === null)
        ? INVALID_RESPONSE
        : failure)
    )
  }
}

/**
 * The attempt's noted shipment, or a new one, noted before it can be bought. A shipment unknown to
 * EasyPost is replaced if buying it was never requested: of two under one name, a look-up could find the one that was not bought.
 */
async function prepare(
  client: ApiClient,
  attempt: Attempt,
  shipment: Shipment,
  signal: AbortSignal,
): Promise<CarrierResponse | CarrierFailure> {
  const noted = await client.notes.find(attempt)
  if (noted !== null) {
    const there = await client.read(noted, signal)
    if (!isNotFound(there)) return there
    if (await client.notes.isBuyRequested(attempt)) return SHIPMENT_LOST
    await client.notes.delete(attempt)
  }
  const name = await client.nameOf(attempt)
  const earlier =
    noted === null && attempt.mayBeKnown === true ? await client.read(name, signal) : null
  const response =
    earlier !== null && !isNotFound(earlier)
      ? earlier
      : await client.call('POST', '/v2/shipments', shipmentRequest(name, shipment), signal)
  const made = isOk(response) ? parseRatedShipment(response.body) : null
  if (!made) return response
  const id = await client.notes.write(attempt, made.id)
  return id === made.id ? response : client.read(id, signal)
}

const soldNothing = (outcome: PurchaseResult): boolean =>
  !outcome.ok && outcome.kind !== 'unknown' && outcome.isUncertain === undefined

function parsePurchaseResult(response: CarrierResponse): PurchaseResult | null {
  const found = isOk(response) ? parsePurchase(response.body) : null
  return found === null || found === 'not_purchased' ? null : { ok: true, purchase: found }
}

async function lookup(
  client: ApiClient,
  attempt: Attempt,
  signal: AbortSignal,
): Promise<PurchaseLookupResult> {
  const noted = await client.notes.find(attempt)
  const name = await client.nameOf(attempt)
  const response = await client.read(noted ?? name, signal)
  // Without a note nothing was bought; any other missing shipment may have been.
  if (isNotFound(response))
    return {
      found:
        noted !== null && (await client.notes.isBuyRequested(attempt))
          ? 'unknown'
          : 'not_purchased',
    }
  const state = isOk(response) ? parsePurchase(response.body) : null
  if (state === null) return { found: 'unknown' }
  return state === 'not_purchased' ? { found: state } : { found: 'purchased', purchase: state }
}

/**
 * Reads the refund's state first, since a second request could hit another label. After a refusal
 * it is read again, since an earlier request without an answer may have arrived between.
 */
async function refund(
  client: ApiClient,
  { attempt, trackingNumber }: PurchasedLabel,
  signal: AbortSignal,
): Promise<CarrierVoidResult> {
  const ref = await client.refOf(attempt)
  const now = await client.read(ref, signal)
  if (!isOk(now)) return toVoidFailure(client, now)
  const state = parseRefund(now.body, trackingNumber)
  if (state.kind === 'another') return LABEL_UNKNOWN
  if (state.kind !== 'not_asked') return state
  const response = await client.call(
    'POST',
    `/v2/shipments/${encodeURIComponent(ref)}/refund`,
    {},
    signal,
  )
  if (isOk(response)) {
    const after = parseRefund(response.body, trackingNumber)
    return after.kind === 'another' || after.kind === 'not_asked' ? INVALID_RESPONSE : after
  }
  const refusal = toVoidFailure(client, response)
  if (refusal.kind !== 'permanent') return refusal
  const reread = await client.read(ref, signal)
  const after = isOk(reread) ? parseRefund(reread.body, trackingNumber) : null
  if (!after || after.kind === 'another') return refusal
  return after.kind === 'not_asked' ? { ...refusal, isStillValid: true } : after
}
const LABEL_UNKNOWN: CarrierVoidResult = {
  kind: 'permanent',
  code: 'LABEL_UNKNOWN',
  message: 'The carrier does not know this label',
}

const toVoidFailure = (client: ApiClient, response: CarrierResponse): CarrierVoidResult =>
  failureAfterPurchase(toFailure(client, response, false))

async function fetchLabel(
  client: ApiClient,
  { attempt }: PurchasedLabel,
  format: CarrierLabelFormat,
  signal: AbortSignal,
): Promise<LabelFileResult> {
  const response = await readLabel(client, await client.refOf(attempt), format, signal)
  if (!isOk(response)) {
    const failure = toFailure(client, response, true)
    const isGone =
      isNotFound(response) || (format !== PURCHASED_FORMAT && failure.kind === 'permanent')
    return { ...labelFileNotYet(failure), kind: isGone ? 'gone' : 'not_yet' }
  }
  const named = parseLabelUrl(response.body, format)
  if (named === null)
    return labelFileNotYet({
      code: 'NO_FILE',
      message: 'EasyPost names no file for this label yet',
    })
  const address = client.trustedFile(named)
  if (address === null)
    return labelFileNotYet({
      code: 'STRANGE_ADDRESS',
      message: 'EasyPost names a file at an address that is not known to be its own',
    })
  // Without our API key: the file is in a public store.
  const file = await sendRequest(address, {}, signal)
  const label = file.status === 200 ? detectLabel(file.bytes) : null
  if (label) return isOfFormat(label, format) ? { kind: 'label', label } : OTHER_FORMAT
  return labelFileNotYet({
    code: `FILE_${file.status}`,
    message: 'The label’s file is neither PDF, PNG nor ZPL, or is not there',
  })
}

/** The shipment with the address of the file. Reading a PNG needs no conversion. */
async function readLabel(
  client: ApiClient,
  ref: string,
  format: CarrierLabelFormat,
  signal: AbortSignal,
): Promise<CarrierResponse> {
  if (format === 'png') return client.read(ref, signal)
  const path = `/v2/shipments/${encodeURIComponent(ref)}/label?file_format=${format.toUpperCase()}`
  const response = await client.call('GET', path, undefined, signal)
  // A label that was made as PDF is not converted; the shipment itself has its address.
  const isRefused = !isOk(response) && toFailure(client, response, true).kind === 'permanent'
  return format === PURCHASED_FORMAT && isRefused ? client.read(ref, signal) : response
}

const OTHER_FORMAT: LabelFileResult = {
  kind: 'gone',
  code: 'OTHER_FORMAT',
  message: 'EasyPost made this label in another format',
}
