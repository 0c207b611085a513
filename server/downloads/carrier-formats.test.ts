// Live labels as ZPL and PNG: fetched from their carrier when they are requested, and once.
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { endIfReady } from '#server/batches/close.ts'
import { openBatchFile } from '#server/batches/files.ts'
import { getBatchFor } from '#server/batches/service.ts'
import { pause } from '#server/carriers/budget-store.ts'
import { LABEL_MIME } from '#server/carriers/port.ts'
import type { CarrierLabel, CarrierLabelFormat, LabelFileResult } from '#server/carriers/port.ts'
import { specimenPdf } from '#server/labels/specimen-pdf.ts'
import { labelFileName } from '#server/orders/rules.ts'
import { Refusal } from '#server/platform/http/refusal.ts'
import { fetchLabelFiles } from '#server/purchasing/label-files.ts'
import { buyQueued, submitRows } from '#tests/model/batch-steps.ts'
import { setCustomerBalance, withSimulation } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { labelFile } from '#tests/support/carriers/stub-server.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { sampleLabel } from '#tests/support/sample-labels.ts'
import { printRows } from './printing.ts'
import { printSingleLabel } from './single-label.ts'

const PDF: CarrierLabel = { mime: 'application/pdf', bytes: specimenPdf(sampleLabel(5)) }
const NOT_SOLD: LabelFileResult = { kind: 'gone', code: '422', message: 'Not in this format' }

/** `calls`: formats that the carrier was asked for, in this order. */
type FormatCarrier = {
  calls: CarrierLabelFormat[]
  purchased: CarrierLabel
  result: (format: CarrierLabelFormat, trackingNumber: string) => LabelFileResult
}

const sellsAll = (): FormatCarrier => ({
  calls: [],
  purchased: PDF,
  result: (format, trackingNumber) => ({
    kind: 'label',
    label: { mime: LABEL_MIME[format], bytes: labelFile(trackingNumber, format) },
  }),
})

/** A finished bulk order of `count` labels from this carrier. */
const withLabels = (
  formatCarrier: FormatCarrier,
  count: number,
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
            const result = await carrier.purchase(...args)
            return result.ok
              ? { ok: true, purchase: { ...result.purchase, label: formatCarrier.purchased } }
              : result
          },
          labelFormats: ['pdf', 'png', 'zpl'],
          fetchLabel: async ({ trackingNumber }, format) => {
            formatCarrier.calls.push(format)
            return formatCarrier.result(format, trackingNumber)
          },
        },
      }),
    },
    async simulation => {
      await setCustomerBalance(simulation, simulation.customerIds[0], 1_000_000)
      await submitRows(simulation, count)
      await buyQueued(simulation)
      await endIfReady(simulation.ctx, simulation.batches[0]!)
      await run(simulation)
      expect(await findDiscrepancies(simulation.database)).toEqual([])
    },
  )

type LabelRow = { id: number; key: string; tracking: string }

const labelsOf = async ({ database, batches }: Simulation): Promise<LabelRow[]> =>
  (
    await database.pool.query<LabelRow>(
      `select id, pdf_key as key, tracking_number as tracking from shipment_order
        where batch_id = $1 order by row_no`,
      [batches[0]],
    )
  ).rows

const callerOf = (simulation: Simulation) => ({
  userId: simulation.customerIds[0],
  role: 'user' as const,
})

const single = (
  simulation: Simulation,
  { id, key }: LabelRow,
  format: 'pdf' | 'letter' | 'png' | 'zpl',
) =>
  printSingleLabel(simulation.ctx, callerOf(simulation), {
    orderId: id,
    name: labelFileName(id, key, true),
    style: { format, firstHalf: 1 },
  })

const bulkZpl = async (simulation: Simulation, from: number, to: number): Promise<string> => {
  const batch = await getBatchFor(simulation.ctx, callerOf(simulation), simulation.batches[0]!)
  const parts: Uint8Array[] = []
  await printRows(
    simulation.ctx,
    batch,
    { rows: [[from, to]], style: { format: 'zpl', firstHalf: 1 }, again: async () => {} },
    { write: part => void parts.push(part) },
  )
  return Buffer.concat(parts).toString('latin1')
}

