/** The thread that measures for health-watch.ts. Plain Node runs it, so it imports packages only. */
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { ProberReply, ProberTask } from './health-watch.ts'

const PAUSE_MS = 5
/** A server that is frozen for longer counts as failed. */
const TIMEOUT_MS = 120_000

const { url } = workerData as { url: string }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let measuring = false

const askOnce = (): Promise<boolean> =>
  new Promise((answered, failed) => {
    const asked = request(`${url}/api/health`, { agent, timeout: TIMEOUT_MS }, answer => {
      answer.resume()
      answer.once('end', () => answered(answer.statusCode === 200))
      answer.once('error', failed)
    })
    asked.once('timeout', () => asked.destroy(new Error('no answer')))
    asked.once('error', error =>
      // The server may close an idle connection just as it is used again.
      asked.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
        ? askOnce().then(answered, failed)
        : failed(error),
    )
    asked.end()
  })

async function measure(): Promise<ProberReply> {
  const waits: number[] = []
  let failures = 0
  do {
    const start = performance.now()
    const isUp = await askOnce().catch(() => false)
    waits.push(performance.now() - start)
    if (!isUp) failures++
    await wait(PAUSE_MS)
  } while (measuring)
  return { waits, failures }
}

/** Milliseconds that 20 readings and writings of 5,000 rows take. */
function work(): number {
  const rows = Array.from({ length: 5_000 }, (_, n) => ({
    name: `Receiver ${n}`,
    street: `${n} Long Street`,
    weight: n / 16,
  }))
  const start = performance.now()
  for (let round = 0, text = JSON.stringify(rows); round < 20; round++)
    text = JSON.stringify(JSON.parse(text))
  return performance.now() - start
}

parentPort!.on('message', async (task: ProberTask) => {
  if (task === 'stop') measuring = false
  else if (task === 'work') parentPort!.postMessage(work())
  else {
    measuring = true
    parentPort!.postMessage(await measure())
  }
})
