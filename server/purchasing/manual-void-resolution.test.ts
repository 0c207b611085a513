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
async function createOpenVoid(simulation: Simulation, days: number): Promise<number> {
  await submitBatch(simulation, simulation.customerIds[0], [''])
  await runWorker(simulation)
  const [label] = await readLabels(simulation)
  await voidMany(
    simulation.customerCtx,
    {
      userId: simulation.customerIds[0],
      role: 'user',
      sessionId: 0,
      impersonatorId: null,
      key: null,
    },
    [label!.id],
  )
  await simulation.database.pool.query(
    `update shipment_order set void_requested_at = void_requested_at - $1 * interval '1 day',
    void_submitted_at = void_submitted_at - $1 * interval '1 day'`,
    [days],
  )
  expect((await readLabels(simulation))[0]!.state).toBe('voiding')
  return label!.id
}
const resolveVoid = (simulation: Simulation, id: number, resolution: 'paid-back' | 'refused') =>
  resolveVoidManually(simulation.ctx, simulation.operator, id, resolution, REASON)

test('a void resolved as paid back refunds the price once, after any number of clicks', () =>
  withSilentCarrier(async simulation => {
    const id = await createOpenVoid(simulation, 16)
    const clicks = await Promise.allSettled([
      resolveVoid(simulation, id, 'paid-back'),
      resolveVoid(simulation, id, 'refused'),
      resolveVoid(simulation, id, 'paid-back'),
    ])
    expect(clicks.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [label] = await readLabels(simulation)
    expect(['voided', 'purchased']).toContain(label!.state)
    expect(await walletOfCustomer(simulation)).toMatchObject({
      available: label!.state === 'voided' ? BALANCE : BALANCE - 650,
      held: 0,
    })
    expect(await auditEntries(simulation, 'void-ended')).toHaveLength(1)
  }))

test('a label whose void is resolved as paid back is voided; resolved as refused, it stays valid', () =>
  withSilentCarrier(async simulation => {
    const id = await createOpenVoid(simulation, 16)
    expect(await resolveVoid(simulation, id, 'refused')).toMatchObject({
      isAnswered: false,
      order: { state: 'purchased' },
    })
    expect((await readLabels(simulation))[0]).toMatchObject({
      state: 'purchased',
      refused: 'The carrier did not pay it back',
    })
    expect(await walletOfCustomer(simulation)).toMatchObject({ available: BALANCE - 650 })
    await simulation.database.pool.query(
      `update shipment_order set state = 'voiding', void_reason = null`,
    )
    expect(await resolveVoid(simulation, id, 'paid-back')).toMatchObject({
      isAnswered: false,
      order: { state: 'voided' },
    })
    expect(await walletOfCustomer(simulation)).toMatchObject({ available: BALANCE })
    expect(await auditEntries(simulation, 'void-ended')).toMatchObject([
      {
        actor: simulation.operator,
        subject: simulation.customerIds[0],
        detail: { orderId: id, outcome: 'refused', reason: REASON },
      },
      { detail: { outcome: 'paid-back' } },
    ])
  }))

test('a void cannot be resolved too early, and an answer of the carrier counts', () =>
  withSilentCarrier(async (simulation, carrier) => {
    const id = await createOpenVoid(simulation, 14)
    await expect(resolveVoid(simulation, id, 'refused')).rejects.toMatchObject(conflict('15 days'))
    await simulation.database.pool.query(
      `update shipment_order set void_submitted_at = now() - $1 * interval '1 ms'`,
      [16 * DAY_MS],
    )
    carrier.voids = { kind: 'voided' }
    expect(await resolveVoid(simulation, id, 'refused')).toMatchObject({
      isAnswered: true,
      order: { state: 'voided' },
    })
    expect(await walletOfCustomer(simulation)).toMatchObject({ available: BALANCE })
    expect(await auditEntries(simulation, 'void-ended')).toEqual([])
  }))
