/**
 * What customers, workers, clocks and deaths do to bulk orders. Most steps may happen at the same moment as others; a refusal that a
 * customer may meet is an answer, everything else that is thrown is a fault.
 */
import fc from 'fast-check'
import type { AsyncCommand } from 'fast-check'
import { expect } from 'vitest'
import type { BulkRow } from '#contract/rows.ts'
import { endIfReady } from '#server/batches/close.ts'
import { init, retryFailed, submit } from '#server/batches/service.ts'
import { askToBuy } from '#server/carriers/ask.ts'
import { accountsOf } from '#server/carriers/service.ts'
import { insertTries } from '#server/carriers/store.ts'
import { defaultsOf, setPrices } from '#server/catalogue/service.ts'
import { startWorker } from '#server/orders/jobs.ts'
import { lookUpNow } from '#server/orders/look-up.ts'
import { claimQueued } from '#server/orders/queue-store.ts'
import { LEASE_MS, reconcile } from '#server/orders/reconcile.ts'
import { place as placeOrder } from '#server/orders/service.ts'
import { settleAnswers } from '#server/orders/settle.ts'
import { requestVoids } from '#server/orders/void-store.ts'
import { askAndSettle, takeNow, voidDue, voidMany } from '#server/orders/voids.ts'
import { listOf } from '#server/platform/long-list.ts'
import type { RefusalCode } from '#server/platform/refusal.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { row, rows } from '#tests/support/rows.ts'
import { isStepOfLife, watch } from './watch.ts'
import type { Seen } from './watch.ts'
import { give, pass, SPANS } from './workplace.ts'
import type { Place } from './workplace.ts'

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

type Deed = { said: string; do: (place: Place) => Promise<unknown> }
type Step = AsyncCommand<Seen, Place, true>

const who = fc.nat({ max: 1 }) as fc.Arbitrary<0 | 1>
const clicks = fc.constantFrom(1, 1, 2, 3)
/** Which of those there are at the time. */
const which = fc.nat({ max: 50 })
const of = <T>(all: readonly T[], n: number): T | undefined => all[n % all.length]

/** Does something several times at once; answers how often it was not refused. Refusals but those expected are faults. */
async function clicked(
  times: number,
  expected: RefusalCode[],
  work: () => Promise<unknown>,
): Promise<number> {
  const answers = await Promise.allSettled(Array.from({ length: times }, work))
  for (const answer of answers) {
    if (answer.status === 'fulfilled') continue
    if (!(answer.reason instanceof Refusal && expected.includes(answer.reason.code)))
      throw answer.reason
  }
  return answers.filter(answer => answer.status === 'fulfilled').length
}

const numbers = async (
  { database }: Place,
  text: string,
  values: unknown[] = [],
): Promise<number[]> =>
  (await database.pool.query<{ id: number }>(text, values)).rows.map(found => found.id)
const callerOf = (userId: number) => ({
  userId,
  role: 'user' as const,
  sessionId: 0,
  actorId: null,
})

/**
 * Submits a batch, `edits` for as many of the rows that failed; a refusal for want of money or of those rows is an answer. What was
 * accepted binds the id: other rows under it are refused (architecture, 5).
 */
export async function order(
  place: Place,
  userId: number,
  commands: string[],
  clicks = 1,
  edits = false,
): Promise<void> {
  const failed = edits
    ? await numbers(
        place,
        `select o.id from shipment_order o join batch b on b.id = o.batch_id
    where o.user_id = $1 and o.state = 'failed' and o.replaced_by is null order by 1 limit $2`,
        [userId, commands.length],
      )
    : []
  const batchId = await init(place.counter, userId)
  const send = (orderData: BulkRow[]): Promise<unknown> =>
    submit(place.counter, userId, {
      batchId,
      orderData: listOf(orderData),
      replaces: failed.map(String),
    })
  const orderData = rows(commands.length, n => ({
    orderId: `A-${n}`,
    orderItemId: `${n}`,
    ToStreet2: commands[n - 1]!,
  }))
  const accepted = await clicked(clicks, ['insufficient_balance', 'conflict'], () =>
    send(orderData),
  )
  if (accepted === 0) return
  place.batches.push(batchId)
  for (const id of failed) place.replaced.add(id)
  expect(
    await clicked(1, ['conflict'], () => send(orderData.slice(1).concat(row(100)))),
    'other rows under the same id',
  ).toBe(0)
}

const submits = fc
  .record({
    who,
    commands: fc.array(fc.constantFrom(...COMMANDS), { minLength: 1, maxLength: 5, size: 'max' }),
    clicks,
    edits: fc.boolean(),
  })
  .map(({ who, commands, clicks, edits }): Deed => ({
    said: `${who} submits${edits ? ' edited rows for those that failed' : ''}, ${clicks} times: ${commands.join(' | ')}`,
    do: place => order(place, place.people[who], commands, clicks, edits),
  }))

const singles = fc
  .record({ who, command: fc.constantFrom(...COMMANDS) })
  .map(({ who, command }): Deed => ({
    said: `${who} orders one label: ${command}`,
    do: place =>
      clicked(1, ['insufficient_balance', 'unprocessable'], () =>
        placeOrder(place.counter, place.people[who], {
          row: row(1, { ToStreet2: command }),
          manifested: false,
        }),
      ),
  }))

