import { createCanvas } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { endIfReady } from '#server/batches/close.ts'
import { openBatchFile } from '#server/batches/files.ts'
import { LABEL_FILE_PATIENCE_MS } from '#server/batches/rules.ts'
import { pause } from '#server/carriers/budget-store.ts'
import type { CarrierLabel, LabelFileResult } from '#server/carriers/port.ts'
import { getLabelFile } from '#server/downloads/label-file.ts'
import { specimenPdf } from '#server/labels/specimen-pdf.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { submitBatch, submitRows } from '#tests/model/batch-steps.ts'
import { withSimulation, setCustomerBalance, advanceTime } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { sampleLabel } from '#tests/support/sample-labels.ts'
import { settleLabels } from '#tests/support/settle-labels.ts'
import { fetchLabelFiles } from './label-files.ts'
import { startPurchaseWorker } from './worker.ts'

const PDF: CarrierLabel = { mime: 'application/pdf', bytes: specimenPdf(sampleLabel(5)) }
const PNG: CarrierLabel = { mime: 'image/png', bytes: createCanvas(203, 305).toBuffer('image/png') }
const NOT_YET: LabelFileResult = {
  kind: 'not_yet',
  code: 'WAIT',
  message: 'The label is being drawn',
}

/** A carrier that makes its labels: `delivered` come with the purchase, the others are fetched. */
type LabelCarrier = {
  asked: number
  delivers: boolean
  answer: (nth: number) => LabelFileResult | Promise<never>
}

const withCarrier = (
  labelCarrier: LabelCarrier,
  run: (simulation: Simulation) => Promise<void>,
): Promise<void> =>
  withSimulation(
    {
      change: ({ carrier, config }) => ({
        // A slow machine must not cause time-outs here.
        config: { ...config, carrierTimeoutMs: 10_000 },
        carrier: {
          ...carrier,
          purchase: async (...args) => {
            const outcome = await carrier.purchase(...args)
            return labelCarrier.delivers && outcome.ok
              ? { ok: true, purchase: { ...outcome.purchase, label: PDF } }
              : outcome
          },
          fetchLabel: async () => labelCarrier.answer(++labelCarrier.asked),
        },
      }),
    },
    async simulation => {
      await setCustomerBalance(simulation, simulation.customerIds[0], 1_000_000)
      await run(simulation)
      expect(await findDiscrepancies(simulation.database)).toEqual([])
    },
  )

async function work(simulation: Simulation): Promise<void> {
  await settleLabels(simulation)
  await endIfReady(simulation.ctx, simulation.batches[0]!)
}

/** The worker fetches due files on its tick; here the test does. */
async function fetchAndWork(simulation: Simulation): Promise<void> {
  await simulation.database.pool.query(
    `update carrier_label_file set run_after = clock_timestamp() where state = 'pending'`,
  )
  await fetchLabelFiles(simulation.ctx)
  await work(simulation)
}

const batch = async (simulation: Simulation) =>
  (
    await simulation.database.pool.query<{ status: string; stale: boolean; pdf: string | null }>(
      'select status, files_stale as stale, pdf_name as pdf from batch where id = $1',
      [simulation.batches[0]],
    )
  ).rows[0]!
const labelFiles = async (simulation: Simulation) =>
  (
    await simulation.database.pool.query<{
      state: string
      problem: string | null
      file: string | null
    }>('select state, problem, file_name as file from carrier_label_file order by order_id')
  ).rows