/** The tracking numbers of labels that follow each other, each on lines of its own. */
const numbersIn = (zpl: string): string[] =>
  Array.from(zpl.matchAll(/^\^XA.*\^FD(\d+)\^FS\^XZ$/gm), found => found[1]!)

const refusalOf = async (work: Promise<unknown>): Promise<Refusal> => {
  const error = await work.then(
    () => null,
    reason => reason as unknown,
  )
  if (!(error instanceof Refusal)) throw new Error('not refused', { cause: error })
  return error
}

test('a live label is served as ZPL and as PNG, and its carrier is asked once for each', async () => {
  const carrier = sellsAll()
  await withLabels(carrier, 1, async simulation => {
    const [label] = await labelsOf(simulation)
    for (const format of ['zpl', 'png', 'zpl', 'png'] as const)
      expect(await single(simulation, label!, format)).toEqual(labelFile(label!.tracking, format))
    expect(carrier.calls).toEqual(['zpl', 'png'])
    expect(await single(simulation, label!, 'pdf')).toEqual(PDF.bytes)
    expect(await readPdf(await single(simulation, label!, 'letter'))).toHaveLength(1)
    expect(carrier.calls).toHaveLength(2)
  })
})

test('two downloads of the same label at once are one call to the carrier', async () => {
  const carrier = sellsAll()
  await withLabels(carrier, 1, async simulation => {
    const [label] = await labelsOf(simulation)
    const both = await Promise.all([
      single(simulation, label!, 'zpl'),
      single(simulation, label!, 'zpl'),
    ])
    expect(both[0]).toEqual(both[1])
    expect(carrier.calls).toEqual(['zpl'])
  })
})

test('a label that its carrier made as PNG is served as PNG without a call', async () => {
  const carrier = {
    ...sellsAll(),
    purchased: { mime: LABEL_MIME.png, bytes: labelFile('x', 'png') },
  }
  await withLabels(carrier, 1, async simulation => {
    const [label] = await labelsOf(simulation)
    expect(await single(simulation, label!, 'png')).toEqual(carrier.purchased.bytes)
    expect(carrier.calls).toEqual([])
  })
})

test('a format that the carrier does not have is refused with what there is, and not requested again', async () => {
  const carrier: FormatCarrier = { ...sellsAll(), result: () => NOT_SOLD }
  await withLabels(carrier, 2, async simulation => {
    const [label] = await labelsOf(simulation)
    for (const format of ['zpl', 'png', 'zpl'] as const) {
      expect(await refusalOf(single(simulation, label!, format))).toMatchObject({
        code: 'format_not_available',
        message: expect.stringContaining('4x6 PDF and on Letter sheets') as string,
      })
    }
    expect(carrier.calls).toEqual(['zpl', 'png'])
    // The first row is known to be unavailable: no byte is sent, and the other label costs no call.
    expect(await refusalOf(bulkZpl(simulation, 1, 2))).toMatchObject({
      code: 'format_not_available',
      message: expect.stringMatching(/^Row 1: .*4x6 PDF and on Letter sheets/) as string,
    })
    expect(carrier.calls).toHaveLength(2)
    expect(await single(simulation, label!, 'pdf')).toEqual(PDF.bytes)
  })
})

test('while the carrier is paused, a format is fetched later and the answer says when', async () => {
  const carrier = sellsAll()
  await withLabels(carrier, 1, async simulation => {
    const [label] = await labelsOf(simulation)
    await simulation.database.tx(tx => pause(tx, simulation.ctx.carrier.account, 60_000, null))
    const refusal = await refusalOf(single(simulation, label!, 'zpl'))
    expect(refusal).toMatchObject({
      code: 'file_being_made',
      message: expect.stringContaining('will send it as ZPL soon') as string,
    })
    expect(refusal.retryAfter).toBeGreaterThan(30)
    expect(carrier.calls).toEqual([])
  })
})