const retries = fc.record({ which, clicks }).map(({ which, clicks }): Deed => ({
  said: `retry of the batch ${which}, ${clicks} times`,
  async do(place) {
    const id = of(place.batches, which)
    if (id === undefined) return
    const [owner] = await numbers(place, 'select user_id as id from batch where id = $1', [id])
    await clicked(clicks, ['insufficient_balance', 'conflict'], () =>
      retryFailed(place.counter, callerOf(owner!), id),
    )
  },
}))

const voids = fc
  .record({ who, which, many: fc.integer({ min: 1, max: 3 }), clicks })
  .map(({ who, which, many, clicks }): Deed => ({
    said: `${who} voids ${many} from ${which} on, ${clicks} times`,
    async do(place) {
      const userId = place.people[who]
      const bought = await numbers(
        place,
        `select id from shipment_order where user_id = $1 and state = 'purchased' order by id`,
        [userId],
      )
      const from = bought.length === 0 ? 0 : which % bought.length
      await clicked(clicks, [], () =>
        voidMany(place.counter, callerOf(userId), bought.slice(from, from + many)),
      )
    },
  }))

const work = fc.constantFrom(1, 2).map((workers): Deed => ({
  said: `${workers} workers take what is there`,
  do: ({ house }) => Promise.all(Array.from({ length: workers }, () => startWorker(house).stop())),
}))
const reconciles = fc.constant<Deed>({
  said: 'the carrier is asked what became of labels',
  do: ({ house }) => reconcile(house),
})
const voidings = fc.constant<Deed>({
  said: 'the carrier is asked for voids that are due',
  do: ({ house }) => voidDue(house),
})
const ends = fc.constant<Deed>({
  said: 'batches are ended that can be',
  do: place => Promise.all(place.batches.map(id => endIfReady(place.house, id))),
})
const remakes = which.map((which): Deed => ({
  said: `the files of the batch ${which} are made again`,
  async do(place) {
    const id = of(place.batches, which)
    if (id !== undefined) await endIfReady(place.house, id, {})
  },
}))
const checks = which.map((which): Deed => ({
  said: `the operator asks for label ${which}`,
  async do(place) {
    const id = of(
      await numbers(
        place,
        `select id from shipment_order where state in ('unknown', 'voiding') order by id`,
      ),
      which,
    )
    if (id !== undefined)
      await clicked(1, ['conflict'], () => lookUpNow(place.house, place.operator, id))
  },
}))

/** A worker takes labels and is not heard of again, or not until he wakes up. */
export async function leave(
  { house, asleep }: Place,
  labels: number,
  at: 'before asking' | 'after asking' | 'asleep',
): Promise<void> {
  const claims = await house.database.tx(async tx => {
    const taken = await claimQueued(tx, house.carrier.account, labels, LEASE_MS, 0)
    await insertTries(
      tx,
      house.carrier.account,
      taken.map(claim => ({ ...claim, orderId: claim.id })),
    )
    return taken
  })
  if (at === 'before asking') return
  const answers = await Promise.all(
    claims.map(async claim => ({
      claim,
      outcome: await askToBuy(
        house.carrier,
        { reference: String(claim.id), round: claim.round },
        claim,
        house.config.carrierTimeoutMs,
      ),
    })),
  )
  if (at === 'asleep') asleep.push({ answers })
}

const deaths = fc
  .record({
    labels: fc.integer({ min: 1, max: 6 }),
    at: fc.constantFrom('before asking' as const, 'after asking' as const, 'asleep' as const),
  })
  .map(({ labels, at }): Deed => ({
    said: `a worker takes ${labels} labels and is lost: ${at}`,
    do: place => leave(place, labels, at),
  }))

const deathsOverVoids = fc.record({ which, wakes: fc.boolean() }).map(({ which, wakes }): Deed => ({
  said: `a process ${wakes ? 'falls asleep' : 'dies'} over the void of label ${which}`,
  async do(place) {
    const id = of(
      await numbers(
        place,
        `select id from shipment_order where state in ('purchased', 'voiding') order by id`,
      ),
      which,
    )
    if (id === undefined) return
    const taken = await place.database.tx(async tx => {
      await requestVoids(tx, accountsOf(place.house), [id], { actorId: place.operator })
      return takeNow(place.house, tx, id)
    })
    if (wakes) place.asleep.push({ voids: taken })
  },
}))

/** Wakes one of those who sleep. */
export async function wake({ house, asleep }: Place, n = 0): Promise<void> {
  const [sleeper] = asleep.splice(n % Math.max(1, asleep.length), 1)
  if (!sleeper) return
  if ('voids' in sleeper) await askAndSettle(house, sleeper.voids, house.config.carrierTimeoutMs)
  else await settleAnswers(house, sleeper.answers)
}
const awakenings = which.map((which): Deed => ({
  said: `the process ${which} wakes up`,
  do: place => wake(place, which),
}))

