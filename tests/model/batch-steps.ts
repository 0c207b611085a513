/**
 * What customers, workers, clocks and deaths do to bulk orders. Most steps may happen at the same moment as others; a refusal that a
 * customer may meet is an answer, everything else that is thrown is a fault.
 */
import fc from 'fast-check'
import type { AsyncCommand } from 'fast-check'
import { expect } from 'vitest'
import type { BulkRow } from '#contract/rows.ts'
import { endIfReady } from '#server/batches/close.ts'
import { retryBatch } from '#server/batches/service.ts'
import { createBatch, submitBulkOrder } from '#server/batches/submit.ts'
import { callPurchase } from '#server/carriers/calls.ts'
import { namesOfOwnCarrierAccount } from '#server/carriers/service.ts'
import { listDefaultServices, setServicePrices } from '#server/catalogue/service.ts'
import { LABEL_LEASE_MS } from '#server/orders/rules.ts'
import { hasOpenRows } from '#server/orders/service.ts'
import { toLongList } from '#server/platform/http/long-list.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { claimQueued } from '#server/purchasing/claim-store.ts'
import { lookUpForAdmin } from '#server/purchasing/look-up.ts'
import { purchaseLabel as placeOrder } from '#server/purchasing/place.ts'
import { reconcile } from '#server/purchasing/reconcile.ts'
import { settlePurchases } from '#server/purchasing/settle.ts'
import { startPurchaseWorker } from '#server/purchasing/worker.ts'
import { voidMany } from '#server/voids/service.ts'
import { askAndSettleVoids, claimOneVoid, processDueVoids } from '#server/voids/settle.ts'
import { requestVoids } from '#server/voids/store.ts'
import { row, rows } from '#tests/support/rows.ts'
import { checkBatchInvariants } from './batch-invariants.ts'
import type { Observations } from './batch-invariants.ts'
import { expectUpdatesRefused } from './forbidden-label-updates.ts'
import { setCustomerBalance, advanceTime, TIME_SPANS } from './simulation.ts'
import type { Simulation } from './simulation.ts'

/** What the second street line of a receiver tells the carrier to do. */
const COMMANDS = [
  '',
  '',
  '',
  'SANDBOX REFUSE',
  'SANDBOX REFUSE ONCE',
  'SANDBOX BUSY',
  'SANDBOX LOST',
  'SANDBOX LATE',
  'SANDBOX NOVOID',
]
const PRICE = 650

type SimulationAction = {
  description: string
  perform: (simulation: Simulation) => Promise<unknown>
}
type Step = AsyncCommand<Observations, Simulation, true>

const who = fc.nat({ max: 1 }) as fc.Arbitrary<0 | 1>
const clicks = fc.constantFrom(1, 1, 2, 3)
/** Which of those there are at the time. */
const which = fc.nat({ max: 50 })
const pickByIndex = <T>(all: readonly T[], n: number): T | undefined => all[n % all.length]

/** Does something several times at once; answers how often it was not refused. Refusals with other statuses are faults. */
async function clickTimes(
  times: number,
  expected: number[],
  work: () => Promise<unknown>,
): Promise<number> {
  const answers = await Promise.allSettled(Array.from({ length: times }, work))
  for (const answer of answers) {
    if (answer.status === 'fulfilled') continue
    if (!(answer.reason instanceof Refusal && expected.includes(answer.reason.status)))
      throw answer.reason
  }
  return answers.filter(answer => answer.status === 'fulfilled').length
}

const selectIds = async (
  { database }: Simulation,
  text: string,
  values: unknown[] = [],
): Promise<number[]> =>
  (await database.pool.query<{ id: number }>(text, values)).rows.map(found => found.id)
export const callerOf = (userId: number) => ({
  userId,
  role: 'user' as const,
  sessionId: 0,
  impersonatorId: null,
  key: null,
})

/**
 * Submits a batch, `edits` for as many failed rows; a refusal for too little money or missing rows
 * is a valid result. Acceptance binds the id: other rows under it are refused
 * (docs/requirements.md#batches).
 */
