import { MAX_TRACKING_CODES } from '#contract/easypost-bodies.ts'
import * as calls from '#contract/easypost.ts'
import { refuseField } from '#server/platform/http/refusal.ts'
import type { Router } from '#server/platform/http/router.ts'
import { trackerContext } from './context.ts'
import type { EasypostContext } from './context.ts'
import { selectBoughtLabelPage, selectIdPage } from './pages-store.ts'
import { pageRequest, pageRequestOf } from './paging.ts'
import { createRefunds, findRefunds, getRefund } from './refunds.ts'
import type { RefundWithOrder } from './refunds.ts'
import { assertOwnCarrier } from './rules.ts'
import {
  findLabels,
  getTracker,
  knownTrackersOf,
  orderIdOfTracker,
  trackersOf,
} from './trackers.ts'
import type { LabelWithShipment } from './trackers.ts'
import { refundWire, trackerWire } from './wire.ts'

/** A list, or texts with commas. */
function codesOf(given: string | string[] | null | undefined): string[] {
  const list = [given ?? []].flat().flatMap(text => text.split(','))
  const codes = [...new Set(list.map(code => code.trim()).filter(code => code !== ''))]
  if (codes.length > MAX_TRACKING_CODES)
    throw refuseField('tracking_codes', 'too_many', `At most ${MAX_TRACKING_CODES} tracking codes`)
  return codes
}

export function registerTrackerRoutes(router: Router, ctx: EasypostContext): void {
  const { db } = ctx.database
  const tracker = trackerContext(ctx)
  const wire = ({ order, shipmentKey }: LabelWithShipment) =>
    trackerWire(tracker, order, shipmentKey)

  router.handle(calls.easypostCreateTracker, async ({ body, caller }) => {
    assertOwnCarrier(body?.tracker?.carrier)
    const codes = codesOf(body?.tracker?.tracking_code)
    const [found] = await trackersOf(db, caller.userId, codes.slice(0, 1))
    return wire(found!)
  })

  router.handle(calls.easypostTrackersOf, async ({ body, caller }) => {
    const found = await trackersOf(db, caller.userId, codesOf(body?.tracking_codes))
    return { trackers: found.map(wire), has_more: false }
  })

  router.handle(calls.easypostTrackers, async ({ query, caller }) => {
    const { userId } = caller
    const codes = codesOf(query.tracking_codes)
    if (codes.length > 0) {
      const found = await knownTrackersOf(db, userId, codes)
      return { trackers: found.map(wire), has_more: false }
    }
    const request = await pageRequest(query, id => orderIdOfTracker(db, userId, id))
    const { ids, hasMore } = await selectBoughtLabelPage(db, userId, request)
    return { trackers: (await findLabels(db, ids)).map(wire), has_more: hasMore }
  })

  router.handle(calls.easypostTracker, async ({ params, caller }) =>
    wire(await getTracker(db, caller.userId, params.id)),
  )
}

export function registerRefundRoutes(router: Router, ctx: EasypostContext): void {
  const { db } = ctx.database
  const wire = ({ refund, order, shipmentKey }: RefundWithOrder) =>
    refundWire(refund, order, shipmentKey)

  router.handle(calls.easypostCreateRefunds, async ({ body, caller }) => {
    assertOwnCarrier(body?.refund?.carrier)
    return (await createRefunds(ctx, caller, codesOf(body?.refund?.tracking_codes))).map(wire)
  })

  router.handle(calls.easypostRefunds, async ({ query, caller }) => {
    const { userId } = caller
    const request = await pageRequestOf('rfnd', db, userId, query)
    const { ids, hasMore } = await selectIdPage(db, 'api_refund', userId, request)
    return { refunds: (await findRefunds(db, ids)).map(wire), has_more: hasMore }
  })

  router.handle(calls.easypostRefund, async ({ params, caller }) =>
    wire(await getRefund(db, caller.userId, params.id)),
  )
}
