import { expect, test } from 'vitest'
import { selectVoidedScans } from '#server/admin/voided-scans-store.ts'
import { afterRestore } from '#server/after-restore.ts'
import { findViolations } from '#server/ledger/service.ts'
import { countOpenInOtherAccounts, hasOpenLabels } from '#server/orders/service.ts'
import { markRestored } from '#server/platform/backup/restore-state.ts'
import { checkLabelsAfterRestore } from '#server/purchasing/after-restore.ts'
import { resolveVoidManually } from '#server/purchasing/manual-resolution.ts'
import { pollParcels } from '#server/tracking/jobs.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { setCustomerBalance } from '#tests/model/simulation.ts'
import {
  availableCents,
  buyBatch,
  customer,
  DELAY_DAYS,
  delayingCarrier,
  labelStates,
  passDays,
  PRICE,
  trackingCarrier,
  trackingOf,
  voidLabel,
  withCarrier,
  workOnVoids,
} from '#tests/support/tracking-carrier.ts'
import { payDueRefunds } from './delayed-refunds.ts'
import { chargeScannedLabel, refundsOf } from './refunds.ts'
import { requeueVoids, voidOne } from './service.ts'

const refunds = async (simulation: Simulation) => {
  const page = { page: 1, limit: 10 }
  return (await refundsOf(simulation.ctx, simulation.customerIds[0], null, page)).refunds
}
const violations = ({ database }: Simulation) => findViolations(database.db)
const transfersOf = async ({ database }: Simulation, orderId: number) =>
  (
    await database.pool.query<{ kind: string }>(
      `select kind from transfer where order_id = $1 and kind = 'refund'`,
      [orderId],
    )
  ).rows.length

test('a refund waits the operator’s days after the carrier has confirmed, and then comes back once', async () => {
  await withCarrier(delayingCarrier(), async simulation => {
    const [id] = await buyBatch(simulation, ['', ''])
    const before = await availableCents(simulation)
    const { void: status, message } = await voidLabel(simulation, id!)
    expect(status).toBe('requested')
    expect(message).toMatch(
      /^The carrier has voided this label\. \$6\.50 comes back on \d{4}-\d\d-\d\d unless the label is scanned until then\.$/,
    )
    const [waiting] = await refunds(simulation)
    expect(waiting).toMatchObject({ state: 'pending', isStopped: false })
    const days = (waiting!.expectedAt!.getTime() - waiting!.requestedAt.getTime()) / 86_400_000
    expect(days).toBeCloseTo(DELAY_DAYS, 1)

    // Within the last hour, in which the parcel is looked at once more.
    await passDays(simulation, DELAY_DAYS - 0.02)
    await workOnVoids(simulation)
    expect(await availableCents(simulation)).toBe(before)
    expect(await violations(simulation)).toEqual([])

    await passDays(simulation, 1)
    await Promise.all([workOnVoids(simulation), workOnVoids(simulation)])
    await workOnVoids(simulation)
    expect(await availableCents(simulation)).toBe(before + PRICE)
    expect(await transfersOf(simulation, id!)).toBe(1)
    expect(await labelStates(simulation, [id!])).toEqual(['voided'])
    expect(await refunds(simulation)).toMatchObject([{ state: 'refunded', expectedAt: null }])
    expect(await violations(simulation)).toEqual([])
  })
})

test('a scan while the refund waits stops it, and the operator decides', async () => {
  const carrier = delayingCarrier()
  await withCarrier(carrier, async simulation => {
    const [used] = await buyBatch(simulation, [''])
    const before = await availableCents(simulation)
    await voidLabel(simulation, used!)
    carrier.statuses.set(used!, 'in_transit')
    await passDays(simulation, 1)
    await pollParcels(simulation.ctx)
    expect(await refunds(simulation)).toMatchObject([
      { state: 'pending', isStopped: true, expectedAt: null },
    ])
    expect((await selectVoidedScans(simulation.database.db, 0, 10)).rows).toMatchObject([
      { orderId: used, refundedAt: null },
    ])
    await passDays(simulation, 40)
    await workOnVoids(simulation)
    expect(await availableCents(simulation)).toBe(before)
    expect((await selectVoidedScans(simulation.database.db, 0, 10)).total).toBe(1)

    const decide = () =>
      resolveVoidManually(
        simulation.ctx,
        simulation.operator,
        used!,
        'paid-back',
        'Scanned in error',
      )
    expect((await decide()).order.state).toBe('voided')
    await expect(decide()).rejects.toThrow('This label has no open void')
    expect((await selectVoidedScans(simulation.database.db, 0, 10)).total).toBe(0)
    await expect(chargeScannedLabel(simulation.ctx, simulation.operator, used!)).rejects.toThrow(
      'an administrator gave its refund after the scan',
    )
    expect(await availableCents(simulation)).toBe(before + PRICE)
    expect(await transfersOf(simulation, used!)).toBe(1)
    expect(await violations(simulation)).toEqual([])
  })
})