test('a file of another format than requested, or a part of one, is not the label', async () => {
  const wrong: CarrierLabel[] = [
    PDF,
    { mime: LABEL_MIME.zpl, bytes: Buffer.from('^XA^FO30,30^FDcut off') },
    { mime: LABEL_MIME.zpl, bytes: Buffer.from('<html>') },
  ]
  const carrier: FormatCarrier = {
    ...sellsAll(),
    result: () => ({ kind: 'label', label: wrong[carrier.calls.length - 1]! }),
  }
  await withLabels(carrier, 1, async simulation => {
    const [label] = await labelsOf(simulation)
    for (const problem of [
      'The carrier sent PDF instead of ZPL',
      'The carrier sent a file that is no ZPL',
      'The carrier sent a file that is no ZPL',
    ]) {
      expect((await refusalOf(single(simulation, label!, 'zpl'))).code).toBe('file_being_made')
      const { rows } = await simulation.database.pool.query(
        `update carrier_label_file set run_after = clock_timestamp() where format = 'zpl' returning problem`,
      )
      expect(rows).toEqual([{ problem }])
    }
  })
})

test('rows of a bulk order are one ZPL file, in the order of the table; its other files stay as they are', async () => {
  const carrier = sellsAll()
  await withLabels(carrier, 5, async simulation => {
    const labels = await labelsOf(simulation)
    const pdfOf = async () =>
      buffer((await openBatchFile(simulation.ctx, simulation.batches[0]!, 'pdf'))!.stream)
    const before = await pdfOf()
    const waiting = await refusalOf(bulkZpl(simulation, 2, 4))
    expect(waiting).toMatchObject({
      code: 'file_being_made',
      message: expect.stringContaining('sending 3 of these labels as ZPL') as string,
    })
    expect(waiting.retryAfter).toBeGreaterThanOrEqual(5)
    expect(carrier.calls).toEqual([])
    await fetchLabelFiles(simulation.ctx)
    expect(numbersIn(await bulkZpl(simulation, 2, 4))).toEqual(
      labels.slice(1, 4).map(({ tracking }) => tracking),
    )
    expect(carrier.calls).toEqual(['zpl', 'zpl', 'zpl'])
    expect((await pdfOf()).equals(before)).toBe(true)
    const {
      rows: [batch],
    } = await simulation.database.pool.query('select status, files_stale as stale from batch')
    expect(batch).toEqual({ status: 'completed', stale: false })
  })
})

test('a download of a few rows waits for the files that a worker fetches meanwhile', async () => {
  await withLabels(sellsAll(), 2, async simulation => {
    const file = bulkZpl(simulation, 1, 2)
    await expect
      .poll(async () => {
        await fetchLabelFiles(simulation.ctx)
        const { rows } = await simulation.database.pool.query(
          `select 1 from carrier_label_file where format = 'zpl' and state = 'stored'`,
        )
        return rows.length
      })
      .toBe(2)
    expect(numbersIn(await file)).toHaveLength(2)
  })
})

test('more labels than can be requested at a time are refused, and none is requested', async () => {
  const carrier = sellsAll()
  await withLabels(carrier, 501, async simulation => {
    expect(await refusalOf(bulkZpl(simulation, 1, 501))).toMatchObject({
      code: 'format_not_available',
      message: expect.stringContaining('choose fewer rows') as string,
    })
    const { rows } = await simulation.database.pool.query(
      `select 1 from carrier_label_file where format = 'zpl'`,
    )
    expect(rows).toEqual([])
  })
})

test('files of purchases are fetched before other formats, which may be many', async () => {
  const carrier = sellsAll()
  // As many as are fetched at once, in any order.
  const count = 8
  await withLabels(carrier, count, async simulation => {
    expect((await refusalOf(bulkZpl(simulation, 1, count))).code).toBe('file_being_made')
    await simulation.database.pool.query(
      `update carrier_label_file set state = 'pending', file_name = null, mime = null, bytes = null, sha256 = null,
        stored_at = null, run_after = clock_timestamp() where format = 'pdf'`,
    )
    await fetchLabelFiles(simulation.ctx)
    expect(carrier.calls.slice(0, count)).toEqual(Array(count).fill('pdf'))
    expect(carrier.calls.slice(count)).toEqual(Array(count).fill('zpl'))
  })
})
