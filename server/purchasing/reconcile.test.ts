import { expect, test } from 'vitest'
import { cents } from '#contract/money.ts'
import type { CarrierLabel, PurchaseLookupResult } from '#server/carriers/port.ts'
import { specimenPdf } from '#server/labels/specimen-pdf.ts'
import { findViolations } from '#server/ledger/service.ts'
import { abandonClaims, submitBatch } from '#tests/model/batch-steps.ts'
import { withSimulation, setCustomerBalance } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { sampleLabel } from '#tests/support/sample-labels.ts'
import { reconcile } from './reconcile.ts'

const PDF: CarrierLabel = { mime: 'application/pdf', bytes: specimenPdf(sampleLabel(3)) }

/** The database refuses one label, as after a defect. */
const ONE_CANNOT_BE_WRITTEN = `
  create function refuse_one() returns trigger language plpgsql as $$ begin raise exception 'not this one'; end $$;
  create trigger refuse_one before update on shipment_order for each row when (new.tracking_number = 'BAD') execute function refuse_one();`

/** Three claimed labels of a dead worker; `found` is the look-up result of the n-th. */
async function withLost(
  found: (nth: number) => PurchaseLookupResult,
  statement: string,
  run: (simulation: Simulation) => Promise<void>,
): Promise<void> {
  let first: number | undefined
  await withSimulation(
    {
      statement,
      change: ({ carrier }) => ({
        carrier: {
          ...carrier,
          lookup: async ({ reference }) => found(Number(reference) - (first ?? 0)),
          fetchLabel: async () => ({
            kind: 'not_yet',
            code: 'WAIT',
            message: 'The label is being created',
          }),
        },
      }),
    },
    async simulation => {
      await setCustomerBalance(simulation, simulation.customerIds[0], 1_000_000)
      await submitBatch(simulation, simulation.customerIds[0], ['', '', ''])
      await abandonClaims(simulation, 3, 'before asking')
      const { rows } = await simulation.database.pool.query<{ id: number }>(
        'select id from shipment_order order by id',
      )
      first = rows[0]!.id
      await simulation.database.owner.pool.query(
        `update open_carrier_call set lease_until = now() - interval '1 second'`,
      )
      await run(simulation)
      expect(await findViolations(simulation.database.db)).toEqual([])
    },
  )
}

const states = async ({ database }: Simulation): Promise<string[]> =>
  (
    await database.pool.query<{ state: string }>('select state from shipment_order order by id')
  ).rows.map(({ state }) => state)
const sold = (trackingNumber: string): PurchaseLookupResult => ({
  found: 'purchased',
  purchase: { trackingNumber, costCents: cents(593), label: PDF },
})

test('a label that cannot be settled does not hold up the others', async () => {
  await withLost(
    nth => sold(nth === 1 ? 'BAD' : `GOOD-${nth}`),
    ONE_CANNOT_BE_WRITTEN,
    async simulation => {
      await reconcile(simulation.ctx)
      expect(await states(simulation)).toEqual(['purchased', 'unknown', 'purchased'])
      expect(simulation.errors.map(text => text.split(':')[0])).toEqual([
        'a look-up could not be settled',
      ])
    },
  )
})

test('a cost or text that the database cannot store counts as no answer', async () => {
  await withLost(
    nth => sold(nth === 1 ? 'BAD\u0000NUMBER' : `GOOD-${nth}`),
    '',
    async simulation => {
      await reconcile(simulation.ctx)
      expect(await states(simulation)).toEqual(['purchased', 'unknown', 'purchased'])
      expect(simulation.errors).toEqual([])
    },
  )
})

test('a label file that comes with a look-up is stored, because carriers limit how often they print a label', async () => {
  await withLost(
    nth => sold(`GOOD-${nth}`),
    '',
    async simulation => {
      await reconcile(simulation.ctx)
      const { rows } = await simulation.database.pool.query<{ state: string }>(
        'select state from carrier_label_file',
      )
      expect(rows.map(({ state }) => state)).toEqual(['stored', 'stored', 'stored'])
    },
  )
})