test('a scan just before a refund came back by itself is still listed, and can be charged back', async () => {
  await withCarrier(delayingCarrier(), async simulation => {
    const { ctx, database, operator } = simulation
    const [used] = await buyBatch(simulation, [''])
    const before = await availableCents(simulation)
    await voidLabel(simulation, used!)
    await passDays(simulation, DELAY_DAYS)
    await workOnVoids(simulation)
    await database.pool.query(
      `update parcel_tracking p set scanned_after_void_at = o.voided_at - interval '1 second'
        from shipment_order o where o.id = p.order_id`,
    )
    expect((await selectVoidedScans(database.db, 0, 10)).rows).toMatchObject([{ orderId: used }])
    await chargeScannedLabel(ctx, operator, used!)
    expect(await availableCents(simulation)).toBe(before)
  })
})

test('the operator keeps the price of a label that was used: the customer reads why', async () => {
  const carrier = delayingCarrier()
  await withCarrier(carrier, async simulation => {
    const [used] = await buyBatch(simulation, [''])
    const before = await availableCents(simulation)
    await voidLabel(simulation, used!)
    const { operator, ctx } = simulation
    const keep = () =>
      resolveVoidManually(ctx, operator, used!, 'refused', 'Delivered after its void')
    await expect(keep()).rejects.toThrow(
      'The carrier has confirmed this void: its refund can be refused only once the label was scanned',
    )
    carrier.statuses.set(used!, 'delivered')
    await passDays(simulation, 1)
    await pollParcels(simulation.ctx)
    await keep()
    expect(await refunds(simulation)).toMatchObject([
      {
        state: 'refused',
        reason: 'The carrier scanned it after its void, so it was used',
        isStopped: false,
      },
    ])
    await passDays(simulation, DELAY_DAYS)
    await workOnVoids(simulation)
    expect(await availableCents(simulation)).toBe(before)
    expect((await selectVoidedScans(simulation.database.db, 0, 10)).total).toBe(0)
    expect(await violations(simulation)).toEqual([])
  })
})

test('a restore opens no void again whose refund an administrator has refused', async () => {
  let isSilent = false
  const carrier = trackingCarrier({
    refundDelayDays: DELAY_DAYS,
    voidAnswer: () =>
      isSilent ? { kind: 'unknown', code: 'TIMEOUT', message: 'There was no answer' } : null,
  })
  await withCarrier(carrier, async simulation => {
    const { ctx, database, operator } = simulation
    const [used, unanswered] = await buyBatch(simulation, ['', ''])
    const before = await availableCents(simulation)
    await voidLabel(simulation, used!)
    isSilent = true
    await voidLabel(simulation, unanswered!)
    carrier.statuses.set(used!, 'delivered')
    await passDays(simulation, 1)
    await pollParcels(ctx)
    await database.pool.query(
      `update shipment_order set void_requested_at = void_requested_at - interval '2 days'`,
    )
    for (const id of [used!, unanswered!])
      await resolveVoidManually(ctx, operator, id, 'refused', 'Was used')

    isSilent = false
    await markRestored(database)
    await afterRestore(database)
    const { lookup } = ctx.carrier
    const reporting: typeof lookup = async (...args) => {
      const found = await lookup(...args)
      return found.found === 'purchased'
        ? { ...found, purchase: { ...found.purchase, isVoided: true } }
        : found
    }
    await checkLabelsAfterRestore({ ...ctx, carrier: { ...ctx.carrier, lookup: reporting } })
    await workOnVoids(simulation)
    await passDays(simulation, DELAY_DAYS)
    await workOnVoids(simulation)
    expect(await labelStates(simulation, [used!, unanswered!])).toEqual(['purchased', 'purchased'])
    expect((await refunds(simulation)).map(({ state }) => state)).toEqual(['refused', 'refused'])
    expect(await availableCents(simulation)).toBe(before)
  })
})

test('a label whose refund was refused is valid again, and its parcel is followed to its delivery', async () => {
  const carrier = delayingCarrier()
  await withCarrier(carrier, async simulation => {
    const [used] = await buyBatch(simulation, [''])
    await voidLabel(simulation, used!)
    carrier.statuses.set(used!, 'in_transit')
    await passDays(simulation, 1)
    await pollParcels(simulation.ctx)
    await resolveVoidManually(
      simulation.ctx,
      simulation.operator,
      used!,
      'refused',
      'It was used after its void',
    )
    expect(await labelStates(simulation, [used!])).toEqual(['purchased'])
    carrier.statuses.set(used!, 'delivered')
    await pollParcels(simulation.ctx)
    expect(await trackingOf(simulation, used!)).toMatchObject({
      status: 'delivered',
      in_hours: null,
    })
  })
})

