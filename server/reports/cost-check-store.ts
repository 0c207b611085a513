/** Newest labels of a service, to ask the carrier about their parcels again. */
import { sql } from 'kysely'
import type { Shipment } from '#server/carriers/port.ts'
import type { Db } from '#server/platform/database/database.ts'

/** `charged`: what the carrier charged for the label, in cents; null while it is not known. */
export type CheckedLabel = {
  shipment: Pick<Shipment, 'serviceUid' | 'sender' | 'receiver' | 'package'>
  charged: number | null
}

/** Newest first; without signatures and Saturday delivery, which cost tables do not contain. */
export async function selectNewestLabels(
  db: Db,
  uid: string,
  days: number,
  most: number,
): Promise<CheckedLabel[]> {
  const { rows } = await sql<CheckedLabel>`
    select jsonb_build_object('serviceUid', o.service_uid, 'sender', o.sender, 'receiver', o.receiver, 'package', o.package)
             as shipment, o.cost_cents as charged
      from (select * from shipment_order order by id desc limit ${NEWEST_ORDERS}) o
      where o.service_uid = ${uid} and o.state in ('purchased', 'voiding') and o.signature = 'none' and not o.saturday
        and o.purchased_at >= now() - make_interval(days => ${days}::int)
      order by o.id desc limit ${most}`.execute(db)
  return rows
}

/** Only the newest are searched: for a service that is rarely sold all orders would be read. */
const NEWEST_ORDERS = 50_000
