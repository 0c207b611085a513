import { createCanvas } from '@napi-rs/canvas'
import { expect, test } from 'vitest'
import { rest } from '#server/carriers/budget-store.ts'
import type { CarrierLabel, LabelAnswer } from '#server/carriers/port.ts'
import { specimenPdf } from '#server/labels/pdf.ts'
import { startWorker } from '#server/orders/jobs.ts'
import { fetchPapers } from '#server/orders/papers.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { order } from '#tests/model/batch-steps.ts'
import { atPlace, give, pass } from '#tests/model/workplace.ts'
import type { Place } from '#tests/model/workplace.ts'
import { audit } from '#tests/support/books.ts'
import { paper } from '#tests/support/paper.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { endIfReady } from './close.ts'
import { openFile } from './files.ts'
import { paperNow } from './paper-now.ts'
import { PAPER_PATIENCE_MS } from './rules.ts'

const PDF: CarrierLabel = { mime: 'application/pdf', bytes: specimenPdf(paper(5)) }
const PNG: CarrierLabel = { mime: 'image/png', bytes: createCanvas(203, 305).toBuffer('image/png') }
const NOT_YET: LabelAnswer = { kind: 'not_yet', code: 'WAIT', message: 'The label is being drawn' }

/** A carrier that makes its labels: `delivered` come with the purchase, the others are asked for. */
type Desk = {
  asked: number
  delivers: boolean
  answer: (nth: number) => LabelAnswer | Promise<never>
}

const withCarrier = (desk: Desk, game: (place: Place) => Promise<void>): Promise<void> =>
  atPlace(
    {
      change: ({ carrier, config }) => ({
        // Nothing here is about carriers that are slow, however slow the machine is.
        config: { ...config, carrierTimeoutMs: 10_000 },
        carrier: {
          ...carrier,
          purchase: async (...wish) => {
            const outcome = await carrier.purchase(...wish)
            return desk.delivers && outcome.ok
              ? { ok: true, purchase: { ...outcome.purchase, label: PDF } }
              : outcome
          },
          fetchLabel: async () => desk.answer(++desk.asked),
        },
      }),
    },
    async place => {
      await give(place, place.people[0], 1_000_000)
      await game(place)
      expect(await audit(place.database)).toEqual([])
    },
  )

async function work(place: Place): Promise<void> {
  await startWorker(place.house).stop()
  await endIfReady(place.house, place.batches[0]!)
}

/** The worker looks at files that are due when its clock ticks; here it is told. */
async function fetchAndWork(place: Place): Promise<void> {
  await place.database.pool.query(
    `update carrier_paper set run_after = clock_timestamp() where state = 'wanted'`,
  )
  await fetchPapers(place.house)
  await work(place)
}

const batch = async (place: Place) =>
  (
    await place.database.pool.query<{ status: string; stale: boolean; pdf: string | null }>(
      'select status, files_stale as stale, pdf_name as pdf from batch where id = $1',
      [place.batches[0]],
    )
  ).rows[0]!
const papers = async (place: Place) =>
  (
    await place.database.pool.query<{ state: string; problem: string | null; file: string | null }>(
      'select state, problem, file_name as file from carrier_paper order by order_id',
    )
  ).rows

