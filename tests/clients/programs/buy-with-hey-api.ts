/** Buys a label with the functions of @hey-api/openapi-ts. Prints what came of it. */
import { writeFileSync } from 'node:fs'
import { client } from './generated/hey-api/client.gen.js'
import {
  availableServices,
  currentKey,
  downloadFile,
  listOrders,
  placeOrder,
  recentOrders,
  voidOrder,
} from './generated/hey-api/index.js'
import type { Order } from './generated/hey-api/index.js'
import { order, printed } from './order.js'

client.setConfig({
  baseUrl: process.env.EVENPOST_URL!,
  auth: scheme => (scheme.scheme === 'bearer' ? process.env.EVENPOST_KEY : undefined),
})
const { data: me } = await currentKey({ throwOnError: true })
const path = { userId: me.userId }

const { data: services } = await availableServices({ path, throwOnError: true })
const service = services.find(({ uid }) => uid === 'usps:GROUND_ADVANTAGE')!

const { data: bought } = await placeOrder({
  headers: { 'Idempotency-Key': 'hey-api' },
  body: { ...order, user_id: me.userId, service_name: service.uid },
  throwOnError: true,
})
const { orderId, pdfName, price } = bought.data

const { data: file } = await downloadFile({
  path: { kind: 'v2', name: pdfName! },
  parseAs: 'blob',
  throwOnError: true,
})
const label = Buffer.from(await (file as Blob).arrayBuffer())

const listed = await listOrders({ path, query: { limit: 10 }, throwOnError: true })
const recent = await recentOrders({ path, throwOnError: true })
// Both lists have the same orders.
const orders: Order[] = [...listed.data.orders, ...recent.data.recentOrders]

const refused = await placeOrder({
  body: { ...order, user_id: me.userId, service_name: 'no such service' },
})
const voided = await voidOrder({ path: { orderId } })

writeFileSync(
  process.stdout.fd,
  printed({
    mode: me.mode,
    price,
    file: label.subarray(0, 4).toString(),
    orders: orders.map(({ _id }) => _id === orderId),
    refused: { status: refused.response!.status, code: refused.error?.code },
    voided: voided.data?.order.void ?? null,
  }),
)
