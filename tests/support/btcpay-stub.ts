/**
 * A BTCPay Server stub: it keeps invoices and states as the real one, sends signed webhooks, and
 * fails on command. It calculates by itself, in satoshis, so that our credits can be compared with
 * it.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import type { BtcpayConfig } from '#server/payments/btcpay/adapter.ts'
import { createStubServer } from './stub-http-server.ts'

type Status = 'New' | 'Processing' | 'Settled' | 'Expired' | 'Invalid'
export type StubPayment = {
  id: string
  method: string
  sats: bigint
  feeSats: bigint
  status: 'Processing' | 'Settled' | 'Invalid'
}
export type StubInvoice = {
  id: string
  orderId: string
  status: Status
  additionalStatus: string
  createdTime: number
  expirationTime: number
  payments: StubPayment[]
  body: Record<string, unknown>
}
/**
 * How questions are answered: as they should be; not at all; never; by a proxy's page; by rubbish;
 * without an end; made, and then not answered.
 */
export type BtcpayStubFault =
  | 'well'
  | 'down'
  | 'silent'
  | 'html'
  | 'rubbish'
  | 'endless'
  | 'forbidden'
  | 'moved'
  | 'made-unanswered'
/** How messages are sent. */
export type StubDelivery = 'once' | 'never' | 'twice' | 'backwards'

/** Cents for a whole coin. */
const RATES: Record<string, bigint> = { 'BTC-CHAIN': 6_439_223n, 'LTC-CHAIN': 8_317n }
const SATS_PER_COIN = 100_000_000n

const TIMEOUT_MS = 120_000

