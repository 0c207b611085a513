import { Readable } from 'node:stream'
import { allOrders, checkOrder, orderStory, ordersCsv } from '#contract/admin.ts'
import type { AdminOrder, Step } from '#contract/admin.ts'
import { dollars } from '#contract/money.ts'
import { PRODUCT } from '#contract/product.ts'
import { personWire } from '#server/accounts/wire.ts'
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
  const storyWire = (story: Story) => ({ order: adminOrderWire(story, sandbox), timeline: story.timeline.map(stepWire) })

  door.answer(allOrders, async ({ query: { page, limit, ...filter } }) => {
    const { found, total, more } = await ordersPage(db, filter, page, limit)
    return { orders: found.map(one => adminOrderWire(one, sandbox)), totalCount: total, more }
  })

  door.answer(ordersCsv, async ({ query, again, reply }) => {
    const parts = await ordersFile(db, query, again)
    const today = new Date().toISOString().slice(0, 10)
    return reply.type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${PRODUCT.toLowerCase()}-labels-${today}.csv"`)
      .header('content-security-policy', "default-src 'none'; sandbox").send(Readable.from(parts))
  })

  door.answer(orderStory, async ({ params }) => storyWire(await storyOf(db, Number(params.orderId))))

  door.answer(checkOrder, async ({ params, caller }) => {
    const story = await checkNow(house, caller.actorId ?? caller.userId, Number(params.orderId))
    return { ok: true, message: heard(story.order), ...storyWire(story) }
  })
}

/** What the administrator reads when the carrier was asked. */
function heard({ state, voidReason }: OrderRecord): string {
  switch (state) {
    case 'purchased': return voidReason === null ? 'The carrier sold this label' : 'The carrier refused to void this label'
    case 'failed': return 'The carrier did not sell this label; the money is given back'
    case 'queued': case 'purchasing': return 'The carrier did not sell this label; it is bought anew'
    case 'voided': return 'The carrier voided this label; the money is paid back'
    default: return 'The carrier has not said yet; it will be asked again'
  }
}

const adminOrderWire = ({ order, user, cost }: FoundOrder, sandbox: boolean): AdminOrder => ({
  ...orderWire(order, sandbox), state: order.state, user: personWire(user), cost: cost === null ? null : dollars(cost),
  purchasedAt: order.purchasedAt?.toISOString() ?? null, voidedAt: order.voidedAt?.toISOString() ?? null,
})

const stepWire = ({ at, kind, text, amount, by, detail }: StoryStep): Step => ({
  at: at.toISOString(), kind, text, ...(amount !== undefined && { amount: dollars(amount) }), ...(by && { by: personWire(by) }),
  ...(detail !== undefined && { detail }),
})
