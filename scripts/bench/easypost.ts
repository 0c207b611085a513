/** A label through /v2, created and bought, over the same label through /api/orders/v2. */
import { placeOrder } from '#contract/orders.ts'
import { SHIPMENT } from '#tests/support/easypost-client.ts'
import { singleOrderBody } from '#tests/support/rows.ts'
import { startServer } from '#tests/support/server-process.ts'
import { median } from './figures.ts'

/** Medians in ms. */
export type EasypostBench = { single: number; created: number; bought: number }

const WARM_UP = 30

/** `times` labels of each kind, in turns, so that both meet the same moments of the machine. */
export async function benchEasypost(dataDir: string, times = 300): Promise<EasypostBench> {
  const server = await startServer(dataDir, { LOG_LEVEL: 'error', CALLS_PER_MINUTE: '1000000' })
  try {
    const { token, user } = await server.register('Bench')
    await server.pay({ token, user }, 10_000)
    const post = async (path: string, body: object): Promise<{ id: string; rates: object[] }> => {
      const answer = await fetch(server.url + path, {
        method: 'POST',
        headers: { token, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as { id: string; rates: object[] }
    }
    const timed = async <Answer>(into: number[], work: () => Promise<Answer>): Promise<Answer> => {
      const began = performance.now()
      const answer = await work()
      into.push(performance.now() - began)
      return answer
    }
    const took = { single: [] as number[], created: [] as number[], bought: [] as number[] }
    const service = { service_name: 'USPS Ground Advantage' }
    for (let n = 0; n < WARM_UP + times; n++) {
      await timed(took.single, () => post(placeOrder.path, singleOrderBody(user._id, service)))
      const { id, rates } = await timed(took.created, () =>
        post('/v2/shipments', { shipment: SHIPMENT }),
      )
      await timed(took.bought, () => post(`/v2/shipments/${id}/buy`, { rate: rates[0] }))
    }
    return {
      single: median(took.single.slice(WARM_UP)),
      created: median(took.created.slice(WARM_UP)),
      bought: median(took.bought.slice(WARM_UP)),
    }
  } finally {
    await server.stop('SIGTERM')
  }
}
