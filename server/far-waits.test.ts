import { expect, test } from 'vitest'
import { claimDueInvoices } from '#server/payments/store.ts'
import { claimDue } from '#server/platform/mail/mail-store.ts'
import { pollParcels } from '#server/tracking/jobs.ts'
import { selectDue } from '#server/webhooks/delivery-store.ts'
import { claimDueEndpoints } from '#server/webhooks/endpoint-store.ts'
import { withSimulation } from '#tests/model/simulation.ts'
import {
  buyBatch,
  labelStates,
  trackingCarrier,
  voidLabel,
  withCarrier,
  workOnVoids,
} from '#tests/support/tracking-carrier.ts'
import { endFarWaits } from './far-waits-store.ts'

test('parcels are polled, and voids asked for, when the clock is set back by two days, but not before a wait that was asked for', () => {
  const carrier = trackingCarrier({ voidAnswer: () => ({ kind: 'submitted' }) })
  return withCarrier(carrier, async simulation => {
    const { database } = simulation
    const [voided, live, waiting] = await buyBatch(simulation, ['', '', ''])
    await voidLabel(simulation, voided!)
    const later = (table: string, column: string) =>
      database.owner.pool.query(
        `update ${table} set ${column} = clock_timestamp() + interval '2 days' where ${column} is not null`,
      )
    await later('shipment_order', 'run_after')
    await later('parcel_tracking', 'next_check_at')
    await database.owner.pool.query(
      `update parcel_tracking set next_check_at = clock_timestamp() + interval '23 hours' where order_id = $1`,
      [waiting],
    )
    const work = async () => {
      await workOnVoids(simulation)
      await pollParcels(simulation.ctx)
    }
    await work()
    expect(carrier.calls).toEqual([])
    expect(await labelStates(simulation, [voided!])).toEqual(['voiding'])

    carrier.voidAnswer = () => null
    await endFarWaits(database)
    await work()
    expect(carrier.calls).toContain(live)
    expect(carrier.calls).not.toContain(waiting)
    expect(await labelStates(simulation, [voided!])).toEqual(['voided'])
  })
})

test('emails and messages for webhooks go out when the clock is set back by two days, also those that a process was sending', () =>
  withSimulation({}, async ({ database, customerIds }) => {
    const late = "clock_timestamp() + interval '2 days'"
    const { rows } = await database.owner.pool.query<{ id: number }>(
      `with m as (
        insert into mail (message_id, kind, sealed, written, expires_at, next_attempt_at, lease_until)
          values (gen_random_uuid(), 'verify-email', 'x', true, now() + interval '9 days', ${late}, ${late})),
      e as (
        insert into webhook_endpoint (user_id, url, format, types, bulk_rows, secret, due_at, paused_until, lease_until)
          values ($1, 'https://example.com', 'standard', '{}', false, 'x', ${late}, ${late}, ${late}) returning id)
      insert into webhook_delivery (endpoint_id, message_id, type, body, state, next_try_at)
        select id, gen_random_uuid(), 'label.voided', '{}', 'waiting', ${late} from e returning endpoint_id as id`,
      [customerIds[0]],
    )
    const { db } = database
    const due = async () => ({
      mails: (await claimDue(db, 9, 9)).length,
      endpoints: (await claimDueEndpoints(db, { limit: 9, perUser: 9, leaseMs: 9, busy: [] }))
        .length,
      messages: (await selectDue(db, rows[0]!.id, 9)).length,
    })
    expect(await due()).toEqual({ mails: 0, endpoints: 0, messages: 0 })
    await endFarWaits(database)
    expect(await due()).toEqual({ mails: 1, endpoints: 1, messages: 1 })
  }))

test('a payment that is not confirmed is looked up when the clock is set back by two days', () =>
  withSimulation({}, async ({ database, customerIds }) => {
    const { rows } = await database.owner.pool.query<{ id: number }>(
      `insert into invoice (user_id, provider, external_id, status, paid_cents, expires_at, next_lookup_at)
        select $1::bigint, 'sandbox', status || paid, status, paid, now(), now() + interval '2 days'
          from (values ('Processing', 500), ('Settled', 500), ('Expired', 0)) v (status, paid) returning id`,
      [customerIds[0]],
    )
    await endFarWaits(database)
    expect(await database.tx(tx => claimDueInvoices(tx, 9))).toEqual([rows[0]!.id])
  }))

test('waits are searched with a plan for their times, not for any times', () =>
  withSimulation({}, async ({ database }) => {
    await endFarWaits(database)
    const { rows } = await database.pool.query(
      "select statement from pg_prepared_statements where statement like '%ctid = any%'",
    )
    expect(rows).toEqual([])
  }))
