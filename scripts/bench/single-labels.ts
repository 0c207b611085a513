/**
 * Single labels of buyers at the same time: each buyer orders a label, downloads its PDF and orders
 * the next one. Labels a second, and times from the request until the PDF.
 */
import { Agent, request } from 'node:http'
import { placeOrder } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { startServer } from '#tests/support/server-process.ts'
import type { SignedInUser } from '#tests/support/server-process.ts'
import { median, percentile } from './figures.ts'

/** Times in ms. */
export type SingleLabelBench = { buyers: number; perSecond: number; p50: number; p99: number }

const WARM_UP_LABELS = 100

/** One run for each number of `buyers`, of `labels` in all. */
export async function* benchSingleLabels(
  dataDir: string,
  databaseUrl: string,
  buyers: number[],
  labels: number,
): AsyncGenerator<SingleLabelBench> {
  const ctx = await startServer(dataDir, {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'error',
    CALLS_PER_MINUTE: '1000000',
  })
  try {
    const users = await Promise.all(
      Array.from({ length: Math.max(...buyers) }, (_, n) => ctx.register(`Buyer ${n + 1}`)),
    )
    for (const user of users) await ctx.pay(user, 50_000)
    const buyOne = buyerAt(ctx.url)
    await buyLabels(buyOne, users, WARM_UP_LABELS)
    for (const count of buyers) {
      const began = performance.now()
      const times = await buyLabels(buyOne, users.slice(0, count), labels)
      const seconds = (performance.now() - began) / 1000
      yield {
        buyers: count,
        perSecond: labels / seconds,
        p50: median(times),
        p99: percentile(times, 0.99),
      }
    }
  } finally {
    await ctx.stop('SIGTERM')
  }
}

/** Returns the time (ms) of each label. */
export async function buyLabels(
  buyOne: (buyer: SignedInUser) => Promise<void>,
  buyers: SignedInUser[],
  labels: number,
): Promise<number[]> {
  const times: number[] = []
  let left = labels
  const buy = async (buyer: SignedInUser): Promise<void> => {
    while (left-- > 0) {
      const began = performance.now()
      await buyOne(buyer)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(buyers.map(buy))
  return times
}

type Answer = { status: number; bytes: Buffer }

/** Orders a label and downloads its PDF. With node:http, which takes less of the cores that client and server share than `fetch`. */
export function buyerAt(url: string): (buyer: SignedInUser) => Promise<void> {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true })
  const send = (method: string, path: string, token: string, body = ''): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = {
        token,
        ...(body && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
      }
      const sent = request({ agent, hostname, port, method, path, headers }, answer => {
        const parts: Buffer[] = []
        answer.on('data', part => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, bytes: Buffer.concat(parts) }),
        )
      })
      sent.on('error', reject)
      sent.end(body)
    })
  return async ({ token, user }) => {
    const order = JSON.stringify(singleOrderBody(user._id))
    const { status, bytes } = await send(placeOrder.method, placeOrder.path, token, order)
    const { data, message } = JSON.parse(bytes.toString())
    if (!data?.pdfName) throw new Error(`one label: ${status} ${message}`)
    const pdf = await send('GET', `/api/orders/download/v2/${data.pdfName}`, token)
    if (pdf.status !== 200) throw new Error(`its PDF: ${pdf.status}`)
  }
}
