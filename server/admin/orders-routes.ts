import { Readable } from 'node:stream'
import { allOrders, checkOrder, orderStory, ordersCsv } from '#contract/admin.ts'
import type { AdminOrder, Step } from '#contract/admin.ts'
import { endLabel, endVoid } from '#contract/by-hand.ts'
import { dollars, fromDollars } from '#contract/money.ts'
import { PRODUCT } from '#contract/product.ts'
import { personWire } from '#server/accounts/wire.ts'
import { endLabelByHand, endVoidByHand, handOf } from '#server/orders/by-hand.ts'
import type { Ended, LabelWord } from '#server/orders/by-hand.ts'
import type { WithOrders } from '#server/orders/settle.ts'
import type { OrderRecord } from '#server/orders/store.ts'
import { orderWire } from '#server/orders/wire.ts'
import type { Door } from '#server/platform/http.ts'
import { checkNow, ordersFile, ordersPage, storyOf } from './orders-service.ts'
import type { Story } from './orders-service.ts'
import type { FoundOrder } from './orders-store.ts'
import type { StoryStep } from './story.ts'

export function orderAdminRoutes(door: Door, house: WithOrders): void {
  const { db } = house.database
  const sandbox = house.config.mode === 'sandbox'
  const storyWire = async (story: Story) => {
    const { hand, otherAccount } = await handOf(house, story.order.id)
    return {
      order: adminOrderWire(story, sandbox),
      timeline: story.timeline.map(stepWire),
      otherAccount,
      hand: hand && { what: hand.what, from: hand.from.toISOString() },
    }
  }

  door.answer(allOrders, async ({ query: { page, limit, ...filter } }) => {
    const { found, total, more } = await ordersPage(db, filter, page, limit)
    return { orders: found.map(one => adminOrderWire(one, sandbox)), totalCount: total, more }
  })

  door.answer(ordersCsv, async ({ query, again, reply }) => {
    const parts = await ordersFile(db, query, again)
    const today = new Date().toISOString().slice(0, 10)
    return reply
      .type('text/csv; charset=utf-8')
      .header(
        'content-disposition',
        `attachment; filename="${PRODUCT.toLowerCase()}-labels-${today}.csv"`,
      )
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(Readable.from(parts))
  })

  door.answer(
    orderStory,
    async ({ params }) => await storyWire(await storyOf(db, Number(params.orderId))),
  )

  door.answer(checkOrder, async ({ params, caller }) => {
    const story = await checkNow(house, caller.actorId ?? caller.userId, Number(params.orderId))
    return { ok: true, message: heard(story.order), ...(await storyWire(story)) }
  })

  door.answer(endLabel, async ({ params, body, caller }) => {
    const { outcome, trackingNumber = '', cost, reason } = body
    const word: LabelWord =
      outcome === 'not-sold'
        ? { outcome }
        : { outcome, trackingNumber, cost: cost === undefined ? null : fromDollars(cost) }
    return ended(
      await endLabelByHand(
        house,
        caller.actorId ?? caller.userId,
        Number(params.orderId),
        word,
        reason,
      ),
    )
  })

  door.answer(endVoid, async ({ params, body, caller }) =>
    ended(
      await endVoidByHand(
        house,
        caller.actorId ?? caller.userId,
        Number(params.orderId),
        body.outcome,
        body.reason,
      ),
    ),
  )

  async function ended({ order, isAnswered }: Ended) {
    const message = isAnswered
      ? `The carrier has answered after all, and its word counts: ${lowerFirst(heard(order))}`
      : done(order)
    return { ok: true as const, message, ...(await storyWire(await storyOf(db, order.id))) }
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** What the administrator reads when his word was taken. */
function done({ state }: OrderRecord): string {
  switch (state) {
    case 'failed':
      return 'Ended as not sold; the money is given back'
    case 'voided':
      return 'Ended as paid back; the customer has the money'
    case 'purchased':
      return 'Ended; the label is good'
    default:
      return 'Ended by hand'
  }
}

/** What the administrator reads when the carrier was asked. */
function heard({ state, voidReason }: OrderRecord): string {
  switch (state) {
    case 'purchased':
      return voidReason === null
        ? 'The carrier sold this label'
        : 'The carrier refused to void this label'
    case 'failed':
      return 'The carrier did not sell this label; the money is given back'
    case 'queued':
    case 'purchasing':
      return 'The carrier did not sell this label; it is bought anew'
    case 'voided':
      return 'The carrier voided this label; the money is paid back'
    default:
      return 'The carrier has not said yet; it will be asked again'
  }
}

const adminOrderWire = ({ order, user, cost }: FoundOrder, sandbox: boolean): AdminOrder => ({
  ...orderWire(order, sandbox),
  state: order.state,
  user: personWire(user),
  cost: cost === null ? null : dollars(cost),
  purchasedAt: order.purchasedAt?.toISOString() ?? null,
  voidedAt: order.voidedAt?.toISOString() ?? null,
})

const stepWire = ({ at, kind, text, amount, by, detail }: StoryStep): Step => ({
  at: at.toISOString(),
  kind,
  text,
  ...(amount !== undefined && { amount: dollars(amount) }),
  ...(by && { by: personWire(by) }),
  ...(detail !== undefined && { detail }),
})
