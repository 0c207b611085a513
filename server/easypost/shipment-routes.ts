import * as calls from '#contract/easypost.ts'
import { refuseField } from '#server/platform/http/refusal.ts'
import type { Router } from '#server/platform/http/router.ts'
import { requestOfHeader } from '#server/purchasing/reservation.ts'
import {
  buyDraftOnce,
  buyShipment,
  findBoughtBefore,
  postageExists,
  rateOfId,
  rateOfService,
} from './buy.ts'
import { latestDay, modeOf, wireContext } from './context.ts'
import type { EasypostContext } from './context.ts'
import { selectBoughtShipmentPage, selectIdPage } from './pages-store.ts'
import { pageRequestOf } from './paging.ts'
import { refundShipment } from './refunds.ts'
import { assertSold, parseLabelFormat } from './rules.ts'
import type { LabelFileFormat } from './rules.ts'
import { createShipment, findShipments, getShipment, rerate } from './shipments.ts'
import type { ShipmentWithOrder } from './shipments.ts'
import { isBought, rateWire, shipmentWire } from './wire.ts'

export function registerShipmentRoutes(router: Router, ctx: EasypostContext): void {
  registerDrafts(router, ctx)
  registerPurchases(router, ctx)
}

/** EasyPost's client for Python writes False. */
const isNo = (text: string | undefined): boolean =>
  text !== undefined && ['false', '0'].includes(text.toLowerCase())

const wireOf =
  (ctx: EasypostContext) =>
  ({ shipment, order }: ShipmentWithOrder, format?: LabelFileFormat) =>
    shipmentWire(wireContext(ctx), shipment, order, latestDay, format)

function registerDrafts(router: Router, ctx: EasypostContext): void {
  const { db } = ctx.database
  const mode = modeOf(ctx)
  const wire = wireOf(ctx)

  router.handle(calls.easypostCreateShipment, async ({ body, caller, request }) => {
    const input = body?.shipment
    const service = input?.service?.trim() ?? ''
    const key = request.headers['idempotency-key']
    const keyed = service === '' ? undefined : requestOfHeader(caller.userId, key, input)
    // Before it is rated: what the first call bought may not be for sale any more.
    const before = keyed && (await findBoughtBefore(ctx, caller.userId, keyed))
    if (before) return wire(before)
    const shipment = await createShipment(ctx, caller.userId, input)
    if (service === '') return wire({ shipment, order: null })
    const rate = rateOfService(shipment, service)
    return wire(
      keyed
        ? await buyDraftOnce(ctx, caller, shipment, rate, keyed)
        : await buyShipment(ctx, caller, { shipment, order: null }, rate),
    )
  })

  router.handle(calls.easypostShipments, async ({ query, caller }) => {
    const { userId } = caller
    const request = await pageRequestOf('shp', db, userId, query)
    const { ids, hasMore } = await (isNo(query.purchased)
      ? selectIdPage(db, 'api_shipment', userId, request)
      : selectBoughtShipmentPage(db, userId, request))
    const shipments = await findShipments(db, ids)
    return { shipments: shipments.map(one => wire(one)), has_more: hasMore }
  })

  router.handle(calls.easypostShipment, async ({ params, caller }) =>
    wire(await getShipment(db, caller.userId, params.id)),
  )

  router.handle(calls.easypostRerate, async ({ params, caller }) => {
    const shipment = await rerate(ctx, caller.userId, params.id)
    return { rates: shipment.rates.offers.map(rate => rateWire(mode, shipment, rate, latestDay)) }
  })
}

function registerPurchases(router: Router, ctx: EasypostContext): void {
  const { db } = ctx.database
  const wire = wireOf(ctx)

  router.handle(calls.easypostBuy, async ({ params, body, caller }) => {
    const found = await getShipment(db, caller.userId, params.id)
    if (isBought(found.order)) throw postageExists()
    assertSold({ insurance: body?.insurance })
    return wire(await buyShipment(ctx, caller, found, rateOfId(found.shipment, body?.rate?.id)))
  })

  router.handle(calls.easypostLabel, async ({ params, query, caller }) => {
    const found = await getShipment(db, caller.userId, params.id)
    const format = parseLabelFormat(query.file_format, 'file_format')
    if (!isBought(found.order))
      throw refuseField('file_format', 'batch_label_unavailable', 'The shipment was not bought')
    const { formats } = wireContext(ctx)
    if (format !== undefined && !formats.includes(format))
      throw refuseField(
        'file_format',
        'not_a_choice',
        `The carrier makes labels as ${formats.map(one => one.toUpperCase()).join(', ')}`,
      )
    return wire(found, format)
  })

  router.handle(calls.easypostRefundShipment, async ({ params, caller }) =>
    wire(await refundShipment(ctx, caller, params.id)),
  )
}
