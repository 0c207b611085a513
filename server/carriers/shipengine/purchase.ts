import { domesticRefusal } from '#server/carriers/domestic.ts'
import type { Notes } from '#server/carriers/notes-store.ts'
import type { Attempt, Carrier, Failure, Found, Outcome, Purchase } from '#server/carriers/port.ts'
import { orTryLater } from '#server/carriers/wire/http.ts'
import type { Answer } from '#server/carriers/wire/http.ts'
import { fileWithin, labelIn, shipmentIn } from './answer.ts'
import type { LabelThere } from './answer.ts'
import type { Desk } from './desk.ts'
import { failureOf, isNameTaken } from './refusals.ts'
import { labelRequest, PAPER } from './request.ts'

type Counter = Pick<Carrier, 'purchase' | 'lookup'>

/** Buys labels and says what became of attempts. `now`: ms since 1970. */
export function purchases(
  desk: Desk,
  notes: Notes,
  carrierId: string,
  quarantineMs: number,
  now: () => number,
): Counter {
  async function outcomeOf(attempt: Attempt, answer: Answer, asked: object): Promise<Outcome> {
    const label = answer.status === 200 ? labelIn(answer.body) : null
    if (!label || label.state === 'being made') return failureOf(answer, desk.context(asked))
    await notes.write(attempt, label.id)
    return label.state === 'sold' ? { ok: true, purchase: purchaseOf(label) } : NOT_MADE
  }

  /**
   * There is a shipment of this name already. With a label it is the one that was wished for, or one that could not be made: its name is
   * used up then, since a look-up would not find another label behind it. Without one it is left from a try that failed after its shipment
   * was made (an account without money, for one): its label is bought once nothing of that try can still come.
   */
  async function ofTheSameName(attempt: Attempt, signal: AbortSignal): Promise<Outcome> {
    const found = await desk.find(attempt, signal)
    if ('ok' in found || found.label?.state === 'being made') return NOT_TOLD
    if (found.label)
      return found.label.state === 'sold'
        ? { ok: true, purchase: purchaseOf(found.label) }
        : NOT_MADE
    const left = await desk.ask(
      'GET',
      `/v1/shipments/external_shipment_id/${await desk.nameOf(attempt)}`,
      signal,
    )
    const shipment = shipmentIn(left.body)
    if (!shipment || now() - shipment.madeAt < quarantineMs) return NOT_TOLD
    return outcomeOf(
      attempt,
      await desk.ask('POST', `/v1/labels/shipment/${shipment.id}`, signal, PAPER),
      PAPER,
    )
  }

  async function lookup(attempt: Attempt, signal: AbortSignal): Promise<Found> {
    const found = await desk.find(attempt, signal)
    if ('ok' in found) return { found: 'unknown' }
    if (found.label === null || found.label.state === 'not sold') return { found: 'not_purchased' }
    return found.label.state === 'sold'
      ? { found: 'purchased', purchase: purchaseOf(found.label) }
      : { found: 'unknown' }
  }

  return {
    lookup,
    purchase: (attempt, shipment, signal) =>
      orTryLater(async (): Promise<Outcome> => {
        const refusal = domesticRefusal(shipment)
        if (refusal) return refusal
        if ((await notes.find(attempt)) !== null) return ofTheSameName(attempt, signal)
        const body = labelRequest(await desk.nameOf(attempt), carrierId, shipment)
        const answer = await desk.ask('POST', '/v1/labels', signal, body)
        return isNameTaken(answer)
          ? ofTheSameName(attempt, signal)
          : outcomeOf(attempt, answer, body)
      }),
  }
}

function purchaseOf({ trackingNumber, costCents, file, isVoided }: LabelThere): Purchase {
  const label = fileWithin(file)
  return { trackingNumber, costCents, ...(label && { label }), ...(isVoided && { isVoided }) }
}

const NOT_TOLD: Failure = {
  ok: false,
  kind: 'unknown',
  code: 'NOT_TOLD',
  message: 'The carrier did not say what became of this label',
}
const NOT_MADE: Failure = {
  ok: false,
  kind: 'permanent',
  code: 'LABEL_ERROR',
  message: 'The carrier could not make this label',
}
