import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { backOffMs } from '#server/carriers/rules.ts'
import { retryAfterMs } from '#server/carriers/wire/http.ts'
import { claimQuotes } from '#server/catalogue/quotes-store.ts'
import { LABEL_FILE_LEASE_MS } from '#server/labels/carrier-label-file.ts'
import { LABEL_LEASE_MS } from '#server/orders/rules.ts'
import { claimDueInvoices } from '#server/payments/store.ts'
import { claimDue } from '#server/platform/mail/mail-store.ts'
import { retryDelayMs } from '#server/platform/mail/rules.ts'
import { verdictOnLookup } from '#server/purchasing/rules.ts'
import { pollParcels } from '#server/tracking/jobs.ts'
import { FIRST_POLL_MS, nextPollMs, pollRetryMs, VOIDED_POLL_MS } from '#server/tracking/rules.ts'
import { verdictOnVoid } from '#server/voids/rules.ts'
import { selectDue } from '#server/webhooks/delivery-store.ts'
import { claimDueEndpoints } from '#server/webhooks/endpoint-store.ts'
import { ENDPOINT_LEASE_MS } from '#server/webhooks/lane.ts'
import { MAX_TRIES, nextStep } from '#server/webhooks/rules.ts'
import { withSimulation } from '#tests/model/simulation.ts'
import {
  buyBatch,
  labelStates,
  trackingCarrier,
  voidLabel,
  withCarrier,
  workOnVoids,
} from '#tests/support/tracking-carrier.ts'
import { endFarWaits, WAITS } from './far-waits-store.ts'

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

test('a price is asked for again when the clock is set back by two days while it was being asked', () =>
  withSimulation({}, async ({ database }) => {
    await database.owner.pool.query(
      `insert into carrier_quote (account, parcel, asked_by, asked_at, asking_until)
        select 'own', parcel, 1, asked_at, asked_at + interval '15 seconds'
          from (values ('stuck', now() + interval '2 days'), ('asked', now())) v (parcel, asked_at)`,
    )
    await endFarWaits(database)
    const asked = { userId: 1, most: 9, leaseMs: 9 }
    const claims = await database.tx(tx => claimQuotes(tx, 'own', ['asked', 'stuck'], asked))
    expect(claims.map(({ parcel }) => parcel)).toEqual(['stuck'])
  }))

const MINUTE_MS = 60_000
const UNITS_MS: Record<string, number> = { minute: 1, hour: 60, day: 24 * 60 }
const inMs = (interval: string): number => {
  const [count, unit = ''] = interval.split(' ')
  return Number(count) * UNITS_MS[unit.replace(/s$/, '')]! * MINUTE_MS
}

/** Of a constant that only its module uses, such as '5 * MINUTE_MS'. */
function constantIn(file: string, name: string): number {
  const source = readFileSync(new URL(file, import.meta.url), 'utf8')
  const valueOf = (text: string): number =>
    text
      .split(' * ')
      .map(part => {
        const value = new RegExp(`\\b${part}(?: =|:) ([\\dA-Z_ *]+)`).exec(source)?.[1]
        return value === undefined ? Number(part.replaceAll('_', '')) : valueOf(value)
      })
      .reduce((product, factor) => product * factor)
  return valueOf(name)
}

const waitOf = (step: object): number => ('waitMs' in step ? Number(step.waitMs) : 0)
const asked = retryAfterMs(new Headers({ 'retry-after': '99999999' }), 0)
const tried = { outcome: 'refused', status: 429, answer: null, retryAfterMs: 1e15 } as const
const webhookWaits = Array.from({ length: MAX_TRIES - 1 }, (_, tries) =>
  waitOf(nextStep({ ...tried, at: 0, durationMs: 0 }, tries + 1, 1)),
)

/** The longest waits of the modules, in ms; those in SQL stand beside their statements. */
const LONGEST: Record<string, number[]> = {
  'shipment_order.run_after 10 minutes': [
    LABEL_LEASE_MS,
    waitOf(verdictOnLookup({ found: 'unknown' }, { unknownMs: 1e9 }, 0, true)),
  ],
  'shipment_order.run_after 1 hour': [
    waitOf(verdictOnVoid({ kind: 'submitted' }, { attempt: 99, unansweredMs: null }, 0)),
    backOffMs(99, asked),
  ],
  'parcel_tracking.next_check_at 1 day': [
    FIRST_POLL_MS,
    nextPollMs({ status: 'unknown' }, 0, true)!,
    pollRetryMs(99, 0)!,
  ],
  'parcel_tracking.void_check_at 1 day': [
    VOIDED_POLL_MS,
    constantIn('voids/unused-labels.ts', 'AUTO_VOID_LEASE_MS'),
  ],
  'carrier_label_file.run_after 6 hours': [
    LABEL_FILE_LEASE_MS,
    constantIn('purchasing/label-files.ts', 'LONGEST_WAIT_MS'),
    constantIn('purchasing/label-files.ts', 'OTHER_ACCOUNT_WAIT_MS'),
  ],
  'bought_before_restore.next_check_at 6 hours': [
    constantIn('purchasing/after-restore.ts', 'CHECK_LEASE_MS'),
  ],
  'scan_form.run_after 1 hour': [
    constantIn('manifests/making.ts', 'LEASE_WITHOUT_LOOKUP_MS'),
    backOffMs(99, asked),
  ],
  'batch.work_lease_until 10 minutes': [
    constantIn('batches/close.ts', 'FILES_LEASE_MS'),
    constantIn('batches/close.ts', 'FILES_RETRY_MS'),
  ],
  'api_shipment.buy_after 10 minutes': [constantIn('easypost/buy-jobs.ts', 'LEASE_MS')],
  'carrier_quote.asking_until 10 minutes': [
    constantIn('catalogue/live-prices.ts', 'PATIENCE_MS')
      + constantIn('catalogue/live-prices.ts', 'LEASE_MARGIN_MS'),
  ],
  'mail.next_attempt_at 10 minutes': [retryDelayMs(99, 'busy'), retryDelayMs(99, 'unreachable')],
  'mail.lease_until 10 minutes': [constantIn('platform/mail/sender.ts', 'leaseMs')],
  'webhook_delivery.next_try_at 27 hours': webhookWaits,
  'webhook_endpoint.paused_until 1 day': [constantIn('webhooks/rules.ts', 'MAX_RETRY_AFTER_MS')],
  'webhook_endpoint.due_at 27 hours': webhookWaits,
  'webhook_endpoint.lease_until 10 minutes': [ENDPOINT_LEASE_MS],
}

test('no module waits for longer than the list of waits says', () => {
  const known = WAITS.map(([table, column, , longest]) => `${table}.${column} ${longest}`)
  const unknown = Object.keys(LONGEST).filter(wait => !known.includes(wait))
  expect(unknown).toEqual([])
  for (const [wait, longest] of Object.entries(LONGEST)) {
    const most = inMs(wait.split(' ').slice(1).join(' '))
    for (const ms of longest) {
      expect(ms, wait).toBeGreaterThan(0)
      expect(ms, wait).toBeLessThanOrEqual(most)
    }
  }
})

test('waits are searched with a plan for their times, not for any times', () =>
  withSimulation({}, async ({ database }) => {
    await endFarWaits(database)
    const { rows } = await database.pool.query(
      "select statement from pg_prepared_statements where statement like '%ctid = any%'",
    )
    expect(rows).toEqual([])
  }))