export async function submitBatch(
  simulation: Simulation,
  userId: number,
  commands: string[],
  clicks = 1,
  edits = false,
): Promise<void> {
  const failed = edits
    ? await selectIds(
        simulation,
        `select o.id from shipment_order o join batch b on b.id = o.batch_id
    where o.user_id = $1 and o.state = 'failed' and o.replaced_by is null order by 1 limit $2`,
        [userId, commands.length],
      )
    : []
  const batchId = await createBatch(simulation.customerCtx, userId)
  const send = (orderData: BulkRow[]): Promise<unknown> =>
    submitBulkOrder(simulation.customerCtx, userId, {
      batchId,
      orderData: toLongList(orderData),
      replaces: failed.map(String),
    })
  const orderData = rows(commands.length, n => ({
    orderId: `A-${n}`,
    orderItemId: `${n}`,
    ToStreet2: commands[n - 1]!,
  }))
  const accepted = await clickTimes(clicks, [402, 409], () => send(orderData))
  if (accepted === 0) return
  simulation.batches.push(batchId)
  for (const id of failed) simulation.replacedOrderIds.add(id)
  expect(
    await clickTimes(1, [409], () => send(orderData.slice(1).concat(row(100)))),
    'other rows under the same id',
  ).toBe(0)
}

/** Buys the queued labels of the newest batch. On a slow machine one turn of a worker leaves some of them. */
export async function buyQueued({ ctx, batches }: Simulation): Promise<void> {
  do await startPurchaseWorker(ctx).stop()
  while (await hasOpenRows(ctx.database.db, batches.at(-1)!))
}

/** The first customer submits so many rows, which the carrier sells. */
export const submitRows = (simulation: Simulation, count: number): Promise<void> =>
  submitBatch(
    simulation,
    simulation.customerIds[0],
    Array.from({ length: count }, () => ''),
  )

const submits = fc
  .record({
    who,
    commands: fc.array(fc.constantFrom(...COMMANDS), { minLength: 1, maxLength: 5, size: 'max' }),
    clicks,
    edits: fc.boolean(),
  })
  .map(({ who, commands, clicks, edits }): SimulationAction => ({
    description: `${who} submits${edits ? ' edited rows for those that failed' : ''}, ${clicks} times: ${commands.join(' | ')}`,
    perform: simulation =>
      submitBatch(simulation, simulation.customerIds[who], commands, clicks, edits),
  }))

const singles = fc
  .record({ who, command: fc.constantFrom(...COMMANDS) })
  .map(({ who, command }): SimulationAction => ({
    description: `${who} orders one label: ${command}`,
    perform: simulation =>
      clickTimes(1, [402, 422], () =>
        placeOrder(simulation.customerCtx, simulation.customerIds[who], {
          row: row(1, { ToStreet2: command }),
          manifested: false,
        }),
      ),
  }))

const retries = fc.record({ which, clicks }).map(({ which, clicks }): SimulationAction => ({
  description: `retry of the batch ${which}, ${clicks} times`,
  async perform(simulation) {
    const id = pickByIndex(simulation.batches, which)
    if (id === undefined) return
    const [owner] = await selectIds(simulation, 'select user_id as id from batch where id = $1', [
      id,
    ])
    await clickTimes(clicks, [402, 409], () =>
      retryBatch(simulation.customerCtx, callerOf(owner!), id),
    )
  },
}))

const voids = fc
  .record({ who, which, many: fc.integer({ min: 1, max: 3 }), clicks })
  .map(({ who, which, many, clicks }): SimulationAction => ({
    description: `${who} voids ${many} from ${which} on, ${clicks} times`,
    async perform(simulation) {
      const userId = simulation.customerIds[who]
      const bought = await selectIds(
        simulation,
        `select id from shipment_order where user_id = $1 and state = 'purchased' order by id`,
        [userId],
      )
      const from = bought.length === 0 ? 0 : which % bought.length
      await clickTimes(clicks, [], () =>
        voidMany(simulation.customerCtx, callerOf(userId), bought.slice(from, from + many)),
      )
    },
  }))