/** `tellsPaid: false`: a version before 2.1.2, which does not say what was paid in all. */
export async function btcpayStub({ tellsPaid = true } = {}) {
  const storeId = 'Store1'
  const [apiKey, webhookSecret] = [randomBytes(20).toString('hex'), randomBytes(16).toString('hex')]
  const invoices = new Map<string, StubInvoice>()
  const asked: { method: string; path: string; body: unknown; answer: unknown }[] = []
  /** `isBare`: invoices are read without their store, as 2.4 publishes it, and in no other form. */
  const manners: { mood: BtcpayStubFault; post: StubDelivery; isBare: boolean } = {
    mood: 'well',
    post: 'once',
    isBare: false,
  }
  let webhookUrl: string | null = null
  const server = createStubServer((request, response) => void serve(request, response))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { mood } = manners
    const body = await readJsonBody(request)
    const say = (status: number, answer: unknown, type = 'application/json'): void => {
      response
        .writeHead(status, { 'content-type': type })
        .end(typeof answer === 'string' ? answer : JSON.stringify(answer))
    }
    if (mood === 'down') return void request.socket.destroy()
    if (mood === 'silent') return
    if (mood === 'html') return say(502, '<html><h1>502 Bad Gateway</h1></html>', 'text/html')
    if (mood === 'rubbish') return say(200, { hello: 'world' })
    if (mood === 'endless') return sayWithoutEnd(response)
    if (mood === 'forbidden')
      return say(403, { code: 'missing-permission', message: 'Insufficient API Permissions' })
    if (mood === 'moved')
      return void response.writeHead(302, { location: 'https://elsewhere.example/' }).end()
    if (request.headers.authorization !== `token ${apiKey}`)
      return say(401, { code: 'unauthenticated', message: 'no' })
    const { pathname, searchParams } = new URL(request.url!, url)
    const answer = answerOf(request.method!, pathname, searchParams, body)
    asked.push({ method: request.method!, path: pathname, body, answer })
    if (mood === 'made-unanswered' && request.method === 'POST')
      return void request.socket.destroy()
    if (answer === undefined) return say(404, '', 'text/plain')
    if (answer === null)
      return say(404, { code: 'invoice-not-found', message: 'The invoice was not found' })
    say(200, answer)
  }

  function answerOf(method: string, path: string, query: URLSearchParams, body: unknown): unknown {
    const one = manners.isBare ? '' : `/stores/${storeId}`
    const known = new RegExp(
      `^/api/v1(?:/stores/${storeId}/invoices|${one}/invoices/([^/]+)(?:/(payment-methods))?)$`,
    ).exec(path)
    if (!known) return undefined
    const [, id, part] = known
    if (method === 'POST') return wire(make(body as Record<string, unknown>))
    if (query.has('orderId'))
      return [...invoices.values()]
        .filter(one => query.getAll('orderId').includes(one.orderId))
        .map(wire)
    const invoice = id === undefined ? undefined : invoices.get(id)
    if (!invoice) return null
    return part ? Object.keys(RATES).map(name => methodWire(invoice, name)) : wire(invoice)
  }

  function make(body: Record<string, unknown>): StubInvoice {
    const now = Math.floor(Date.now() / 1000)
    const { expirationMinutes } = body.checkout as { expirationMinutes: number }
    const invoice: StubInvoice = {
      id: randomBytes(11).toString('hex'),
      orderId: (body.metadata as { orderId: string }).orderId,
      status: 'New',
      additionalStatus: 'None',
      createdTime: now,
      expirationTime: now + expirationMinutes * 60,
      payments: [],
      body,
    }
    invoices.set(invoice.id, invoice)
    return invoice
  }

  const wire = (invoice: StubInvoice): object => ({
    id: invoice.id,
    storeId,
    type: invoice.body.amount === undefined ? 'TopUp' : 'Standard',
    currency: 'USD',
    amount: invoice.body.amount ?? '0',
    checkoutLink: `${url}/i/${invoice.id}`,
    ...(tellsPaid && { paidAmount: toDecimalText(acceptedValue(invoice), 10n) }),
    createdTime: invoice.createdTime,
    expirationTime: invoice.expirationTime,
    monitoringExpiration: invoice.expirationTime + 86_400,
    status: invoice.status,
    additionalStatus: invoice.additionalStatus,
    availableStatusesForManualMarking: ['Settled', 'Invalid'],
    archived: false,
    metadata: { orderId: invoice.orderId, itemDesc: 'Balance' },
    checkout: invoice.body.checkout,
    receipt: null,
  })

  const methodWire = (invoice: StubInvoice, name: string): object => ({
    paymentMethodId: name,
    currency: name.slice(0, 3),
    destination: 'bcrt1qexample',
    paymentLink: 'bitcoin:bcrt1qexample',
    rate: toDecimalText(RATES[name]!, 2n),
    paymentMethodPaid: '0',
    totalPaid: '0',
    due: '0',
    amount: '0',
    paymentMethodFee: '0',
    activated: true,
    additionalData: {},
    payments: invoice.payments
      .filter(({ method }) => method === name)
      .map(one => ({
        id: one.id,
        receivedDate: invoice.createdTime,
        value: toDecimalText(one.sats, 8n),
        fee: toDecimalText(one.feeSats, 8n),
        status: one.status,
        destination: 'bcrt1qexample',
      })),
  })

  /** Sends a message for each event, in the manner that was asked for, and waits for the answers. */
  async function tell(invoice: StubInvoice, ...types: string[]): Promise<number[]> {
    if (!webhookUrl || manners.post === 'never') return []
    const order =
      manners.post === 'backwards'
        ? types.toReversed()
        : manners.post === 'twice'
          ? types.flatMap(type => [type, type])
          : types
    const statuses: number[] = []
    for (const type of order) statuses.push(await send(message(invoice, type)))
    return statuses
  }

  const message = (
    { id, orderId }: StubInvoice,
    type: string,
    deliveryId = randomBytes(8).toString('hex'),
  ): Buffer =>
    Buffer.from(
      JSON.stringify(
        {
          deliveryId,
          webhookId: 'Wh1',
          originalDeliveryId: deliveryId,
          isRedelivery: false,
          type,
          timestamp: 1_795_000_001,
          storeId,
          invoiceId: id,
          metadata: { orderId },
        },
        null,
        2,
      ),
    )
  const sign = (body: Buffer): string =>
    `sha256=${createHmac('sha256', webhookSecret).update(body).digest('hex')}`

  async function send(body: Buffer, signature = sign(body)): Promise<number> {
    const { status } = await fetch(`${webhookUrl}/api/payment/webhooks/btcpay`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { 'btcpay-sig': signature, 'content-type': 'application/json' },
    })
    return status
  }

  const found = (id: string): StubInvoice => invoices.get(id)!
  return {
    url,
    invoices,
    asked,
    manners,
    message,
    send,
    sign,
    /** The settings to use this stub. */
    config: {
      url,
      apiKey,
      storeId,
      webhookSecret,
      speedPolicy: 'MediumSpeed',
      expirationMinutes: 15,
      /** The process that has both may stand still. A stub that never answers is given up as soon as a real server. */
      get timeoutMs() {
        return manners.mood === 'silent' ? undefined : TIMEOUT_MS
      },
    } satisfies BtcpayConfig,
    /** Webhooks go to this address from now on. */
    tellTo: (address: string) => void (webhookUrl = address),
    /** Cents that are confirmed, rounded down. */
    confirmed: (id: string): number =>
      Number(confirmedValue(found(id), ['Settled']) / SATS_PER_COIN),
    paid: (id: string): number =>
      Number(confirmedValue(found(id), ['Settled', 'Processing']) / SATS_PER_COIN),
    /** A payment is seen: in time it is being confirmed, after expiry it is late. */
    async pay(
      id: string,
      sats: bigint,
      { method = 'BTC-CHAIN', feeSats = 0n } = {},
    ): Promise<number[]> {
      const invoice = found(id)
      invoice.payments.push({
        id: randomBytes(4).toString('hex'),
        method,
        sats,
        feeSats,
        status: 'Processing',
      })
      if (invoice.status === 'Expired') invoice.additionalStatus = 'PaidLate'
      if (invoice.status === 'New' || invoice.status === 'Processing') {
        const isEnough = isPaidEnough(invoice)
        invoice.status = isEnough ? 'Processing' : 'New'
        invoice.additionalStatus = isEnough ? overpaidOrNone(invoice) : 'PaidPartial'
      }
      const isLate = invoice.status === 'Expired'
      return tell(
        invoice,
        'InvoiceReceivedPayment',
        isLate ? 'InvoicePaidAfterExpiration' : 'InvoiceProcessing',
      )
    },
    /** A block confirms the first payments that are still waiting, all of them unless said otherwise. */
    async confirm(id: string, most = Infinity): Promise<number[]> {
      const invoice = found(id)
      const waiting = invoice.payments.filter(({ status }) => status === 'Processing')
      for (const payment of waiting.slice(0, most)) payment.status = 'Settled'
      const settles = invoice.status === 'Processing'
      if (settles) invoice.status = 'Settled'
      return tell(invoice, 'InvoicePaymentSettled', ...(settles ? ['InvoiceSettled'] : []))
    },
    /** The last payment is replaced or spent elsewhere: the invoice goes back. */
    async drop(id: string): Promise<number[]> {
      const invoice = found(id)
      invoice.payments.at(-1)!.status = 'Invalid'
      if (
        invoice.payments.every(({ status }) => status === 'Invalid')
        && invoice.status === 'Processing'
      )
        invoice.status = 'New'
      return []
    },
    async expire(id: string): Promise<number[]> {
      const invoice = found(id)
      Object.assign(invoice, {
        status: 'Expired',
        additionalStatus: 'None',
        expirationTime: invoice.createdTime,
      })
      return tell(invoice, 'InvoiceExpired')
    },
    async mark(id: string, status: 'Settled' | 'Invalid'): Promise<number[]> {
      Object.assign(found(id), { status, additionalStatus: 'Marked' })
      return tell(found(id), `Invoice${status}`)
    },
    /** The time of watching is over and nothing was confirmed. */
    async giveUp(id: string): Promise<number[]> {
      Object.assign(found(id), { status: 'Invalid', additionalStatus: 'None' })
      return tell(found(id), 'InvoiceInvalid')
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** In cents times COIN, net of fees. */
const confirmedValue = (invoice: StubInvoice, statuses: string[]): bigint =>
  invoice.payments
    .filter(({ status }) => statuses.includes(status))
    .reduce((total, { sats, feeSats, method }) => total + (sats - feeSats) * RATES[method]!, 0n)
const acceptedValue = (invoice: StubInvoice): bigint =>
  confirmedValue(invoice, ['Settled', 'Processing'])

/** In cents times COIN; null for an invoice that takes any amount. */
const requestedValue = ({ body }: StubInvoice): bigint | null =>
  typeof body.amount === 'string'
    ? BigInt(Math.round(Number(body.amount) * 100)) * SATS_PER_COIN
    : null
function isPaidEnough(invoice: StubInvoice): boolean {
  const { paymentTolerance } = invoice.body.checkout as { paymentTolerance: number }
  const requested = requestedValue(invoice) ?? 0n
  return acceptedValue(invoice) * 100n >= requested * BigInt(100 - paymentTolerance)
}
function overpaidOrNone(invoice: StubInvoice): 'PaidOver' | 'None' {
  const requested = requestedValue(invoice)
  const isOver =
    requested === null ? invoice.payments.length > 1 : acceptedValue(invoice) > requested
  return isOver ? 'PaidOver' : 'None'
}

/** 41000n at 8 places: '0.00041000'. */
function toDecimalText(units: bigint, places: bigint): string {
  const digits = String(units).padStart(Number(places) + 1, '0')
  return `${digits.slice(0, -Number(places))}.${digits.slice(-Number(places))}`
}

async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return parts.length === 0 ? undefined : JSON.parse(Buffer.concat(parts).toString('utf8'))
}

/** Until the client hangs up. */
function sayWithoutEnd(response: ServerResponse): void {
  const part = Buffer.alloc(64 * 1024, ' ')
  const parts = function* (): Generator<Buffer> {
    for (;;) yield part
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  pipeline(Readable.from(parts()), response, () => {})
}
