/** What a call with a key costs over the same call with a session: median and 95th percentile. */
import { createKey } from '#contract/api-keys.ts'
import { SCOPES } from '#contract/keys.ts'
import { totalOrders } from '#contract/orders.ts'
import { startServer } from '#tests/support/server-process.ts'
import { median, percentile } from './figures.ts'

export type KeyBench = { session: Spread; key: Spread }
type Spread = { p50: number; p95: number }

const WARM_UP_CALLS = 200

/** `times` calls of each kind, in turns, so that both meet the same moments of the machine. */
export async function benchKeys(dataDir: string, times = 3_000): Promise<KeyBench> {
  const server = await startServer(dataDir, {
    LOG_LEVEL: 'error',
    CALLS_PER_MINUTE: '1000000',
    KEY_CALLS_PER_MINUTE: '1000000',
  })
  try {
    const { token, user } = await server.register('Bench')
    const params = { userId: user._id }
    const made = await server.call(
      createKey,
      { params, body: { name: 'Bench', scopes: [...SCOPES] } },
      token,
    )
    const took = { session: [] as number[], key: [] as number[] }
    for (let n = 0; n < WARM_UP_CALLS + times; n++)
      for (const [kind, credential] of [
        ['session', token],
        ['key', made.body.key],
      ] as const) {
        const began = performance.now()
        const { status } = await server.call(totalOrders, { params }, credential)
        if (status !== 200) throw new Error(`${kind}: ${status}`)
        if (n >= WARM_UP_CALLS) took[kind].push(performance.now() - began)
      }
    return { session: spreadOf(took.session), key: spreadOf(took.key) }
  } finally {
    await server.stop('SIGTERM')
  }
}

const spreadOf = (took: number[]): Spread => ({
  p50: median(took),
  p95: percentile(took, 0.95),
})