async function fileOf(place: Place, kind: 'pdf' | 'result-csv'): Promise<Buffer> {
  const file = await openFile(place.house, place.batches[0]!, kind)
  const pieces: Buffer[] = []
  for await (const piece of file!.stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

test('labels that come with their purchase are kept, and are the batch’s pages in the order of its table', async () => {
  const desk: Desk = { asked: 0, delivers: true, answer: () => NOT_YET }
  await withCarrier(desk, async place => {
    await order(place, place.people[0], ['', 'SANDBOX REFUSE', '', ''])
    await work(place)
    expect((await papers(place)).map(({ state }) => state)).toEqual(['kept', 'kept', 'kept'])
    expect(await batch(place)).toMatchObject({ status: 'completed_with_errors' })
    expect(await readPdf(await fileOf(place, 'pdf'))).toHaveLength(3)
    expect(desk.asked).toBe(0)
  })
})

test('files that did not come are asked for, and nothing is bought for them', async () => {
  const desk: Desk = {
    asked: 0,
    delivers: false,
    answer: nth => (nth <= 2 ? Promise.reject(new Error('reset')) : { kind: 'label', label: PNG }),
  }
  await withCarrier(desk, async place => {
    await order(place, place.people[0], ['', ''])
    await work(place)
    expect(await batch(place)).toMatchObject({ status: 'processing', pdf: null })
    await fetchAndWork(place)
    expect((await papers(place)).map(({ state }) => state)).toEqual(['wanted', 'wanted'])
    await fetchAndWork(place)
    expect(await batch(place)).toMatchObject({ status: 'completed' })
    expect(await readPdf(await fileOf(place, 'pdf'))).toHaveLength(2)
    const {
      rows: [sold],
    } = await place.database.pool.query('select count(*)::int as many from sandbox_purchase')
    expect(sold).toEqual({ many: 2 })
  })
})

test('a batch does not wait for ever: it ends without the file, says so, and has it as soon as it comes', async () => {
  let there = false
  const desk: Desk = {
    asked: 0,
    delivers: false,
    answer: nth => (nth === 1 || there ? { kind: 'label', label: PDF } : NOT_YET),
  }
  await withCarrier(desk, async place => {
    await order(place, place.people[0], ['', ''])
    await work(place)
    await fetchAndWork(place)
    expect(await batch(place)).toMatchObject({ status: 'processing' })
    await pass(place, PAPER_PATIENCE_MS + 1_000)
    await work(place)
    expect(await batch(place)).toMatchObject({ status: 'completed' })
    expect(await readPdf(await fileOf(place, 'pdf'))).toHaveLength(1)
    expect((await fileOf(place, 'result-csv')).toString()).toContain(
      'has not come from the carrier yet',
    )
    there = true
    await fetchAndWork(place)
    await expect.poll(async () => (await readPdf(await fileOf(place, 'pdf'))).length).toBe(2)
    expect((await fileOf(place, 'result-csv')).toString()).not.toContain('has not come')
  })
})

test.each<[string, LabelAnswer]>([
  [
    'a page of HTML',
    {
      kind: 'label',
      label: { mime: 'application/pdf', bytes: Buffer.from('<html>Bad Gateway</html>') },
    },
  ],
  ['a file that is empty', { kind: 'label', label: { mime: 'image/png', bytes: Buffer.alloc(0) } }],
  ['nonsense', { kind: 'label' } as unknown as LabelAnswer],
])('%s is no label: it is asked for again', async (_, wrong) => {
  const desk: Desk = {
    asked: 0,
    delivers: false,
    answer: nth => (nth === 1 ? wrong : { kind: 'label', label: PDF }),
  }
  await withCarrier(desk, async place => {
    await order(place, place.people[0], [''])
    await work(place)
    await fetchAndWork(place)
    expect(await papers(place)).toEqual([
      { state: 'wanted', problem: expect.any(String), file: null },
    ])
    await fetchAndWork(place)
    expect(await papers(place)).toMatchObject([{ state: 'kept', problem: null }])
  })
})

test('a label that its carrier has no more is told, and the batch has its other labels', async () => {
  const gone: LabelAnswer = {
    kind: 'gone',
    code: '404',
    message: 'The label is not there any more',
  }
  const desk: Desk = {
    asked: 0,
    delivers: false,
    answer: nth => (nth === 1 ? gone : { kind: 'label', label: PDF }),
  }
  await withCarrier(desk, async place => {
    await order(place, place.people[0], ['', ''])
    await work(place)
    await fetchAndWork(place)
    expect((await papers(place)).map(({ state }) => state).toSorted()).toEqual(['gone', 'kept'])
    expect(await batch(place)).toMatchObject({ status: 'completed' })
    expect(await readPdf(await fileOf(place, 'pdf'))).toHaveLength(1)
    expect((await fileOf(place, 'result-csv')).toString()).toContain(
      'does not have the label’s file any more',
    )
    expect(place.errors.splice(0)).toHaveLength(1)
  })
})

test('a kept file that is lost is fetched anew, and the batch gets its page back', async () => {
  const desk: Desk = { asked: 0, delivers: true, answer: () => ({ kind: 'label', label: PDF }) }
  await withCarrier(desk, async place => {
    await order(place, place.people[0], ['', ''])
    await work(place)
    const [lost] = await papers(place)
    const { read } = place.house.files
    const without = (name: string) =>
      name === lost!.file && desk.asked === 0 ? Promise.resolve(null) : read(name)
    Object.assign(place.house, { files: { ...place.house.files, read: without } })
    await endIfReady(place.house, place.batches[0]!, {})
    expect(await papers(place)).toMatchObject([{ state: 'wanted' }, { state: 'kept' }])
    await fetchAndWork(place)
    await expect.poll(async () => (await readPdf(await fileOf(place, 'pdf'))).length).toBe(2)
  })
})

/** Somebody clicks on the label of the first row: its bytes, or in how many seconds he is told to come back. */
async function click(place: Place): Promise<Uint8Array | number> {
  const {
    rows: [label],
  } = await place.database.pool.query<{ id: number }>(
    'select order_id as id from carrier_paper order by 1 limit 1',
  )
  try {
    return (await paperNow(place.house, label!.id)).bytes
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unavailable') return error.retryAfter!
    throw error
  }
}

test('who clicks again and again asks the carrier no more often, and is told when to come back', async () => {
  const desk: Desk = {
    asked: 0,
    delivers: false,
    answer: nth =>
      nth === 1 ? { ...NOT_YET, retryAfterMs: 90_000 } : { kind: 'label', label: PDF },
  }
  await withCarrier(desk, async place => {
    await order(place, place.people[0], [''])
    await work(place)
    for (let clicks = 0; clicks < 5; clicks++) {
      const seconds = await click(place)
      expect(seconds).toBeGreaterThan(30)
      expect(seconds).toBeLessThanOrEqual(90)
    }
    expect(desk.asked).toBe(1)
    await place.database.pool.query('update carrier_paper set run_after = clock_timestamp()')
    expect(await Promise.all([click(place), click(place)])).toEqual(
      [PDF.bytes, PDF.bytes].map(bytes => Buffer.from(bytes)),
    )
    expect(desk.asked).toBe(2)
  })
})

test('nobody’s click disturbs a carrier that wants a rest', async () => {
  const desk: Desk = { asked: 0, delivers: false, answer: () => ({ kind: 'label', label: PDF }) }
  await withCarrier(desk, async place => {
    await order(place, place.people[0], [''])
    await work(place)
    await place.database.tx(tx => rest(tx, place.house.carrier.account, 60_000, null))
    const seconds = await click(place)
    expect([(seconds as number) > 1, desk.asked]).toEqual([true, 0])
    await pass(place, 61_000)
    expect(await click(place)).toEqual(Buffer.from(PDF.bytes))
  })
})

test('a store that loses every file does not use up what the carrier prints', async () => {
  const desk: Desk = { asked: 0, delivers: false, answer: () => ({ kind: 'label', label: PDF }) }
  await withCarrier(desk, async place => {
    await order(place, place.people[0], [''])
    await work(place)
    Object.assign(place.house, { files: { ...place.house.files, read: async () => null } })
    for (let clicks = 0; clicks < 3; clicks++) expect(await click(place)).toBeGreaterThan(60)
    expect(desk.asked).toBe(1)
  })
})
