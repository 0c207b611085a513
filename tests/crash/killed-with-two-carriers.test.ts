/**
 * Two carrier accounts, of which one fails: busy, silent for a while, without money, with lost
 * answers. One process serves, two buy, and one of the three is killed every second. EVENPOST_SEED repeats a
 * run; EVENPOST_LONG_MINUTES continues with other seeds and larger orders.
 */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { initBatch, processBatch } from '#contract/batches.ts'
import { voidOrder } from '#contract/voids.ts'
import { findViolations } from '#server/ledger/service.ts'
import { REFUSED_STREET2 } from '#tests/conformance/bulk-order.ts'
import type { SoldLabel } from '#tests/conformance/subject.ts'
import { insertPaidInvoice } from '#tests/support/app.ts'
import type { CarrierBehavior } from '#tests/support/carriers/behavior.ts'
import { EASYPOST_KEY, openEasypostStub } from '#tests/support/carriers/easypost-stub.ts'
import { openShipEngineStub, SHIPENGINE_KEYS } from '#tests/support/carriers/shipengine-stub.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import {
  countLabelStates,
  countOpenWork,
  seededRandom,
  startDeployment,
} from '#tests/support/deployment.ts'
import { LIVE_ENV } from '#tests/support/live-env.ts'
import { rows } from '#tests/support/rows.ts'
import { LONG_MINUTES, runSeeds, timeoutFor } from '#tests/support/seeded-runs.ts'

const ROWS = LONG_MINUTES > 0 ? 1_000 : 200
const KILLS = LONG_MINUTES > 0 ? 20 : 4
const REFUSED_EVERY = 50

/** How many of a hundred calls go so; all others are fine. */
type Shares = [CarrierBehavior, number][]
const BAD: Shares = [
  ['busy', 10],
  ['resets-before', 8],
  ['resets-after', 8],
  ['error-after', 8],
  ['cut-after', 5],
  ['nonsense-after', 5],
  ['late', 3],
]
const SILENT: Shares = [
  ['resets-before', 50],
  ['resets-after', 50],
]
const GOOD: Shares = [
  ['busy', 2],
  ['resets-after', 2],
]

const drawnFrom = (shares: Shares, seed: string): CarrierBehavior => {
  let left = (createHash('sha256').update(seed).digest().readUInt32BE() / 2 ** 32) * 100
  return shares.find(([, share]) => (left -= share) < 0)?.[0] ?? 'fine'
}

const NO_FUNDS_MS = 5_000
/** What the second account charges for the service that has both. */
const GROUND_CENTS = 593

/**
 * By the number of purchases that were asked for: bad, then silent, then without money, then bad again. Without money for
 * a while and not for some calls: a process that is killed takes what it was told with it. On a slow machine the while may
 * end before a process acts on it, so it goes on until the other account has sold a label in its place.
 */
function badDay(
  seed: number,
  isReplaced: () => boolean,
): { next(isRefusedAddress: boolean): CarrierBehavior; hasBeenWithoutFunds(): boolean } {
  let asked = 0
  let fundedAgainAt = Infinity
  const next = (isRefusedAddress: boolean): CarrierBehavior => {
    const n = asked++
    // A refused address is never sold, silent or not.
    if (n >= 20 && n < 80)
      return isRefusedAddress ? 'resets-before' : drawnFrom(SILENT, `${seed} ${n}`)
    if (n >= 80 && fundedAgainAt === Infinity) fundedAgainAt = Date.now() + NO_FUNDS_MS
    if (n >= 80 && (Date.now() < fundedAgainAt || !isReplaced())) return 'no-funds'
    return isRefusedAddress ? 'refuses' : drawnFrom(BAD, `${seed} ${n}`)
  }
  return { next, hasBeenWithoutFunds: () => fundedAgainAt !== Infinity }
}

function goodDay(seed: number): (isRefusedAddress: boolean) => CarrierBehavior {
  let asked = 0
  return isRefusedAddress =>
    isRefusedAddress ? 'refuses' : drawnFrom(GOOD, `${seed} good ${asked++}`)
}

