import type { AttemptNotes } from '#server/carriers/attempt-notes-store.ts'
import type {
  Attempt,
  Carrier,
  CarrierFailure,
  PurchaseLookupResult,
  PurchaseResult,
  Purchase,
} from '#server/carriers/port.ts'
import { shipmentRefusal } from '#server/carriers/shipment-refusal.ts'
import { retryableIfNotSent } from '#server/carriers/wire/http.ts'
import type { CarrierResponse } from '#server/carriers/wire/http.ts'
import type { ApiClient } from './client.ts'
import { failureFrom, isNameTaken } from './failures.ts'
import { labelRequest, LABEL_FORMAT } from './request.ts'
import { decodeInlineFile, parseLabel, parseShipment } from './response.ts'
import type { ShipEngineLabel } from './response.ts'

type PurchaseCalls = Pick<Carrier, 'purchase' | 'lookup'>

/** Purchases and looks up attempts. `now`: ms since 1970. */
export function createPurchaseCalls(
  client: ApiClient,
  notes: AttemptNotes,
  carrierId: string,
  quarantineMs: number,
  now: () => number,
): PurchaseCalls {
  async function outcomeOf(
    attempt: Attempt,
    response: CarrierResponse,
    asked: object,
  ): Promise<PurchaseResult> {
    const label = response.status === 200 ? parseLabel(response.body) : null
    if (!label || label.state === 'being made')
      return failureFrom(response, client.responseContext(asked))
    await notes.write(attempt, label.id)
    return label.state === 'sold' ? { ok: true, purchase: toPurchase(label) } : LABEL_ERROR_FAILURE
  }

  /**
   * A shipment with this name exists. With a label it is the requested one, or one that failed; the
   * name is then used up, since a lookup would not find another label. Without a label it is left
   * from a failed attempt (an account without money, for example): its label is bought once nothing
   * of that attempt can still arrive.
   */
  async function ofTheSameName(attempt: Attempt, signal: AbortSignal): Promise<PurchaseResult> {
    const found = await client.findLabel(attempt, signal)
    if ('ok' in found || found.label?.state === 'being made') return UNKNOWN_RESULT
    if (found.label)
      return found.label.state === 'sold'
        ? { ok: true, purchase: toPurchase(found.label) }
        : LABEL_ERROR_FAILURE
    const left = await client.send(
      'GET',
      `/v1/shipments/external_shipment_id/${await client.nameOf(attempt)}`,
      signal,
    )
    const shipment = parseShipment(left.body)
    if (!shipment || now() - shipment.madeAt < quarantineMs) return UNKNOWN_RESULT
    return outcomeOf(
      attempt,
      await client.send('POST', `/v1/labels/shipment/${shipment.id}`, signal, LABEL_FORMAT),
      LABEL_FORMAT,
    )
  }

  async function lookup(attempt: Attempt, signal: AbortSignal): Promise<PurchaseLookupResult> {
    const found = await client.findLabel(attempt, signal)
    if ('ok' in found) return { found: 'unknown' }
    if (found.label === null || found.label.state === 'not sold') return { found: 'not_purchased' }
    return found.label.state === 'sold'
      ? { found: 'purchased', purchase: toPurchase(found.label) }
      : { found: 'unknown' }
  }

  return {
    lookup,
    purchase: (attempt, shipment, signal) =>
      retryableIfNotSent(async (): Promise<PurchaseResult> => {
        const refusal = shipmentRefusal(shipment)
        if (refusal) return refusal
        if ((await notes.find(attempt)) !== null) return ofTheSameName(attempt, signal)
        const body = labelRequest(await client.nameOf(attempt), carrierId, shipment)
        const response = await client.send('POST', '/v1/labels', signal, body)
        return isNameTaken(response)
          ? ofTheSameName(attempt, signal)
          : outcomeOf(attempt, response, body)
      }),
  }
}

function toPurchase({ trackingNumber, costCents, files, isVoided }: ShipEngineLabel): Purchase {
  const label = decodeInlineFile(files.pdf)
  return { trackingNumber, costCents, ...(label && { label }), ...(isVoided && { isVoided }) }
}

const UNKNOWN_RESULT: CarrierFailure = {
  ok: false,
  kind: 'unknown',
  code: 'NOT_TOLD',
  message: 'The carrier did not say what became of this label',
}
const LABEL_ERROR_FAILURE: CarrierFailure = {
  ok: false,
  kind: 'permanent',
  code: 'LABEL_ERROR',
  message: 'The carrier could not make this label',
}
