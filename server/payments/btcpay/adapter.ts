/** BTCPay Server. Only look-ups count; webhooks merely trigger them. */
import { ProviderUnavailable } from '#server/payments/port.ts'
import type { PaymentProvider, ProviderInvoice } from '#server/payments/port.ts'
import type { Config } from '#server/platform/config.ts'
import { readResponse, ResponseTooLongError } from '#server/platform/http/read-response.ts'
import {
  hasPayments,
  parseInvoice,
  newestInvoice,
  InvalidResponseError,
  toProviderInvoice,
} from './answer.ts'
import {
  withoutStore,
  createInvoiceRequest,
  findInvoicesRequest,
  readInvoiceRequest,
  readPaymentsRequest,
  requestUrl,
} from './request.ts'
import type { BtcpayRequest, BtcpayStore } from './request.ts'

const TIMEOUT_MS = 10_000
/** As in {"code": "invoice-not-found"}. */
const BTCPAY_404 = /"code"\s*:\s*"[\w-]*not-found"/
const QUOTED_CHARS = 200
/** An invoice with its payments has some KB. */
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024

/** `timeoutMs`: of the requests of one operation together. */
export type BtcpayConfig = Config['btcpay'] & { timeoutMs?: number }

type RequestTimeout = { signal: AbortSignal; timeoutMs: number }

/** The configuration guarantees all values but the timeout with PAYMENTS=btcpay. */
export function btcpayProvider(config: BtcpayConfig): PaymentProvider {
  const { url = '', storeId = '', apiKey = '', webhookSecret = '', timeoutMs = TIMEOUT_MS } = config
  const store: BtcpayStore = { ...config, url, storeId, apiKey }

  /** One operation: its requests share a timeout, and every failure becomes ProviderUnavailable. */
  async function operation<T>(
    work: (send: (request: BtcpayRequest) => Promise<unknown>) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return await work(request => sendBtcpayRequest(store, request, { signal, timeoutMs }))
    } catch (error) {
      if (error instanceof InvalidResponseError)
        throw new ProviderUnavailable(`BTCPay Server sent an invalid response: ${error.message}`)
      throw error
    }
  }
  const withPayments = async (
    send: (request: BtcpayRequest) => Promise<unknown>,
    invoice: ReturnType<typeof parseInvoice>,
  ): Promise<ProviderInvoice> =>
    toProviderInvoice(
      invoice,
      hasPayments(invoice) ? await requestEitherForm(send, readPaymentsRequest(invoice.id)) : [],
    )

  return {
    name: 'btcpay',
    script: `${url}/modal/btcpay.js`,
    origin: new URL(url).origin,
    webhooks: { storeId, secret: async () => webhookSecret },
    create: input =>
      operation(async send =>
        withPayments(send, parseInvoice(store, await send(createInvoiceRequest(store, input)))),
      ),
    findByReference: reference =>
      operation(async send => {
        const all = await send(findInvoicesRequest(reference))
        if (all === null || all === PATH_NOT_SERVED) {
          throw new ProviderUnavailable(
            `BTCPay Server has no store ${storeId}, or the key has no access to it; check BTCPAY_STORE_ID`,
          )
        }
        const found = newestInvoice(store, all, reference)
        return found && withPayments(send, found)
      }),
    read: id =>
      operation(async send => {
        const found = await requestEitherForm(send, readInvoiceRequest(id))
        return found === null || found === PATH_NOT_SERVED
          ? null
          : withPayments(send, parseInvoice(store, found))
      }),
  }
}

/**
 * A version that serves only the other path answers with a plain 404; that must not mark its
 * invoices as lost.
 */
const requestEitherForm = async (
  send: (request: BtcpayRequest) => Promise<unknown>,
  request: BtcpayRequest,
): Promise<unknown> => {
  const response = await send(request)
  return response === PATH_NOT_SERVED ? send(withoutStore(request)) : response
}

/** A 404 without BTCPay's error code: the path is not served. */
const PATH_NOT_SERVED = undefined

/**
 * The body of a 200; null for a 404 with BTCPay's error code, PATH_NOT_SERVED for another 404.
 * Throws ProviderUnavailable otherwise, with a message for the operator that does not contain the
 * key.
 */
async function sendBtcpayRequest(
  store: BtcpayStore,
  request: BtcpayRequest,
  { signal, timeoutMs }: RequestTimeout,
): Promise<unknown> {
  const { method, body } = request
  const what = `${method} ${request.path.split('?')[0]}`
  try {
    const response = await fetch(requestUrl(store, request), {
      method,
      signal,
      redirect: 'manual',
      headers: {
        authorization: `token ${store.apiKey}`,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = (await readResponse(response, MAX_RESPONSE_BYTES)).toString('utf8')
    if (response.status === 404) return BTCPAY_404.test(text) ? null : PATH_NOT_SERVED
    if (response.status !== 200)
      throw new ProviderUnavailable(
        `BTCPay Server answered ${what} with ${response.status}${hintOf(response, text)}`,
      )
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error
    if (error instanceof SyntaxError)
      throw new ProviderUnavailable(`BTCPay Server answered ${what} with invalid JSON`)
    if (error instanceof ResponseTooLongError)
      throw new ProviderUnavailable(
        `BTCPay Server was not understood for ${what}: ${error.message}`,
      )
    if (signal.aborted)
      throw new ProviderUnavailable(
        `BTCPay Server did not answer ${what} within ${timeoutMs / 1000} seconds`,
      )
    throw new ProviderUnavailable(
      `BTCPay Server could not be reached for ${what}: ${reasonOf(error)}`,
    )
  }
}

/** A remedy for the operator, and the beginning of the response. */
function hintOf({ status, headers }: Response, text: string): string {
  const quoted = text === '' ? '' : `: ${text.slice(0, QUOTED_CHARS).replace(/\s+/g, ' ')}`
  if (status >= 300 && status < 400) {
    return ` to ${headers.get('location') ?? 'nowhere'}; set BTCPAY_URL to the address at which it is served`
  }
  if (status === 401) return '; check BTCPAY_API_KEY'
  if (status === 403)
    return `; the key lacks a permission for this store (create and view invoices)${quoted}`
  return quoted
}

/** 'ECONNREFUSED': fetch has it in the cause. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? String(error)
}
