/**
 * A sale with the tracking number of another label is no proof: the answer for that one was repeated. The label stays unknown until the
 * carrier names another number or an administrator ends it.
 */
import type { CarrierFailure, Purchase } from '#server/carriers/port.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { AnsweredPurchase, LookupFinding } from './settle.ts'
import { selectLabelsOfNumbers } from './taken-numbers-store.ts'

const NUMBER_TAKEN: CarrierFailure = {
  ok: false,
  kind: 'unknown',
  code: 'NUMBER_TAKEN',
  message: 'The carrier named the tracking number of another label',
}

export const doubtTakenPurchases = (
  ctx: LabelContext,
  answers: AnsweredPurchase[],
): Promise<AnsweredPurchase[]> =>
  doubtTaken(
    ctx,
    answers,
    ({ outcome }) => (outcome.ok ? outcome.purchase : null),
    answer => ({ ...answer, outcome: NUMBER_TAKEN }),
  )

export const doubtTakenFindings = (
  ctx: LabelContext,
  findings: LookupFinding[],
): Promise<LookupFinding[]> =>
  doubtTaken(
    ctx,
    findings,
    ({ found }) => (found.found === 'purchased' ? found.purchase : null),
    finding => ({ ...finding, found: { found: 'unknown' } }),
  )

async function doubtTaken<Item extends { claim: { id: number } }>(
  { carrier, database, log }: LabelContext,
  items: Item[],
  purchaseIn: (item: Item) => Purchase | null,
  asUnknown: (item: Item) => Item,
): Promise<Item[]> {
  if (carrier.repeatsNumbers) return items
  const numberIn = (item: Item): string | undefined => purchaseIn(item)?.trackingNumber
  const numbers = items.flatMap(item => numberIn(item) ?? [])
  if (numbers.length === 0) return items
  const holders = new Map<string, number>()
  for (const { id, trackingNumber } of await selectLabelsOfNumbers(database.db, numbers))
    holders.set(trackingNumber, id)
  return items.map(item => {
    const number = numberIn(item)
    if (number === undefined) return item
    const { id } = item.claim
    const holder = holders.get(number) ?? id
    holders.set(number, holder)
    if (holder === id) return item
    log.warn({ orderId: id, holder }, 'the carrier named the tracking number of another label')
    return asUnknown(item)
  })
}
