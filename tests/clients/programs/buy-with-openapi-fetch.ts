/** Buys a label with the types of openapi-typescript. Prints what came of it. */
import { writeFileSync } from 'node:fs'
import createClient from 'openapi-fetch'
import type { components, paths } from './generated/evenpost.js'
import { order, printed } from './order.js'

type Order = components['schemas']['Order']

const client = createClient<paths>({
  baseUrl: process.env.EVENPOST_URL!,
  headers: { Authorization: `Bearer ${process.env.EVENPOST_KEY}` },
})
const { data: me } = await client.GET('/api/key')
if (!me) throw new Error('the key is not known')
const path = { userId: me.userId }

const { data: services = [] } = await client.GET('/api/userServices/{userId}/available', {
  params: { path },
})
const service = services.find(({ uid }) => uid === 'usps:GROUND_ADVANTAGE')!

const { data: bought, error } = await client.POST('/api/orders/v2', {
  params: { header: { 'Idempotency-Key': 'openapi-fetch' } },
  body: { ...order, user_id: me.userId, service_name: service.uid },
})
if (!bought) throw new Error(`${error.code}: ${error.message}`)
const { orderId, pdfName, price } = bought.data

const file = await client.GET('/api/orders/download/{kind}/{name}', {
  params: { path: { kind: 'v2', name: pdfName! } },
  parseAs: 'arrayBuffer',
})
const label = Buffer.from(file.data as unknown as ArrayBuffer)

const listed = await client.GET('/api/orders/{userId}', { params: { path, query: { limit: 10 } } })
const recent = await client.GET('/api/orders/recent/{userId}', { params: { path } })
// Both lists have the same orders.
const orders: Order[] = [...listed.data!.orders, ...recent.data!.recentOrders]

const refused = await client.POST('/api/orders/v2', {
  body: { ...order, user_id: me.userId, service_name: 'no such service' },
})
const voided = await client.POST('/api/orders/{orderId}/void', { params: { path: { orderId } } })

writeFileSync(
  process.stdout.fd,
  printed({
    mode: me.mode,
    price,
    file: label.subarray(0, 4).toString(),
    orders: orders.map(({ _id }) => _id === orderId),
    refused: { status: refused.response.status, code: refused.error?.code },
    voided: voided.data?.order.void ?? null,
  }),
)