/** Both stand-ins, and what they sold by the name of their account. */
async function openCarriers(seed: number) {
  const isReplaced = () => backup.labels.some(({ cents }) => cents === GROUND_CENTS)
  const dayOf = { main: badDay(seed, isReplaced), backup: goodDay(seed) }
  const street2 = REFUSED_STREET2.toUpperCase()
  const main = await openEasypostStub(({ path }) =>
    dayOf.main.next(main.shipments.get(path.split('/')[3]!)!.body.to_address.street2 === street2),
  )
  const backup = await openShipEngineStub(({ body }) => {
    const { shipment } = body as { shipment: { ship_to: { address_line2?: string } } }
    return dayOf.backup(shipment.ship_to.address_line2 === street2)
  }, 1)
  return {
    settings: {
      CARRIER_PER_MINUTE: '',
      CARRIER_ACCOUNTS: 'main,backup',
      CARRIER_MAIN_KIND: 'easypost',
      CARRIER_MAIN_EASYPOST_URL: main.urlOn(),
      CARRIER_MAIN_EASYPOST_API_KEY: EASYPOST_KEY,
      // So that labels are still queued when the failures are noticed.
      CARRIER_MAIN_PER_MINUTE: '1200',
      CARRIER_BACKUP_KIND: 'shipengine',
      CARRIER_BACKUP_SHIPENGINE_URL: backup.urlOn(),
      CARRIER_BACKUP_SHIPENGINE_API_KEY: SHIPENGINE_KEYS.apiKey,
      CARRIER_BACKUP_SHIPENGINE_CARRIER_ID: SHIPENGINE_KEYS.carrierId,
      CARRIER_BACKUP_PER_MINUTE: '100000',
    },
    sold: (): Record<string, SoldLabel[]> => ({
      easypost: [...main.shipments.values()].flatMap(({ trackingNumber, purchasedLevel, refund }) =>
        trackingNumber === null
          ? []
          : [
              {
                trackingNumber,
                cents: purchasedLevel === 'Priority' ? 690 : 593,
                isVoided: refund !== null,
              },
            ],
      ),
      shipengine: backup.labels,
    }),
    hasBeenWithoutFunds: dayOf.main.hasBeenWithoutFunds,
    close: () => Promise.all([main.close(), backup.close()]),
  }
}

type OurLabel = { id: string; tracking: string; account: string; cost: number; service: string }
const ourLabels = async (database: TestDatabase): Promise<OurLabel[]> =>
  (
    await database.pool.query<OurLabel>(`
      select id::text, tracking_number as tracking, split_part(carrier_account, ':', 1) as account, cost_cents as cost,
          service_uid as service
        from shipment_order where state in ('purchased', 'voiding', 'voided') order by id`)
  ).rows

/** Both stand-ins record a sale before they answer, so a label that they deny was not sold and needs no quarantine. */
const endQuarantines = (database: TestDatabase): Promise<unknown> =>
  database.pool.query(`
    update shipment_order set unknown_since = unknown_since - interval '3 minutes'
      where state = 'unknown' and unknown_since > clock_timestamp() - interval '3 minutes'`)

/**
 * Labels that wait until the first account is out of money. On a slow machine it may have been asked for all others by then; one
 * that was asked for without an answer stays with its account, so none would be left for the other.
 */
const WITHHELD = 20
/** Two of three rows are for the service that has two sources. */
const FIRST_WITHHELD_ROW = ROWS - WITHHELD * 1.5 + 1
/** Withholds these labels by a trigger as they are inserted, so that no worker sees them first. */
const withhold = (database: TestDatabase): Promise<unknown> =>
  database.owner.pool.query(`
    create function withhold_label() returns trigger language plpgsql as $$
      begin new.run_after := clock_timestamp() + interval '1 hour'; return new; end $$;
    create trigger withhold_label before insert on shipment_order for each row
      when (new.service_uid = 'usps:GROUND_ADVANTAGE' and new.row_no >= ${FIRST_WITHHELD_ROW})
      execute function withhold_label()`)
const IS_WITHHELD = "state = 'queued' and run_after > clock_timestamp() + interval '30 minutes'"
const countWithheld = async (database: TestDatabase): Promise<number | null> =>
  (await database.pool.query(`select from shipment_order where ${IS_WITHHELD}`)).rowCount
const giveBack = (database: TestDatabase): Promise<unknown> =>
  database.pool.query(
    `update shipment_order set run_after = clock_timestamp() where ${IS_WITHHELD}`,
  )

