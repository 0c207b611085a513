/** Quotes and lists a second of one web process, and of two on the same database, each with half of the clients. */
import { Agent, request } from 'node:http'
import { quotePrice } from '#contract/orders.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { startServer } from '#tests/support/server-process.ts'
import type { ServerProcess, SignedInUser } from '#tests/support/server-process.ts'
import { buyerAt, buyLabels } from './single-labels.ts'

/** Answers a second. */
export type WebProcessRun = { what: string; one: number; two: number }

type Call = { method: string; path: string; body?: string }

const CLIENTS = 16
const SECONDS = 8
const LABELS = 100
const SHIPMENTS_OF_A_QUOTE = 100

export async function benchWebProcesses(
  dataDir: string,
  databaseUrl: string,
): Promise<WebProcessRun[]> {
  const env = {
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'error',
    CALLS_PER_MINUTE: '1000000',
    ROLE: 'web',
  }
  const servers = [
    await startServer(`${dataDir}-1`, { ...env, ROLE: 'all' }),
    await startServer(`${dataDir}-2`, env),
  ]
  try {
    const user = await servers[0]!.register('Reader')
    await servers[0]!.pay(user, 10_000)
    await buyLabels(buyerAt(servers[0]!.url), [user], LABELS)
    const runs: WebProcessRun[] = []
    for (const [what, call] of Object.entries(callsOf(user))) {
      await answersPerSecond(servers, user, call)
      const one = await answersPerSecond(servers.slice(0, 1), user, call)
      runs.push({ what, one, two: await answersPerSecond(servers, user, call) })
    }
    return runs
  } finally {
    for (const server of servers) await server.stop('SIGTERM')
  }
}

function callsOf({ user }: SignedInUser): Record<string, Call> {
  const shipment = singleOrderBody(user._id)
  const shipments = Array.from({ length: SHIPMENTS_OF_A_QUOTE }, () => shipment)
  return {
    'list of 25 labels': { method: 'GET', path: `/api/orders/${user._id}?page=1&limit=25` },
    [`quote of ${SHIPMENTS_OF_A_QUOTE} shipments`]: {
      method: quotePrice.method,
      path: quotePrice.path,
      body: JSON.stringify({ userId: user._id, shipments }),
    },
  }
}

/** Clients that ask again as soon as they have the answer, spread evenly over the servers. */
async function answersPerSecond(
  servers: ServerProcess[],
  { token }: SignedInUser,
  call: Call,
): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const end = performance.now() + SECONDS * 1000
  let answers = 0
  const ask = async (url: string): Promise<void> => {
    while (performance.now() < end) {
      await send(agent, url, token, call)
      answers++
    }
  }
  await Promise.all(
    Array.from({ length: CLIENTS }, (_, n) => ask(servers[n % servers.length]!.url)),
  )
  agent.destroy()
  return answers / SECONDS
}

function send(agent: Agent, url: string, token: string, call: Call): Promise<void> {
  const { method, path, body = '' } = call
  return new Promise((resolve, reject) => {
    const headers = {
      token,
      ...(body && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    }
    const sent = request(url + path, { agent, method, headers }, answer => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', part => (text += part))
      answer.on('error', reject)
      answer.on('end', () =>
        answer.statusCode === 200
          ? resolve()
          : reject(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`)),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