async function fileOf(simulation: Simulation, kind: 'pdf' | 'result-csv'): Promise<Buffer> {
  const file = await openBatchFile(simulation.ctx, simulation.batches[0]!, kind)
  const pieces: Buffer[] = []
  for await (const piece of file!.stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

test('label files that come with the purchase are stored, and are the pages of the batch file in the order of its table', async () => {
  const labelCarrier: LabelCarrier = { asked: 0, delivers: true, answer: () => NOT_YET }
  await withCarrier(labelCarrier, async simulation => {
    await submitBatch(simulation, simulation.customerIds[0], ['', 'SANDBOX REFUSE', '', ''])
    await work(simulation)
    expect((await labelFiles(simulation)).map(({ state }) => state)).toEqual([
      'stored',
      'stored',
      'stored',
    ])
    expect(await batch(simulation)).toMatchObject({ status: 'completed_with_errors' })
    expect(await readPdf(await fileOf(simulation, 'pdf'))).toHaveLength(3)
    expect(labelCarrier.asked).toBe(0)
  })
})

test('labels are paid while the store of files does not answer', async () => {
  const labelCarrier: LabelCarrier = { asked: 0, delivers: true, answer: () => NOT_YET }
  await withCarrier(labelCarrier, async simulation => {
    const { ctx, database } = simulation
    const { promise: answers, resolve: answer } = Promise.withResolvers<void>()
    const { write } = ctx.files
    const slow: typeof write = async (...args) => {
      await answers
      return write(...args)
    }
    Object.assign(ctx, { files: { ...ctx.files, write: slow } })
    await submitRows(simulation, 400)
    const worker = startPurchaseWorker(ctx)
    const countPurchased = async () =>
      (await database.pool.query(`select from shipment_order where state = 'purchased'`)).rowCount
    await expect.poll(countPurchased).toBe(400)
    answer()
    await worker.stop()
    // The worker waits for them no longer than for a carrier.
    const areStored = async () =>
      (await labelFiles(simulation)).every(({ state }) => state === 'stored')
    await expect.poll(areStored).toBe(true)
  })
})

test('label files that did not come are fetched, and nothing is bought for them', async () => {
  const labelCarrier: LabelCarrier = {
    asked: 0,
    delivers: false,
    answer: nth => (nth <= 2 ? Promise.reject(new Error('reset')) : { kind: 'label', label: PNG }),
  }
  await withCarrier(labelCarrier, async simulation => {
    await submitBatch(simulation, simulation.customerIds[0], ['', ''])
    await work(simulation)
    expect(await batch(simulation)).toMatchObject({ status: 'processing', pdf: null })
    await fetchAndWork(simulation)
    expect((await labelFiles(simulation)).map(({ state }) => state)).toEqual(['pending', 'pending'])
    await fetchAndWork(simulation)
    expect(await batch(simulation)).toMatchObject({ status: 'completed' })
    expect(await readPdf(await fileOf(simulation, 'pdf'))).toHaveLength(2)
    const {
      rows: [sold],
    } = await simulation.database.pool.query('select count(*)::int as many from sandbox_purchase')
    expect(sold).toEqual({ many: 2 })
  })
})

test('a batch ends without a missing label file, says so, and adds the file when it comes', async () => {
  let there = false
  const labelCarrier: LabelCarrier = {
    asked: 0,
    delivers: false,
    answer: nth => (nth === 1 || there ? { kind: 'label', label: PDF } : NOT_YET),
  }
  await withCarrier(labelCarrier, async simulation => {
    await submitBatch(simulation, simulation.customerIds[0], ['', ''])
    await work(simulation)
    await fetchAndWork(simulation)
    expect(await batch(simulation)).toMatchObject({ status: 'processing' })
    await advanceTime(simulation, LABEL_FILE_PATIENCE_MS + 1_000)
    await work(simulation)
    expect(await batch(simulation)).toMatchObject({ status: 'completed' })
    expect(await readPdf(await fileOf(simulation, 'pdf'))).toHaveLength(1)
    expect((await fileOf(simulation, 'result-csv')).toString()).toContain(
      'has not come from the carrier yet',
    )
    there = true
    await fetchAndWork(simulation)
    await expect.poll(async () => (await readPdf(await fileOf(simulation, 'pdf'))).length).toBe(2)
    expect((await fileOf(simulation, 'result-csv')).toString()).not.toContain('has not come')
  })
})

test.each<[string, LabelFileResult]>([
  [
    'a page of HTML',
    {
      kind: 'label',
      label: { mime: 'application/pdf', bytes: Buffer.from('<html>Bad Gateway</html>') },
    },
  ],
  ['a file that is empty', { kind: 'label', label: { mime: 'image/png', bytes: Buffer.alloc(0) } }],
  ['nonsense', { kind: 'label' } as unknown as LabelFileResult],
])('%s is no label: it is asked for again', async (_, wrong) => {
  const labelCarrier: LabelCarrier = {
    asked: 0,
    delivers: false,
    answer: nth => (nth === 1 ? wrong : { kind: 'label', label: PDF }),
  }
  await withCarrier(labelCarrier, async simulation => {
    await submitBatch(simulation, simulation.customerIds[0], [''])
    await work(simulation)
    await fetchAndWork(simulation)
    expect(await labelFiles(simulation)).toEqual([
      { state: 'pending', problem: expect.any(String), file: null },
    ])
    await fetchAndWork(simulation)
    expect(await labelFiles(simulation)).toMatchObject([{ state: 'stored', problem: null }])
  })
})

test('a label file that the carrier does not have anymore is reported, and the batch has its other labels', async () => {
  const gone: LabelFileResult = {
    kind: 'gone',
    code: '404',
    message: 'The label is not there any more',
  }
  const labelCarrier: LabelCarrier = {
    asked: 0,
    delivers: false,
    answer: nth => (nth === 1 ? gone : { kind: 'label', label: PDF }),
  }
  await withCarrier(labelCarrier, async simulation => {
    await submitBatch(simulation, simulation.customerIds[0], ['', ''])
    await work(simulation)
    await fetchAndWork(simulation)
    expect((await labelFiles(simulation)).map(({ state }) => state).toSorted()).toEqual([
      'stored',
      'unavailable',
    ])
    expect(await batch(simulation)).toMatchObject({ status: 'completed' })
    expect(await readPdf(await fileOf(simulation, 'pdf'))).toHaveLength(1)
    expect((await fileOf(simulation, 'result-csv')).toString()).toContain(
      'does not have the label’s file any more',
    )
    expect(simulation.errors.splice(0)).toHaveLength(1)
  })
})

test('a stored file that is lost is fetched again, and the batch gets its page back', async () => {
  const labelCarrier: LabelCarrier = {
    asked: 0,
    delivers: true,
    answer: () => ({ kind: 'label', label: PDF }),
  }
  await withCarrier(labelCarrier, async simulation => {
    await submitBatch(simulation, simulation.customerIds[0], ['', ''])
    await work(simulation)
    const [lost] = await labelFiles(simulation)
    const { read } = simulation.ctx.files
    const without = (name: string) =>
      name === lost!.file && labelCarrier.asked === 0 ? Promise.resolve(null) : read(name)
    Object.assign(simulation.ctx, { files: { ...simulation.ctx.files, read: without } })
    await endIfReady(simulation.ctx, simulation.batches[0]!, {})
    expect(await labelFiles(simulation)).toMatchObject([{ state: 'pending' }, { state: 'stored' }])
    await fetchAndWork(simulation)
    await expect.poll(async () => (await readPdf(await fileOf(simulation, 'pdf'))).length).toBe(2)
  })
})

/** Downloads the label of the first row: its bytes, or the seconds of Retry-After. */
async function click(simulation: Simulation): Promise<Uint8Array | number> {
  const {
    rows: [label],
  } = await simulation.database.pool.query<{ id: number }>(
    'select order_id as id from carrier_label_file order by 1 limit 1',
  )
  try {
    return (await getLabelFile(simulation.ctx, label!.id)).bytes
  } catch (error) {
    if (error instanceof Refusal && error.code === 'file_being_made') return error.retryAfter!
    throw error
  }
}

/** Returns how many of `seconds` are left by now; a slow machine may have used up some. */
function leftOf(seconds: number): () => number {
  const began = performance.now()
  return () => seconds - 1 - (performance.now() - began) / 1_000
}

test('repeated clicks cause no more calls to the carrier, and say when to try again', async () => {
  const labelCarrier: LabelCarrier = {
    asked: 0,
    delivers: false,
    answer: nth =>
      nth === 1 ? { ...NOT_YET, retryAfterMs: 90_000 } : { kind: 'label', label: PDF },
  }
  await withCarrier(labelCarrier, async simulation => {
    await submitBatch(simulation, simulation.customerIds[0], [''])
    await work(simulation)
    const left = leftOf(90)
    for (let clicks = 0; clicks < 5; clicks++) {
      const seconds = await click(simulation)
      expect(seconds).toBeGreaterThan(left())
      expect(seconds).toBeLessThanOrEqual(90)
    }
    expect(labelCarrier.asked).toBe(1)
    await simulation.database.pool.query(
      'update carrier_label_file set run_after = clock_timestamp()',
    )
    expect(await Promise.all([click(simulation), click(simulation)])).toEqual(
      [PDF.bytes, PDF.bytes].map(bytes => Buffer.from(bytes)),
    )
    expect(labelCarrier.asked).toBe(2)
  })
})

test('no click calls a carrier that is paused', async () => {
  const labelCarrier: LabelCarrier = {
    asked: 0,
    delivers: false,
    answer: () => ({ kind: 'label', label: PDF }),
  }
  await withCarrier(labelCarrier, async simulation => {
    await submitBatch(simulation, simulation.customerIds[0], [''])
    await work(simulation)
    await simulation.database.tx(tx => pause(tx, simulation.ctx.carrier.account, 600_000, null))
    const seconds = await click(simulation)
    expect([(seconds as number) > 1, labelCarrier.asked]).toEqual([true, 0])
    await advanceTime(simulation, 601_000)
    expect(await click(simulation)).toEqual(Buffer.from(PDF.bytes))
  })
})

test('a store that loses every file does not use up the carrier’s print limit', async () => {
  const labelCarrier: LabelCarrier = {
    asked: 0,
    delivers: false,
    answer: () => ({ kind: 'label', label: PDF }),
  }
  await withCarrier(labelCarrier, async simulation => {
    await submitBatch(simulation, simulation.customerIds[0], [''])
    await work(simulation)
    Object.assign(simulation.ctx, { files: { ...simulation.ctx.files, read: async () => null } })
    const left = leftOf(120)
    for (let clicks = 0; clicks < 3; clicks++)
      expect(await click(simulation)).toBeGreaterThan(left())
    expect(labelCarrier.asked).toBe(1)
  })
})
