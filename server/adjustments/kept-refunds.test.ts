import { expect, test } from 'vitest'
import { verifySession } from '#contract/accounts.ts'
import { applyAdjustments, setAdjustmentRule } from '#contract/adjustments.ts'
import { resolveVoid } from '#contract/manual-resolution.ts'
import { placeOrder } from '#contract/orders.ts'
import { voidOrder } from '#contract/voids.ts'
import { testApp } from '#tests/support/app.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { singleOrderBody } from '#tests/support/rows.ts'

const app = await testApp({ env: { REFUND_DELAY_DAYS: '5' } })
const { token: admin } = await app.admin()
await app.call(setAdjustmentRule, { body: { rule: 'pass_on', limit: null } }, admin)

test('of a used label whose refund the operator kept, the customer gets no credit for the carrier’s refund', async () => {
  const { user, token } = await app.register('Ana')
  await app.creditDollars(user._id, 50)
  const { data } = (await app.call(placeOrder, { body: singleOrderBody(user._id) }, token)).body
  const apply = (amount: number, id: string) => {
    const rows = [
      ['tracking_number', 'amount', 'id'],
      [data.trackingNumber!, String(amount), id],
    ]
    return app.call(applyAdjustments, { body: { fileName: 'c.csv', rows } }, admin)
  }
  const paid = async () => 50 - (await app.call(verifySession, {}, token)).body.user.balance
  const params = { orderId: data.orderId }
  expect((await app.call(voidOrder, { params }, token)).body.order.void).toBe('requested')
  await apply(2.25, 'weight')
  await apply(-6, 'refund of the void')
  await app.database.pool.query(
    `insert into parcel_tracking (order_id, user_id, status, next_check_at, scanned_after_void_at)
      select id, user_id, 'delivered', null, clock_timestamp() from shipment_order where id = $1
      on conflict (order_id) do update set scanned_after_void_at = excluded.scanned_after_void_at`,
    [data.orderId],
  )
  expect(await paid()).toBe(9.5)
  const body = { outcome: 'refused' as const, reason: 'Delivered after its void' }
  expect((await app.call(resolveVoid, { params, body }, admin)).status).toBe(200)
  expect(await paid()).toBe(9.5)
  // The carrier takes its refund back, and only the weight is left.
  await apply(6, 'charge for the use')
  expect(await paid()).toBe(11.75)
  const { rows } = await app.database.pool.query(
    `select sum(case kind when 'carrier_cost' then cents else -cents end)::int as cents
      from transfer where order_id = $1 and kind in ('carrier_cost', 'carrier_cost_back')`,
    [data.orderId],
  )
  expect(rows).toEqual([{ cents: 225 }])
  expect(await findDiscrepancies(app.database)).toEqual([])
})