test('a refund that waits asks no carrier again, survives a restore, and keeps its account from being deleted', async () => {
  await withCarrier(delayingCarrier(), async simulation => {
    const { ctx, database, customerIds } = simulation
    const [id] = await buyBatch(simulation, [''])
    const before = await availableCents(simulation)
    await voidLabel(simulation, id!)
    const calls = async () =>
      (await database.pool.query(`select 1 from carrier_call where act = 'void'`)).rows.length
    expect(await calls()).toBe(1)
    await database.tx(tx => requeueVoids(tx))
    await passDays(simulation, 1)
    await workOnVoids(simulation)
    expect(await calls()).toBe(1)
    expect(await availableCents(simulation)).toBe(before)
    expect(await hasOpenLabels(database.db, customerIds[0])).toBe(true)
    expect(await countOpenInOtherAccounts(database.db, null)).toEqual([])

    await passDays(simulation, DELAY_DAYS)
    const dying: typeof database.tx = async () => {
      throw new Error('the process dies')
    }
    await expect(payDueRefunds({ ...ctx, database: { ...database, tx: dying } })).rejects.toThrow()
    await workOnVoids(simulation)
    expect(await availableCents(simulation)).toBe(before + PRICE)
    expect(await hasOpenLabels(database.db, customerIds[0])).toBe(false)
  })
})

test('a refund that is overdue after a restore waits a day, in which its scan may be seen again', async () => {
  await withCarrier(delayingCarrier(), async simulation => {
    const { database } = simulation
    const [id] = await buyBatch(simulation, [''])
    const before = await availableCents(simulation)
    await voidLabel(simulation, id!)
    await passDays(simulation, DELAY_DAYS + 1)
    await database.tx(tx => requeueVoids(tx))
    await workOnVoids(simulation)
    expect(await availableCents(simulation)).toBe(before)
    await passDays(simulation, 1.1)
    await workOnVoids(simulation)
    expect(await availableCents(simulation)).toBe(before + PRICE)
    expect(await violations(simulation)).toEqual([])
  })
})

test('a delay that is switched off later lets refunds that wait keep their day', async () => {
  await withCarrier(delayingCarrier(), async simulation => {
    const [first, second] = await buyBatch(simulation, ['', ''])
    await setCustomerBalance(simulation, simulation.customerIds[0], 0)
    await voidLabel(simulation, first!)
    const off = { ...simulation.ctx, config: { ...simulation.ctx.config, refundDelayDays: 0 } }
    await voidOne(off, customer(simulation), second!)
    await payDueRefunds(off)
    expect(await labelStates(simulation, [first!, second!])).toEqual(['voiding', 'voided'])
    await passDays(simulation, DELAY_DAYS)
    await workOnVoids({ ctx: off })
    expect(await availableCents(simulation)).toBe(2 * PRICE)
  })
})

test('after a restore without a delay a void is given back at once, and its scan is told again and charged back', async () => {
  // The backup was made before the confirmation and the scan; the delay of then is switched off.
  let isSilent = true
  const carrier = trackingCarrier({
    voidAnswer: () =>
      isSilent ? { kind: 'unknown', code: 'TIMEOUT', message: 'There was no answer' } : null,
  })
  await withCarrier(carrier, async simulation => {
    const { ctx, database, operator } = simulation
    const [used] = await buyBatch(simulation, [''])
    const before = await availableCents(simulation)
    await voidLabel(simulation, used!)
    isSilent = false
    carrier.statuses.set(used!, 'in_transit')
    await database.tx(tx => requeueVoids(tx))
    await workOnVoids(simulation)
    expect(await availableCents(simulation)).toBe(before + PRICE)

    await passDays(simulation, 1)
    await pollParcels(ctx)
    expect((await selectVoidedScans(database.db, 0, 10)).rows).toMatchObject([{ orderId: used }])
    await chargeScannedLabel(ctx, operator, used!)
    expect(await availableCents(simulation)).toBe(before)
    expect(await violations(simulation)).toEqual([])
  })
})

test('a void that the carrier confirms while an administrator refuses its refund keeps its refund', async () => {
  let isSilent = true
  const carrier = trackingCarrier({
    refundDelayDays: DELAY_DAYS,
    voidAnswer: () =>
      isSilent ? { kind: 'unknown', code: 'TIMEOUT', message: 'There was no answer' } : null,
  })
  await withCarrier(carrier, async simulation => {
    const [id] = await buyBatch(simulation, [''])
    const before = await availableCents(simulation)
    await voidLabel(simulation, id!)
    await simulation.database.pool.query(
      `update shipment_order set void_requested_at = void_requested_at - interval '2 days' where id = $1`,
      [id],
    )
    isSilent = false
    const { order, isAnswered } = await resolveVoidManually(
      simulation.ctx,
      simulation.operator,
      id!,
      'refused',
      'No answer for a day',
    )
    expect({ state: order.state, isAnswered }).toEqual({ state: 'voiding', isAnswered: true })
    await passDays(simulation, DELAY_DAYS)
    await workOnVoids(simulation)
    expect(await availableCents(simulation)).toBe(before + PRICE)
    expect(await violations(simulation)).toEqual([])
  })
})
