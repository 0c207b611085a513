/** Once a minute: ends, cancels and deletes what is over, in steps that hold no lock for long. */
import { DELIVERY_DAYS, MAX_KEPT_DELIVERIES, MAX_WAITING_DELIVERIES } from '#contract/webhooks.ts'
import type { Database, Tx } from '#server/platform/database/database.ts'
import {
  cancelUpTo,
  cancelWaiting,
  deleteDeliveriesOf,
  deleteOldDeliveries,
  deleteUpTo,
  endOverdue,
  endUnfinished,
  selectCrowded,
  selectOverfull,
} from './delivery-store.ts'
import {
  deleteEndpointRow,
  eraseOldSecrets,
  findDeleted,
  findOffWithWaiting,
} from './endpoint-store.ts'

/** Deliveries that one transaction changes. */
export const ROWS_AT_ONCE = 1_000
/** A process that ended during a test. */
const ONCE_MINUTES = 5
/** Longer than all tries of a message. */
const WAIT_DAYS = 4

type SweepOptions = { mostWaiting?: number; mostKept?: number; minute?: number }

/**
 * `mostWaiting`, `mostKept`: for one endpoint; the oldest beyond are canceled, and deleted. `minute`:
 * of now; what is kept is counted once an hour for each endpoint.
 */
export async function sweep(
  { database }: { database: Database },
  {
    mostWaiting = MAX_WAITING_DELIVERIES,
    mostKept = MAX_KEPT_DELIVERIES,
    minute = new Date().getUTCMinutes(),
  }: SweepOptions = {},
): Promise<void> {
  const { db, tx } = database
  await tx(inner => endUnfinished(inner, ONCE_MINUTES))
  await inSteps(database, (inner, most) => endOverdue(inner, WAIT_DAYS, most))
  await tx(inner => eraseOldSecrets(inner))
  // A process ended while it canceled them.
  for (let id = await findOffWithWaiting(db); id !== undefined; id = await findOffWithWaiting(db))
    await cancelAllOf(database, id)
  for (const { endpointId, lastId } of await selectCrowded(db, mostWaiting))
    await inSteps(database, (inner, most) => cancelUpTo(inner, endpointId, lastId, most))
  await inSteps(database, (inner, most) => deleteOldDeliveries(inner, DELIVERY_DAYS, most))
  for (const { endpointId, lastId } of await selectOverfull(db, mostKept, minute))
    await inSteps(database, (inner, most) => deleteUpTo(inner, endpointId, lastId, most))
  for (let id = await findDeleted(db); id !== undefined; id = await findDeleted(db)) {
    const endpointId = id
    await inSteps(database, (inner, most) => deleteDeliveriesOf(inner, endpointId, most))
    await tx(inner => deleteEndpointRow(inner, endpointId))
  }
}

/** What waits for an endpoint that is off. */
export const cancelAllOf = (database: Database, endpointId: number): Promise<void> =>
  inSteps(database, (inner, most) => cancelWaiting(inner, endpointId, most))

async function inSteps(
  { tx }: Database,
  step: (inner: Tx, most: number) => Promise<number>,
): Promise<void> {
  while ((await tx(inner => step(inner, ROWS_AT_ONCE))) > 0);
}