const payments = fc
  .record({ who, wanted: fc.constantFrom(0, PRICE, 5 * PRICE, 20 * PRICE) })
  .map(({ who, wanted }): Deed => ({
    said: `the balance of ${who} is set to ${wanted}`,
    do: place => give(place, place.people[who], wanted),
  }))
const maybe = fc.boolean()
const troubles = fc
  .record({ diskIsFull: maybe, carrierIsSilent: maybe, accountIsEmpty: maybe })
  .map((trouble): Deed => ({
    said:
      `the disk ${trouble.diskIsFull ? 'is full' : 'has space'}, the carrier ${trouble.carrierIsSilent ? 'is silent' : 'answers'}, `
      + `the account there ${trouble.accountIsEmpty ? 'is empty' : 'has money'}`,
    do: async place => {
      Object.assign(place.trouble, trouble)
    },
  }))
/** What a label costs from now on, in dollars. */
export async function setPrice({ house, operator }: Place, price: number): Promise<void> {
  const service = (await defaultsOf(house.database.db)).find(
    ({ name }) => name === row().ServiceName,
  )!
  await setPrices(
    house,
    { defaultId: service.id },
    [{ fromWeight: 1, toWeight: service.maxWeight, price }],
    operator,
  )
}
const prices = fc.constantFrom(0, 6.5, 7).map((price): Deed => ({
  said: `a label costs ${price} from now on`,
  do: place => setPrice(place, price),
}))

/** What the database must refuse of any label, whatever state it is in. */
const WRONGS: [name: string, statement: string][] = [
  ['has another price', 'update shipment_order set price_cents = price_cents - 1 where id = $1'],
  [
    'has another owner',
    'update shipment_order set user_id = (select max(id) from app_user where id <> user_id) where id = $1',
  ],
  ['begins a round by itself', 'update shipment_order set round = round + 1 where id = $1'],
  ['goes back a fence', 'update shipment_order set fence = fence - 1 where id = $1'],
  ['is deleted', 'delete from shipment_order where id = $1'],
  [
    'is bought without a number',
    `update shipment_order set state = 'purchased', tracking_number = null where id = $1`,
  ],
  // A label without a batch has no row: for one of those this fails for want of a batch.
  [
    'takes another’s row',
    `insert into shipment_order
      (user_id, batch_id, row_no, service_uid, service_name, price_cents, sender, receiver, package)
    select user_id, coalesce(batch_id, -1), coalesce(row_no, 1), service_uid, service_name, price_cents, sender, receiver, package
      from shipment_order where id = $1`,
  ],
]

const cheats = which.map((which): Deed => ({
  said: `cheats of label ${which}`,
  async do({ database }) {
    const { rows: labels } = await database.pool.query<{ id: number; state: string }>(
      'select id, state from shipment_order order by batch_id nulls last, id',
    )
    const label = of(labels, which)
    if (!label) return
    const refused = async (text: string, values: unknown[], what: string): Promise<void> => {
      const isWritten = await database.pool.query(text, values).then(
        () => true,
        () => false,
      )
      expect(isWritten, `a ${label.state} label ${what}`).toBe(false)
    }
    for (const [what, statement] of WRONGS) await refused(statement, [label.id], what)
    for (const to of ['queued', 'purchasing', 'unknown', 'failed']) {
      if (label.state === to || isStepOfLife(label.state, to)) continue
      // What only a bought label has is taken from it, so that nothing but its life refuses the step.
      await refused(
        `update shipment_order set state = $2, tracking_number = null, voided_at = null, round = round + ($3 = 'failed')::int
        where id = $1`,
        [label.id, to, label.state],
        `becomes ${to}`,
      )
    }
  },
}))

/** Deeds that happen at the same moment; then everything is looked at. */
const together = (deeds: Deed[]): Step => ({
  check: async () => true,
  toString: () => deeds.map(({ said }) => said).join(' & '),
  async run(seen, place) {
    await Promise.all(deeds.map(deed => deed.do(place)))
    await watch(place, seen, deeds.map(({ said }) => said).join(' & '))
  },
})

const often = (weight: number, ...deeds: fc.Arbitrary<Deed>[]) =>
  deeds.map(arbitrary => ({ weight, arbitrary }))
const deed = fc.oneof(
  ...often(4, work),
  ...often(3, submits, retries, reconciles, ends, deaths),
  ...often(2, voids, deathsOverVoids, voidings, awakenings),
  ...often(1, singles, checks, remakes, payments, prices, troubles),
)
const span = fc.constantFrom(...(Object.keys(SPANS) as (keyof typeof SPANS)[]))
const time = span.map((name): Deed => ({
  said: `${name} goes by`,
  do: place => pass(place, SPANS[name]),
}))

/** Time passes while nobody is in the middle of anything: a worker looks at his own clock before he asks (`leave` for the others). */
export const games = fc.commands(
  [
    deed.map(one => together([one])),
    deed.map(one => together([one])),
    cheats.map(one => together([one])),
    time.map(one => together([one])),
    fc.array(deed, { minLength: 2, maxLength: 3, size: 'max' }).map(together),
  ],
  { maxCommands: 30, size: 'max' },
)
