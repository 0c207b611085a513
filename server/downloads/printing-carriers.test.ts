/** Downloads of labels that the carrier makes, over HTTP. */
import { createCipheriv } from 'node:crypto'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { downloadFile } from '#contract/downloads.ts'
import { checkOwner, checkRole } from '#server/accounts/access.ts'
import { endIfReady } from '#server/batches/close.ts'
import type { CarrierLabel } from '#server/carriers/port.ts'
import { MAX_CONCURRENT_READS } from '#server/labels/batch-files.ts'
import { specimenPdf } from '#server/labels/specimen-pdf.ts'
import { labelFileName } from '#server/orders/rules.ts'
import { MAKING_LIMITS, openLongAnswers } from '#server/platform/http/long-answers.ts'
import { createRouter } from '#server/platform/http/router.ts'
import { createHttpServer } from '#server/platform/http/server.ts'
import { buyQueued, submitRows } from '#tests/model/batch-steps.ts'
import { withSimulation, setCustomerBalance } from '#tests/model/simulation.ts'
import type { Simulation } from '#tests/model/simulation.ts'
import { injectOptionsFor } from '#tests/support/app.ts'
import { findDiscrepancies } from '#tests/support/discrepancies.ts'
import { readPdf } from '#tests/support/read-pdf.ts'
import { sampleLabel } from '#tests/support/sample-labels.ts'
import { registerDownloadRoutes } from './routes.ts'

