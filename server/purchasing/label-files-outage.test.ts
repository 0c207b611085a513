/** Label files while their store takes none, or does not answer. */
import { expect, test } from 'vitest'
import type { CarrierLabel, LabelFileResult } from '#server/carriers/port.ts'
import { getLabelFile } from '#server/downloads/label-file.ts'
import { specimenPdf } from '#server/labels/specimen-pdf.ts'
import type { FileStore } from '#server/platform/storage/port.ts'
import { submitRows } from '#tests/model/batch-steps.ts'
import { setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { sampleLabel } from '#tests/support/sample-labels.ts'
import { fetchLabelFiles } from './label-files.ts'
import { startPurchaseWorker } from './worker.ts'

const PDF: CarrierLabel = { mime: 'application/pdf', bytes: specimenPdf(sampleLabel(5)) }
/** How long a worker waits for the store when it stops; no purchase takes as long on a busy machine. */
const STOP_MS = 7_000
/** As large as a label may be. */
const LARGE: CarrierLabel = { ...PDF, bytes: Buffer.concat([PDF.bytes], 8 * 1024 * 1024) }
const GONE: LabelFileResult = {
  kind: 'gone',
  code: '400',
  message: 'The label was printed three times',
}

/** A carrier that delivers `label` with the purchase and prints it three more times, as USPS does. */
type PrintingCarrier = { label: CarrierLabel; printed: number; delivers?: boolean }

const withPrintingCarrier = (
  printing: PrintingCarrier,
  run: (simulation: Simulation) => Promise<void>,
  carrierTimeoutMs = 10_000,
): Promise<void> =>
  withSimulation(
    {
      change: ({ carrier, config }) => ({
        config: { ...config, carrierTimeoutMs },
        carrier: {
          ...carrier,
          purchase: async (...args) => {
            const outcome = await carrier.purchase(...args)
            return outcome.ok && printing.delivers !== false
              ? { ok: true, purchase: { ...outcome.purchase, label: printing.label } }
              : outcome
          },
          fetchLabel: async () =>
            ++printing.printed > 3 ? GONE : { kind: 'label', label: printing.label },
        },
      }),
    },
    async simulation => {
      await setCustomerBalance(simulation, simulation.customerIds[0], 10_000_000)
      await run(simulation)
      expect(await findDiscrepancies(simulation.database)).toEqual([])
    },
  )

/** From now on files of labels are written by `write`; others are written as before. */
function writeLabelsWith(
  { ctx }: Simulation,
  write: (...args: Parameters<FileStore['write']>) => ReturnType<FileStore['write']>,
): void {
  const { files } = ctx
  Object.assign(ctx, {
    files: {
      ...files,
      write: (...args: Parameters<FileStore['write']>) =>
        (args[0].startsWith('carrier-') ? write : files.write)(...args),
    },
  })
}

/** Files of labels are written only after `release`. `waiting`: how many wait for it. */
function holdLabels(simulation: Simulation): { release: () => void; waiting: () => number } {
  const { write } = simulation.ctx.files
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let waiting = 0
  writeLabelsWith(simulation, async (...args) => {
    waiting++
    await released
    return write(...args)
  })
  return { release, waiting: () => waiting }
}

const passSeconds = ({ database }: Simulation, seconds: number): Promise<unknown> =>
  database.pool.query(
    `update carrier_label_file set run_after = run_after - $1 * interval '1 second'`,
    [seconds],
  )

/** The worker's tick, every ten seconds. */
async function fetchFor(simulation: Simulation, minutes: number): Promise<void> {
  for (let at = 0; at < minutes * 6; at++) {
    await fetchLabelFiles(simulation.ctx)
    await passSeconds(simulation, 10)
  }
}

const states = async ({ database }: Simulation): Promise<string[]> =>
  (
    await database.pool.query<{ state: string }>(
      'select state from carrier_label_file order by order_id',
    )
  ).rows.map(({ state }) => state)

const countPurchased = async ({ database }: Simulation): Promise<number | null> =>
  (await database.pool.query(`select from shipment_order where state = 'purchased'`)).rowCount

test('a full disk of an hour costs no label its file: the carrier is asked once there is space', async () => {
  const printing = { label: PDF, printed: 0 }
  await withPrintingCarrier(printing, async simulation => {
    simulation.outages.diskIsFull = true
    await submitRows(simulation, 1)
    await startPurchaseWorker(simulation.ctx).stop()
    await fetchFor(simulation, 60)
    expect([printing.printed, await states(simulation)]).toEqual([0, ['pending']])
    simulation.outages.diskIsFull = false
    await fetchFor(simulation, 2)
    expect([printing.printed, await states(simulation)]).toEqual([1, ['stored']])
  })
})

test('no click on a label calls the carrier while the disk is full', async () => {
  const printing = { label: PDF, printed: 0, delivers: false }
  await withPrintingCarrier(printing, async simulation => {
    await submitRows(simulation, 1)
    await startPurchaseWorker(simulation.ctx).stop()
    simulation.outages.diskIsFull = true
    const { rows } = await simulation.database.pool.query<{ id: number }>(
      'select order_id as id from carrier_label_file',
    )
    const click = () => getLabelFile(simulation.ctx, rows[0]!.id)
    for (let clicks = 0; clicks < 5; clicks++)
      await expect(click()).rejects.toMatchObject({ code: 'storage_unavailable', retryAfter: 5 })
    expect(printing.printed).toBe(0)
    simulation.outages.diskIsFull = false
    expect((await click()).bytes).toEqual(Buffer.from(PDF.bytes))
  })
})

test('a file that could not be stored once it was fetched is fetched again after minutes, not at once', async () => {
  const printing = { label: PDF, printed: 0, delivers: false }
  await withPrintingCarrier(printing, async simulation => {
    await submitRows(simulation, 1)
    await startPurchaseWorker(simulation.ctx).stop()
    const { files } = simulation.ctx
    writeLabelsWith(simulation, () => Promise.reject(new Error('input/output error')))
    await fetchFor(simulation, 4)
    expect([printing.printed, await states(simulation)]).toEqual([1, ['pending']])
    Object.assign(simulation.ctx, { files })
    await fetchFor(simulation, 2)
    expect([printing.printed, await states(simulation)]).toEqual([2, ['stored']])
  })
})

test('a file that came with the purchase is not fetched while it is being stored', async () => {
  const printing = { label: PDF, printed: 0 }
  await withPrintingCarrier(printing, async simulation => {
    const { release } = holdLabels(simulation)
    await submitRows(simulation, 3)
    const worker = startPurchaseWorker(simulation.ctx)
    await expect.poll(() => countPurchased(simulation)).toBe(3)
    // A minute after the purchase, also where a slow machine has taken longer.
    await simulation.database.pool.query(
      `update carrier_label_file f set run_after = f.run_after + (clock_timestamp() - o.purchased_at) - interval '60 seconds'
        from shipment_order o where o.id = f.order_id`,
    )
    await fetchLabelFiles(simulation.ctx)
    release()
    await worker.stop()
    await expect.poll(() => states(simulation)).toEqual(Array(3).fill('stored'))
    expect(printing.printed).toBe(0)
  })
})

test('1,200 labels are bought while the store of files never answers, and the worker stops', async () => {
  const printing = { label: PDF, printed: 0 }
  await withPrintingCarrier(
    printing,
    async simulation => {
      const never = new Promise<never>(() => {})
      writeLabelsWith(simulation, () => never)
      await submitRows(simulation, 1_200)
      const worker = startPurchaseWorker(simulation.ctx)
      await expect.poll(() => countPurchased(simulation)).toBe(1_200)
      await worker.stop()
      expect(printing.printed).toBe(0)
    },
    STOP_MS,
  )
})

test('what the carrier has printed is stored, also when many files wait for the store by then', async () => {
  const printing = { label: LARGE, printed: 0, delivers: true }
  await withPrintingCarrier(printing, async simulation => {
    const { release, waiting } = holdLabels(simulation)
    await submitRows(simulation, 7)
    const worker = startPurchaseWorker(simulation.ctx)
    await expect.poll(waiting).toBe(7)
    printing.delivers = false
    await submitRows(simulation, 2)
    await expect.poll(() => countPurchased(simulation)).toBe(9)
    const fetching = fetchLabelFiles(simulation.ctx)
    await expect.poll(() => printing.printed).toBe(2)
    release()
    await fetching
    await worker.stop()
    await expect.poll(() => states(simulation)).toEqual(Array(9).fill('stored'))
    expect(printing.printed).toBe(2)
  })
})

test('files of which too many wait for the store are fetched when it takes files again', async () => {
  const printing = { label: LARGE, printed: 0 }
  await withPrintingCarrier(printing, async simulation => {
    const { release, waiting } = holdLabels(simulation)
    await submitRows(simulation, 11)
    const worker = startPurchaseWorker(simulation.ctx)
    await expect.poll(() => countPurchased(simulation)).toBe(11)
    await expect.poll(waiting).toBe(8)
    const problems = async () =>
      (
        await simulation.database.pool.query(
          'select from carrier_label_file where problem is not null',
        )
      ).rowCount
    await expect.poll(problems).toBe(3)
    expect(printing.printed).toBe(0)
    release()
    await worker.stop()
    await passSeconds(simulation, 120)
    await fetchLabelFiles(simulation.ctx)
    await expect.poll(() => states(simulation)).toEqual(Array(11).fill('stored'))
    expect(printing.printed).toBe(3)
  })
})