const work = fc.constantFrom(1, 2).map((workers): SimulationAction => ({
  description: `${workers} workers take what is there`,
  perform: ({ ctx }) =>
    Promise.all(Array.from({ length: workers }, () => startPurchaseWorker(ctx).stop())),
}))
const reconciles = fc.constant<SimulationAction>({
  description: 'the carrier is asked what became of labels',
  perform: ({ ctx }) => reconcile(ctx),
})
const voidings = fc.constant<SimulationAction>({
  description: 'the carrier is asked for voids that are due',
  perform: ({ ctx }) => processDueVoids(ctx),
})
const ends = fc.constant<SimulationAction>({
  description: 'batches are ended that can be',
  perform: simulation => Promise.all(simulation.batches.map(id => endIfReady(simulation.ctx, id))),
})
const remakes = which.map((which): SimulationAction => ({
  description: `the files of the batch ${which} are made again`,
  async perform(simulation) {
    const id = pickByIndex(simulation.batches, which)
    if (id !== undefined) await endIfReady(simulation.ctx, id, {})
  },
}))
const checks = which.map((which): SimulationAction => ({
  description: `the operator asks for label ${which}`,
  async perform(simulation) {
    const id = pickByIndex(
      await selectIds(
        simulation,
        `select id from shipment_order where state in ('unknown', 'voiding') order by id`,
      ),
      which,
    )
    if (id !== undefined)
      await clickTimes(1, [409], () => lookUpForAdmin(simulation.ctx, simulation.operator, id))
  },
}))

/** A worker claims labels and stops, or resumes later. */
export async function abandonClaims(
  { ctx, sleepers }: Simulation,
  labels: number,
  at: 'before asking' | 'after asking' | 'asleep',
): Promise<void> {
  const claims = await ctx.database.tx(async tx => {
    const seller = { names: namesOfOwnCarrierAccount(ctx), scope: null }
    return (await claimQueued(tx, seller, labels, LABEL_LEASE_MS, 0)).claims
  })
  if (at === 'before asking') return
  const answers = await Promise.all(
    claims.map(async claim => ({
      claim,
      outcome: await callPurchase(
        ctx.carrier,
        { reference: String(claim.id), round: claim.round },
        claim,
        ctx.config.carrierTimeoutMs,
      ),
    })),
  )
  if (at === 'asleep') sleepers.push({ answers })
}

const workerDeaths = fc
  .record({
    labels: fc.integer({ min: 1, max: 6 }),
    at: fc.constantFrom('before asking' as const, 'after asking' as const, 'asleep' as const),
  })
  .map(({ labels, at }): SimulationAction => ({
    description: `a worker takes ${labels} labels and is lost: ${at}`,
    perform: simulation => abandonClaims(simulation, labels, at),
  }))

const voidDeaths = fc
  .record({ which, wakes: fc.boolean() })
  .map(({ which, wakes }): SimulationAction => ({
    description: `a process ${wakes ? 'falls asleep' : 'dies'} over the void of label ${which}`,
    async perform(simulation) {
      const id = pickByIndex(
        await selectIds(
          simulation,
          `select id from shipment_order where state in ('purchased', 'voiding') order by id`,
        ),
        which,
      )
      if (id === undefined) return
      const taken = await simulation.database.tx(async tx => {
        await requestVoids(tx, namesOfOwnCarrierAccount(simulation.ctx), [id], {
          actorId: simulation.operator,
        })
        return claimOneVoid(simulation.ctx, tx, id)
      })
      if (wakes) simulation.sleepers.push({ voids: taken })
    },
  }))