/** The checksum is not read here. */
const chunk = (kind: string, data: Uint8Array): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(kind, 4, 'latin1')
  return Buffer.concat([head, data, Buffer.alloc(4)])
}
/** A random gray image of the size of a label: almost a megabyte, as it cannot be compressed. */
function picture(seed: number, width = 812, height = 1218): Buffer {
  const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16, seed), Buffer.alloc(16))
  const dots = noise.update(Buffer.alloc((width + 1) * height))
  for (let row = 0; row < height; row++) dots[row * (width + 1)] = 0
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0])
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    mark,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(dots, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
const png = (seed: number): CarrierLabel => ({ mime: 'image/png', bytes: picture(seed) })
const pdf = (seed: number): CarrierLabel => ({
  mime: 'application/pdf',
  bytes: specimenPdf(sampleLabel(seed)),
})

type DownloadRequest = [kind: string, name: string, query?: Record<string, unknown>, by?: number]

type DownloadTest = {
  simulation: Simulation
  /** Makes a request as a user. */
  ask(
    ...request: DownloadRequest
  ): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>
  /** Without reading the body. */
  call(...request: DownloadRequest): Promise<IncomingMessage>
  head(...request: DownloadRequest): Promise<IncomingMessage>
  /** In the order of rows. */
  names: string[]
  /** Requests until the token is no longer valid. */
  tokens: { left: number }
  /** Label files that were read. */
  read: { count: number; before: (nth: number) => Promise<void> }
}

/**
 * A finished bulk order of a carrier that makes its labels, and a server for downloads. The token
 * is the user id.
 */
const withLabels = (
  made: (nth: number) => CarrierLabel,
  count: number,
  run: (download: DownloadTest) => Promise<void>,
): Promise<void> => {
  const labels = Array.from({ length: count }, (_, nth) => made(nth))
  let sold = 0
  return withSimulation(
    {
      change: ({ carrier, config }) => ({
        // A slow machine must not cause time-outs here.
        config: { ...config, carrierTimeoutMs: 10_000 },
        carrier: {
          ...carrier,
          purchase: async (...args) => {
            const outcome = await carrier.purchase(...args)
            return outcome.ok
              ? { ok: true, purchase: { ...outcome.purchase, label: labels[sold++]! } }
              : outcome
          },
          fetchLabel: async () => ({
            kind: 'not_yet',
            code: 'WAIT',
            message: 'The label is being drawn',
            retryAfterMs: 60_000,
          }),
        },
      }),
    },
    async simulation => {
      await setCustomerBalance(simulation, simulation.customerIds[0], 1_000_000)
      await submitRows(simulation, count)
      await buyQueued(simulation)
      await endIfReady(simulation.ctx, simulation.batches[0]!)
      const {
        rows: [batch],
      } = await simulation.database.pool.query('select status from batch where id = $1', [
        simulation.batches[0],
      ])
      expect(batch).toEqual({ status: 'completed' })
      const tokens = { left: Infinity }
      const read: DownloadTest['read'] = { count: 0, before: async () => {} }
      const { files } = simulation.ctx
      const ctx = {
        ...simulation.ctx,
        files: {
          ...files,
          read: async (name: string) => {
            if (name.startsWith('carrier-')) await read.before(++read.count)
            return files.read(name)
          },
        },
      }
      const http = createHttpServer({ trustProxy: false, logLevel: 'silent', silent: true })
      registerDownloadRoutes(
        createRouter(http, {
          authenticate: async token =>
            tokens.left-- <= 0
              ? null
              : {
                  userId: Number(token),
                  role: 'user',
                  sessionId: 1,
                  impersonatorId: null,
                  key: null,
                },
          limits: {
            countKeyCall: () => ({ most: 1, left: 1, seconds: 1 }),
            rememberValidKey() {},
            countWrongKey() {},
          },
          authenticateDownload: async () => null,
          checkRole,
          checkOwner,
          onRefused: async () => {},
          beforeAction: async () => {},
        }),
        ctx,
        openLongAnswers(ctx.closing, { ...MAKING_LIMITS, waitingPerUser: 0 }),
      )
      await http.listen({ host: '127.0.0.1', port: 0 })
      const { port } = http.server.address() as { port: number }
      const send =
        (method: 'GET' | 'HEAD'): DownloadTest['call'] =>
        (kind, name, query = {}, by = simulation.customerIds[0]) =>
          new Promise((resolve, reject) => {
            const { url } = injectOptionsFor(downloadFile, { params: { kind, name }, query })
            const headers = { token: String(by) }
            request({ port, method, path: url as string, headers, agent: false }, resolve)
              .on('error', reject)
              .end()
          })
      const call = send('GET')
      const { rows } = await simulation.database.pool.query<{ id: number; key: string }>(
        'select id, pdf_key as key from shipment_order where batch_id = $1 order by row_no',
        [simulation.batches[0]],
      )
      try {
        await run({
          simulation,
          call,
          head: send('HEAD'),
          read,
          tokens,
          names: rows.map(({ id, key }) => labelFileName(id, key, true)),
          async ask(...asked) {
            const answer = await call(...asked)
            return {
              status: answer.statusCode!,
              headers: answer.headers,
              body: await buffer(answer),
            }
          },
        })
      } finally {
        http.server.closeAllConnections()
        await http.close()
      }
      expect(await findDiscrepancies(simulation.database)).toEqual([])
    },
  )
}
const messageOf = ({ body }: { body: Buffer }): string =>
  (JSON.parse(body.toString()) as { message: string }).message
const batchOf = ({ simulation }: DownloadTest): string => String(simulation.batches[0])

test('a carrier’s PDF label is available unchanged and on Letter sheets, in no other format, and only to its owner', async () => {
  await withLabels(pdf, 3, async download => {
    const [name] = download.names
    const [as, letter] = [
      await download.ask('v2', name!, { format: 'pdf' }),
      await download.ask('v2', name!, { format: 'letter', first: 2 }),
    ]
    expect(as.body.equals(pdf(0).bytes)).toBe(true)
    expect((await readPdf(letter.body)).map(({ height }) => height)).toEqual([792])
    for (const format of ['zpl', 'png']) {
      const refused = await download.ask('v2', name!, { format })
      expect([refused.status, messageOf(refused)]).toEqual([
        422,
        expect.stringContaining('4x6 PDF and on Letter sheets'),
      ])
    }
    const refused = await download.ask('pdf', batchOf(download), { format: 'zpl', rows: '2-3' })
    expect([refused.status, messageOf(refused)]).toEqual([
      422,
      expect.stringMatching(/^Row 2: .*4x6 PDF and on Letter sheets/),
    ])
    expect(
      await readPdf((await download.ask('pdf', batchOf(download), { format: 'letter' })).body),
    ).toHaveLength(2)
    expect(
      await readPdf((await download.ask('pdf', batchOf(download), { rows: '2,3' })).body),
    ).toHaveLength(2)
    const [, ben] = download.simulation.customerIds
    expect((await download.ask('pdf', batchOf(download), { rows: '1' }, ben)).status).toBe(404)
    expect((await download.ask('v2', name!, { format: 'letter' }, ben)).status).toBe(404)
  })
})

test('a carrier’s PNG label is available in every format', async () => {
  await withLabels(png, 3, async download => {
    const [name] = download.names
    const asked = async (format: string) => {
      const { status, headers, body } = await download.ask('v2', name!, { format })
      return { status, type: headers['content-type'], body }
    }
    expect(await asked('png')).toEqual({ status: 200, type: 'image/png', body: picture(0) })
    for (const [format, height] of [
      ['pdf', 432],
      ['letter', 792],
    ] as const) {
      expect((await readPdf((await asked(format)).body)).map(page => page.height)).toEqual([height])
    }
    expect(await asked('zpl')).toMatchObject({ status: 200, type: 'application/zpl' })
    const all = await download.ask('pdf', batchOf(download), { format: 'zpl' })
    expect([all.status, all.body.toString('latin1').match(/\^XA/g)?.length]).toEqual([200, 3])
    expect(
      await readPdf(
        (await download.ask('pdf', batchOf(download), { format: 'letter', rows: '3,1', first: 2 }))
          .body,
      ),
    ).toHaveLength(2)
  })
})

test('HEAD of a bulk file reads only the first label files, and no more are rendered', async () => {
  await withLabels(pdf, 40, async download => {
    const { statusCode, headers } = await download.head('pdf', batchOf(download), {
      format: 'letter',
    })
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(download.read.count).toBeLessThanOrEqual(MAX_CONCURRENT_READS + 1)
  })
})

test('a PNG that would not print sharply is refused with the formats that are available', async () => {
  await withLabels(
    () => ({ mime: 'image/png', bytes: picture(0, 1200, 1800) }),
    1,
    async download => {
      for (const [kind, name] of [
        ['v2', download.names[0]!],
        ['pdf', batchOf(download)],
      ] as const) {
        const refused = await download.ask(kind, name, { format: 'zpl' })
        expect([refused.status, messageOf(refused)]).toEqual([
          422,
          expect.stringContaining('as Letter or as PNG'),
        ])
      }
    },
  )
})

test('a label with a lost file is left out and requested again; if no label is left, the download says so', async () => {
  await withLabels(png, 2, async download => {
    const {
      rows: [lost],
    } = await download.simulation.database.pool.query<{ id: number; file: string }>(
      'select order_id as id, file_name as file from carrier_label_file order by 1 limit 1',
    )
    const { files } = download.simulation.ctx
    await download.simulation.database.pool.query(
      `update carrier_label_file set file_name = 'carrier-0-gone.png' where order_id = $1`,
      [lost!.id],
    )
    expect(await files.read('carrier-0-gone.png')).toBeNull()
    expect(
      await readPdf((await download.ask('pdf', batchOf(download), { format: 'letter' })).body),
    ).toHaveLength(1)
    const { rows: states } = await download.simulation.database.pool.query(
      'select state from carrier_label_file order by order_id',
    )
    expect(states).toEqual([{ state: 'pending' }, { state: 'stored' }])
    const none = await download.ask('pdf', batchOf(download), { format: 'zpl', rows: '1' })
    expect([none.status, messageOf(none)]).toEqual([
      404,
      expect.stringContaining('has not come from the carrier yet'),
    ])
    const single = await download.ask('v2', download.names[0]!, { format: 'zpl' })
    expect([single.status, Number(single.headers['retry-after'])]).toEqual([
      503,
      expect.any(Number),
    ])
    expect(messageOf(single)).toContain('send its file soon')
  })
})

test('an error after the first bytes breaks the file off, so that it cannot pass for a complete one', async () => {
  await withLabels(png, 12, async download => {
    download.read.before = async nth => {
      if (nth === 12) throw new Error('the disk is gone')
    }
    const answer = await download.call('pdf', batchOf(download), { format: 'letter' })
    expect(answer.statusCode).toBe(200)
    await expect(buffer(answer)).rejects.toThrow('aborted')
    download.read.before = () => Promise.reject(new Error('the disk is gone'))
    const refused = await download.ask('pdf', batchOf(download), { format: 'letter' })
    expect([refused.status, messageOf(refused)]).toEqual([
      503,
      'Files cannot be reached at the moment. Please try again soon.',
    ])
    expect(
      download.simulation.errors
        .splice(0)
        .every(text => text.startsWith('a file could not be read')),
    ).toBe(true)
  })
})

test('two files of one user are made at a time; a closed connection frees its slot, and nothing more is read for it', async () => {
  await withLabels(png, 48, async download => {
    // Neither file is made to its end before its connection is closed.
    const closed = Promise.withResolvers<void>()
    download.read.before = nth => (nth > 30 ? closed.promise : Promise.resolve())
    const slow = await Promise.all(
      [1, 2].map(() => download.call('pdf', batchOf(download), { format: 'letter' })),
    )
    expect(slow.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    for (const answer of slow) answer.resume().on('error', () => {})
    // Now both wait for their files, and neither for its reader, which would give its slot to others.
    await expect.poll(() => download.read.count).toBe(30 + 2 * MAX_CONCURRENT_READS)
    const third = await download.ask('pdf', batchOf(download), { rows: '1' })
    expect([third.status, Number(third.headers['retry-after']) > 0, messageOf(third)]).toEqual([
      429,
      true,
      expect.stringContaining('files of yours are under way'),
    ])
    for (const answer of slow) answer.destroy()
    closed.resolve()
    await expect
      .poll(async () => (await download.ask('pdf', batchOf(download), { rows: '1' })).status)
      .toBe(200)
    // Both files have 48 labels.
    await expect.poll(async () => (await download.ask('v2', download.names[0]!)).status).toBe(200)
    expect(download.read.count).toBeLessThan(96)
  })
})

test('a user who is signed out during a download gets no more of the file', async () => {
  await withLabels(
    () => pdf(0),
    210,
    async download => {
      download.tokens.left = 2
      expect((await download.ask('pdf', batchOf(download), { format: 'letter' })).status).toBe(200)
      download.tokens.left = 1
      expect((await download.ask('pdf', batchOf(download), { format: 'letter' })).status).toBe(401)
    },
  )
})
