import { expect, test } from 'vitest'
import { voidMany } from '#server/voids/service.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import {
  BALANCE,
  DAY_MS,
  REASON,
  auditEntries,
  conflict,
  readLabels,
  runWorker,
  walletOfCustomer,
  withSilentCarrier,
} from '#tests/support/silent-carrier.ts'
import { resolveVoidManually } from './manual-resolution.ts'

/** A label whose void the carrier accepted `days` days ago. */
async function createOpenVoid(place: Simulation, days: number): Promise<number> {
  await submitBatch(place, place.customerIds[0], [''])
  await runWorker(place)
  const [label] = await readLabels(place)
  await voidMany(
    place.customerCtx,
    { userId: place.customerIds[0], role: 'user', sessionId: 0, impersonatorId: null },
    [label!.id],
  )
  await place.database.pool.query(
    `update shipment_order set void_requested_at = void_requested_at - $1 * interval '1 day',
    void_submitted_at = void_submitted_at - $1 * interval '1 day'`,
    [days],
  )
  expect((await readLabels(place))[0]!.state).toBe('voiding')
  return label!.id
}
const resolveVoid = (place: Simulation, id: number, resolution: 'paid-back' | 'refused') =>
  resolveVoidManually(place.ctx, place.operator, id, resolution, REASON)

test('a void resolved as paid back refunds the price once, after any number of clicks', () =>
  withSilentCarrier(async place => {
    const id = await createOpenVoid(place, 16)
    const clicks = await Promise.allSettled([
      resolveVoid(place, id, 'paid-back'),
      resolveVoid(place, id, 'refused'),
      resolveVoid(place, id, 'paid-back'),
    ])
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [label] = await readLabels(place)
    expect(['voided', 'purchased']).toContain(label!.state)
    expect(await walletOfCustomer(place)).toMatchObject({
      available: label!.state === 'voided' ? BALANCE : BALANCE - 650,
      held: 0,
    })
    expect(await auditEntries(place, 'void-ended')).toHaveLength(1)
  }))

test('a label whose void is resolved as paid back is voided; resolved as refused, it stays valid', () =>
  withSilentCarrier(async place => {
    const id = await createOpenVoid(place, 16)
    expect(await resolveVoid(place, id, 'refused')).toMatchObject({
      isAnswered: false,
      order: { state: 'purchased' },
    })
    expect((await readLabels(place))[0]).toMatchObject({
      state: 'purchased',
      refused: 'The carrier did not pay it back',
    })
    expect(await walletOfCustomer(place)).toMatchObject({ available: BALANCE - 650 })
    await place.database.pool.query(
      `update shipment_order set state = 'voiding', void_reason = null`,
    )
    expect(await resolveVoid(place, id, 'paid-back')).toMatchObject({
      isAnswered: false,
      order: { state: 'voided' },
    })
    expect(await walletOfCustomer(place)).toMatchObject({ available: BALANCE })
    expect(await auditEntries(place, 'void-ended')).toMatchObject([
      {
        actor: place.operator,
        subject: place.customerIds[0],
        detail: { orderId: id, outcome: 'refused', reason: REASON },
      },
      { detail: { outcome: 'paid-back' } },
    ])
  }))

test('a void cannot be resolved too early, and an answer of the carrier counts', () =>
  withSilentCarrier(async (place, carrier) => {
    const id = await createOpenVoid(place, 14)
    await expect(resolveVoid(place, id, 'refused')).rejects.toMatchObject(conflict('15 days'))
    await place.database.pool.query(
      `update shipment_order set void_submitted_at = now() - $1 * interval '1 ms'`,
      [16 * DAY_MS],
    )
    carrier.voids = { kind: 'voided' }
    expect(await resolveVoid(place, id, 'refused')).toMatchObject({
      isAnswered: true,
      order: { state: 'voided' },
    })
    expect(await walletOfCustomer(place)).toMatchObject({ available: BALANCE })
    expect(await auditEntries(place, 'void-ended')).toEqual([])
  }))