/** What both carriers sold is what we have, each label at the account that we recorded, and no order has two. */
async function booksAgree(
  database: TestDatabase,
  sold: Record<string, SoldLabel[]>,
): Promise<void> {
  const ours = await ourLabels(database)
  for (const [account, labels] of Object.entries(sold)) {
    const own = ours.filter(one => one.account === account)
    expect(labels.map(({ trackingNumber }) => trackingNumber).toSorted()).toEqual(
      own.map(({ tracking }) => tracking).toSorted(),
    )
    expect(labels.reduce((sum, { cents }) => sum + cents, 0)).toBe(
      own.reduce((sum, { cost }) => sum + cost, 0),
    )
  }
  expect(await findViolations(database.db)).toEqual([])
}

test(
  'two carriers, one of them failing, and processes that are killed: every label sold once by one of them, none lost',
  () =>
    runSeeds(async seed => {
      const carriers = await openCarriers(seed)
      const company = await startDeployment(2, null, { ...LIVE_ENV, ...carriers.settings })
      const { database } = company
      try {
        await database.pool
          .query(`insert into service_source (service_uid, rank, account_name) values
          ('usps:GROUND_ADVANTAGE', 1, 'main'), ('usps:GROUND_ADVANTAGE', 2, 'backup'), ('usps:PRIORITY_MAIL', 1, 'backup')`)
        const app = company.webProcess()
        const ana = await app.register('Ana')
        await insertPaidInvoice(database, Number(ana.user._id), ROWS * 2_000)
        const {
          body: { orderId },
        } = await app.call(initBatch, { body: { userId: ana.user._id } }, ana.token)
        await withhold(database)
        const orderData = rows(ROWS, n => ({
          ...(n % 3 === 0 && { ServiceName: 'USPS Priority Mail' }),
          ...(n % REFUSED_EVERY === 0 && { ToStreet2: REFUSED_STREET2 }),
        }))
        const sent = await app.call(
          processBatch,
          { params: { userId: ana.user._id }, body: { orderId, orderData } },
          ana.token,
        )
        expect(sent.status, sent.body.message).toBe(202)
        expect(await countWithheld(database)).toBe(WITHHELD)

        await company.killRandomly(seededRandom(seed), KILLS)
        await expect
          .poll(
            async () => {
              await endQuarantines(database)
              const open = await countOpenWork(database)
              // While the first account is silent, the other one may sell all that is not withheld: then only these and their
              // bulk order are open, and the first account is never asked often enough to be out of money.
              if (carriers.hasBeenWithoutFunds() || open <= WITHHELD + 1) await giveBack(database)
              return open
            },
            { timeout: 480_000, interval: 500 },
          )
          .toBe(0)
        expect(await countLabelStates(database)).toEqual({
          purchased: ROWS - ROWS / REFUSED_EVERY,
          failed: ROWS / REFUSED_EVERY,
        })
        await booksAgree(database, carriers.sold())

        const ours = await ourLabels(database)
        const ofAccount = (account: string, service: string): OurLabel[] =>
          ours.filter(one => one.account === account && one.service === service)
        // The second source was taken, and a service without one stayed at its account.
        const diverted = ofAccount('shipengine', 'usps:GROUND_ADVANTAGE')
        expect(diverted.length).toBeGreaterThan(0)
        expect(ofAccount('easypost', 'usps:PRIORITY_MAIL')).toEqual([])

        // Each account voids its own labels.
        const unwanted = [
          ...diverted.slice(0, 2),
          ...ofAccount('easypost', 'usps:GROUND_ADVANTAGE').slice(0, 2),
        ]
        for (const { id } of unwanted) {
          const voided = () =>
            company.webProcess().call(voidOrder, { params: { orderId: id } }, ana.token)
          // 202: the carrier has not answered yet. A server that stood still may refuse, and is asked again.
          await expect.poll(async () => (await voided()).status).toBeOneOf([200, 202])
        }
        await expect.poll(() => countOpenWork(database), { interval: 500 }).toBe(0)
        const voided = Object.values(carriers.sold())
          .flat()
          .filter(({ isVoided }) => isVoided)
        expect(voided.map(({ trackingNumber }) => trackingNumber).toSorted()).toEqual(
          unwanted.map(({ tracking }) => tracking).toSorted(),
        )
        await company.stop()
        await booksAgree(database, carriers.sold())
      } finally {
        await company.destroy()
        await carriers.close()
      }
    }),
  timeoutFor(1_200_000),
)