/** Wakes one of those who sleep. */
export async function wakeSleeper({ ctx, sleepers }: Simulation, n = 0): Promise<void> {
  const [sleeper] = sleepers.splice(n % Math.max(1, sleepers.length), 1)
  if (!sleeper) return
  if ('voids' in sleeper) await askAndSettleVoids(ctx, sleeper.voids, ctx.config.carrierTimeoutMs)
  else await settlePurchases(ctx, sleeper.answers)
}
const awakenings = which.map((which): SimulationAction => ({
  description: `the process ${which} wakes up`,
  perform: simulation => wakeSleeper(simulation, which),
}))

const payments = fc
  .record({ who, wanted: fc.constantFrom(0, PRICE, 5 * PRICE, 20 * PRICE) })
  .map(({ who, wanted }): SimulationAction => ({
    description: `the balance of ${who} is set to ${wanted}`,
    perform: simulation => setCustomerBalance(simulation, simulation.customerIds[who], wanted),
  }))
const maybe = fc.boolean()
const outageChanges = fc
  .record({ diskIsFull: maybe, carrierIsSilent: maybe, accountIsEmpty: maybe })
  .map((outages): SimulationAction => ({
    description:
      `the disk ${outages.diskIsFull ? 'is full' : 'has space'}, the carrier ${outages.carrierIsSilent ? 'is silent' : 'answers'}, `
      + `the account there ${outages.accountIsEmpty ? 'is empty' : 'has money'}`,
    perform: async simulation => {
      Object.assign(simulation.outages, outages)
    },
  }))
/** What a label costs from now on, in dollars. */
export async function setPrice({ ctx, operator }: Simulation, price: number): Promise<void> {
  const service = (await listDefaultServices(ctx.database.db)).find(
    ({ name }) => name === row().ServiceName,
  )!
  await setServicePrices(
    ctx,
    { defaultId: service.id },
    [{ fromWeight: 1, toWeight: service.maxWeight, price }],
    operator,
  )
}
const prices = fc.constantFrom(0, 6.5, 7).map((price): SimulationAction => ({
  description: `a label costs ${price} from now on`,
  perform: simulation => setPrice(simulation, price),
}))

const forbiddenUpdates = which.map((which): SimulationAction => ({
  description: `cheats of label ${which}`,
  async perform({ database }) {
    const { rows: labels } = await database.pool.query<{ id: number; state: string }>(
      'select id, state from shipment_order order by batch_id nulls last, id',
    )
    const label = pickByIndex(labels, which)
    if (label) await expectUpdatesRefused(database, label)
  },
}))

/** Actions at the same moment; then everything is checked. */
const runConcurrently = (actions: SimulationAction[]): Step => ({
  check: async () => true,
  toString: () => actions.map(({ description }) => description).join(' & '),
  async run(seen, simulation) {
    await Promise.all(actions.map(action => action.perform(simulation)))
    await checkBatchInvariants(
      simulation,
      seen,
      actions.map(({ description }) => description).join(' & '),
    )
  },
})

const weighted = (weight: number, ...actions: fc.Arbitrary<SimulationAction>[]) =>
  actions.map(arbitrary => ({ weight, arbitrary }))
const action = fc.oneof(
  ...weighted(4, work),
  ...weighted(3, submits, retries, reconciles, ends, workerDeaths),
  ...weighted(2, voids, voidDeaths, voidings, awakenings),
  ...weighted(1, singles, checks, remakes, payments, prices, outageChanges),
)
const span = fc.constantFrom(...(Object.keys(TIME_SPANS) as (keyof typeof TIME_SPANS)[]))
const time = span.map((name): SimulationAction => ({
  description: `${name} goes by`,
  perform: simulation => advanceTime(simulation, TIME_SPANS[name]),
}))

/**
 * Time passes while no worker is between claim and call: workers check their clock first (`leave`
 * covers the others).
 */
export const batchRuns = fc.commands(
  [
    action.map(one => runConcurrently([one])),
    action.map(one => runConcurrently([one])),
    forbiddenUpdates.map(one => runConcurrently([one])),
    time.map(one => runConcurrently([one])),
    fc.array(action, { minLength: 2, maxLength: 3, size: 'max' }).map(runConcurrently),
  ],
  { maxCommands: 30, size: 'max' },
)
