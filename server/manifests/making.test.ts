/** Making SCAN forms on a real database, each step on its own. */
import { sql } from 'kysely'
import { assert, expect, test, vi } from 'vitest'
import type { ScanFormResult, ScanForms } from '#server/carriers/port.ts'
import { namesOfOwnCarrierAccount } from '#server/carriers/service.ts'
import { requestVoids } from '#server/voids/store.ts'
import { submitBatch } from '#tests/model/batch-steps.ts'
import { setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { labelFile } from '#tests/support/carriers/stub-server.ts'
import { settleLabels } from '#tests/support/settle-labels.ts'
import { openScanFormJobs } from './jobs.ts'
import { processScanForms, scanFormsSettled } from './making.ts'
import { findScanForms } from './scan-form-store.ts'
import { requestScanForms } from './service.ts'

const FORM = labelFile('FORM')
const MADE: ScanFormResult = { kind: 'made', ref: '9475038234567000031430', files: [FORM] }

/** A carrier that tells of a form only in the answer to its request. */
type TellsOnce = { asked: number; answer: () => ScanFormResult | Promise<ScanFormResult> }

/** One token comes back in two minutes: none, or the part of one, while a test runs. */
const RATE = { perMinute: 1, burst: 1_000 }

/** Both customers have four labels. */
async function withLabels(
  carrier: TellsOnce,
  run: (simulation: Simulation) => Promise<void>,
  more: Partial<ScanForms> = {},
): Promise<void> {
  const scanForms: ScanForms = {
    maxLabels: 1,
    quarantineMs: 0,
    async make() {
      carrier.asked++
      return carrier.answer()
    },
    lookup: null,
    ...more,
  }
  await withSimulation(
    { change: ctx => ({ carrier: { ...ctx.carrier, rateLimit: RATE, scanForms } }) },
    async simulation => {
      for (const id of simulation.customerIds) {
        await setCustomerBalance(simulation, id, 100_000)
        await submitBatch(simulation, id, ['', '', '', ''])
      }
      await settleLabels(simulation)
      await run(simulation)
      expect(simulation.errors).toEqual([])
    },
  )
}

const labelsOf = async ({ database }: Simulation, userId: number): Promise<number[]> =>
  (
    await sql<{ id: number }>`
      select id from shipment_order where user_id = ${userId} and state = 'purchased' order by id`.execute(
      database.db,
    )
  ).rows.map(({ id }) => id)

const caller = (userId: number) => ({
  userId,
  role: 'user' as const,
  sessionId: 0,
  impersonatorId: null,
  key: null,
})

/** One form for each label. Without `waits` the request leaves them to the workers. */
async function ask(simulation: Simulation, at: 0 | 1, labels: number, waits = false) {
  const userId = simulation.customerIds[at]
  const orderIds = (await labelsOf(simulation, userId)).slice(0, labels)
  const ctx = waits ? simulation.ctx : simulation.customerCtx
  return requestScanForms(ctx, caller(userId), userId, { orderIds })
}

const formNow = async ({ database }: Simulation, id: number) =>
  (await findScanForms(database.db, [id]))[0]!

/** Ends leases and pauses. */
const makeDue = ({ database }: Simulation) =>
  database.tx(tx => sql`update scan_form set run_after = now()`.execute(tx))

test('a full disk takes neither the number nor the only copy of a form', async () => {
  const carrier: TellsOnce = { asked: 0, answer: () => MADE }
  await withLabels(carrier, async simulation => {
    simulation.outages.diskIsFull = true
    const [form] = await ask(simulation, 0, 1, true)
    expect(form).toMatchObject({
      state: 'made',
      upstreamRef: '9475038234567000031430',
      awaitsFile: true,
      files: [],
    })
    // Another process finds nothing to do: the first still stores the file.
    expect(await processScanForms(simulation.ctx)).toBe(0)
    simulation.outages.diskIsFull = false
    await scanFormsSettled(simulation.ctx)
    const stored = await formNow(simulation, form!.id)
    expect([stored.awaitsFile, stored.files.length]).toEqual([false, 1])
    const file = await simulation.ctx.files.read(stored.files[0]!)
    expect(file!.bytes).toBe(FORM.length)
    file!.stream.destroy()
    expect(carrier.asked).toBe(1)
  })
})

test('a process that ends while it stores the file leaves the form with its number', async () => {
  await withLabels({ asked: 0, answer: () => MADE }, async simulation => {
    simulation.outages.diskIsFull = true
    const [form] = await ask(simulation, 0, 1, true)
    await makeDue(simulation)
    expect(await processScanForms(simulation.ctx)).toBe(1)
    simulation.outages.diskIsFull = false
    expect(await formNow(simulation, form!.id)).toMatchObject({
      state: 'made',
      upstreamRef: '9475038234567000031430',
      awaitsFile: false,
      problem:
        'The carrier made the form but did not send its file. Have each parcel scanned on its own.',
    })
    await scanFormsSettled(simulation.ctx)
  })
})

test('a shutdown waits for the carrier’s answer, and the request does not', async () => {
  const { promise, resolve } = Promise.withResolvers<ScanFormResult>()
  const carrier: TellsOnce = { asked: 0, answer: () => promise }
  await withLabels(carrier, async simulation => {
    const shutdown = new AbortController()
    // A slow machine does not reach this time-out before the shutdown.
    const config = { ...simulation.ctx.config, carrierTimeoutMs: 60_000 }
    const ctx = { ...simulation.ctx, config, closing: shutdown.signal }
    const jobs = openScanFormJobs(ctx)
    const asked = ask({ ...simulation, ctx }, 0, 1, true)
    await vi.waitFor(() => assert(carrier.asked === 1), { timeout: 300_000 })
    shutdown.abort()
    const [form] = await asked
    expect(form!.state).toBe('asked')
    const stopped = jobs.stop()
    resolve(MADE)
    await stopped
    expect(await formNow(simulation, form!.id)).toMatchObject({ state: 'made', awaitsFile: false })
    // Nothing begins at shutdown.
    await ask(simulation, 1, 1)
    expect(await processScanForms(ctx)).toBe(0)
  })
})

test('a form waits behind one form of each other seller, not behind all of them', async () => {
  const carrier: TellsOnce = { asked: 0, answer: () => MADE }
  await withLabels(carrier, async simulation => {
    await ask(simulation, 0, 4)
    const [form] = await ask(simulation, 1, 1)
    expect(await processScanForms(simulation.ctx)).toBe(4)
    expect((await formNow(simulation, form!.id)).state).toBe('made')
  })
})

test('a seller has at most 100 forms that wait for the carrier', async () => {
  await withLabels({ asked: 0, answer: () => MADE }, async simulation => {
    const [form] = await ask(simulation, 0, 1)
    await simulation.database.tx(tx =>
      sql`insert into scan_form (user_id, sender, day, services, labels, carrier_account, requested_by)
        select user_id, sender, day, services, labels, carrier_account, requested_by from scan_form, generate_series(1, 99)
          where id = ${form!.id}`.execute(tx),
    )
    const [, next] = await labelsOf(simulation, simulation.customerIds[0])
    const userId = simulation.customerIds[0]
    await expect(
      requestScanForms(simulation.customerCtx, caller(userId), userId, { orderIds: [next!] }),
    ).rejects.toThrow('At most 100 SCAN forms can wait for the carrier at a time.')
    await expect(ask(simulation, 1, 1)).resolves.toHaveLength(1)
  })
})

test('two requests at once do not pass the limit together', async () => {
  await withLabels({ asked: 0, answer: () => MADE }, async simulation => {
    const [form] = await ask(simulation, 0, 1)
    await simulation.database.tx(tx =>
      sql`insert into scan_form (user_id, sender, day, services, labels, carrier_account, requested_by)
        select user_id, sender, day, services, labels, carrier_account, requested_by from scan_form, generate_series(1, 98)
          where id = ${form!.id}`.execute(tx),
    )
    const userId = simulation.customerIds[0]
    const [, ...others] = await labelsOf(simulation, userId)
    const asked = await Promise.allSettled(
      others.map(id =>
        requestScanForms(simulation.customerCtx, caller(userId), userId, { orderIds: [id] }),
      ),
    )
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

test('a look-up of many calls counts each of them against the carrier’s limit', async () => {
  const answer = () => ({ kind: 'unknown', code: 'X', message: 'No answer' }) as const
  await withLabels(
    { asked: 0, answer },
    async simulation => {
      await ask(simulation, 0, 1)
      const left = async (): Promise<number> => {
        const { rows } = await simulation.database.pool.query<{ tokens: number }>(
          'select tokens from carrier_budget',
        )
        return rows[0]!.tokens
      }
      const before = await left()
      await processScanForms(simulation.ctx)
      const asked = await left()
      await makeDue(simulation)
      await processScanForms(simulation.ctx)
      const lookedUp = await left()
      // Less what came back meanwhile, which is half a call a minute.
      expect([Math.ceil(before - asked), Math.ceil(asked - lookedUp)]).toEqual([1, 26])
    },
    { lookup: async () => answer(), lookupCalls: () => 26 },
  )
})

test('making a form does not wait for its label that is being voided', async () => {
  const carrier: TellsOnce = { asked: 0, answer: () => MADE }
  await withLabels(carrier, async simulation => {
    const { ctx, database, customerIds } = simulation
    const forms = await ask(simulation, 0, 2)
    const [first, second] = await labelsOf(simulation, customerIds[0])
    await database.tx(tx =>
      requestVoids(tx, namesOfOwnCarrierAccount(ctx), [first!, second!], {
        actorId: simulation.operator,
      }),
    )
    await database.tx(async tx => {
      await sql`select 1 from shipment_order where id = ${first!} for update`.execute(tx)
      expect(await processScanForms(ctx)).toBe(2)
    })
    // The other label has left its form.
    const states = await Promise.all(
      forms.map(async ({ id }) => (await formNow(simulation, id)).state),
    )
    expect(states).toEqual(['made', 'failed'])
  })
})
