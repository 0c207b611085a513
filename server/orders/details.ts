import type { Db } from '#server/platform/database/database.ts'
import { labelEvents } from './details-rules.ts'
import type { LabelEvent } from './details-rules.ts'
import {
  selectLabelFacts,
  selectLabelTransfers,
  selectLaterCharges,
  selectParcelEvents,
} from './details-store.ts'
import type { OrderRecord } from './rules.ts'

/** `apiKey`: name of the key that the label was ordered with. */
export type LabelDetailsRecord = {
  serviceUid: string
  apiKey: string | null
  timeline: LabelEvent[]
}

/** The timeline of a label that the caller may access, and the service it was ordered with. */
export async function detailsOfLabel(db: Db, order: OrderRecord): Promise<LabelDetailsRecord> {
  const { submissions, serviceUid, apiKey, ...facts } = await selectLabelFacts(db, order.id)
  const transfers = await selectLabelTransfers(db, order, submissions)
  const parcel = await selectParcelEvents(db, order.id)
  const later = await selectLaterCharges(db, order)
  return {
    serviceUid,
    apiKey,
    timeline: labelEvents(order, transfers, { ...facts, parcel, later }),
  }
}
