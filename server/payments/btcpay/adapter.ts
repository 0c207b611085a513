/** BTCPay Server over the network. It is asked for what is so; what it tells by itself is only a reason to ask. */
import { ProviderUnavailable } from '#server/payments/port.ts'
import type { PaymentProvider, ProviderInvoice } from '#server/payments/port.ts'
import type { Config } from '#server/platform/config.ts'
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

/** All questions of one call together. */
const TIMEOUT_MS = 10_000
/** As in {"code": "invoice-not-found"}. */
const BTCPAY_404 = /"code"\s*:\s*"[\w-]*not-found"/
/** Of an answer that was not expected, so much is worth a line in the log. */
const QUOTED_CHARS = 200

/** The configuration has made sure that nothing is missing with PAYMENTS=btcpay. */
export function btcpayProvider(config: Config['btcpay']): PaymentProvider {
  const { url = '', storeId = '', apiKey = '', webhookSecret = '' } = config
  const store: BtcpayStore = { ...config, url, storeId, apiKey }

  /** A call: its questions share one limit of time, and whatever goes wrong in them is said in one way. */
  async function asked<T>(
    work: (ask: (question: BtcpayRequest) => Promise<unknown>) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      return await work(question => sendBtcpayRequest(store, question, signal))
    } catch (error) {
      if (error instanceof InvalidResponseError)
        throw new ProviderUnavailable(`BTCPay Server says what cannot be: ${error.message}`)
      throw error
    }
  }
  const whole = async (
    ask: (question: BtcpayRequest) => Promise<unknown>,
    invoice: ReturnType<typeof parseInvoice>,
  ): Promise<ProviderInvoice> =>
    toProviderInvoice(
      invoice,
      hasPayments(invoice) ? await requestEitherForm(ask, readPaymentsRequest(invoice.id)) : [],
    )

  return {
    name: 'btcpay',
    script: `${url}/modal/btcpay.js`,
    origin: new URL(url).origin,
    webhooks: { storeId, secret: async () => webhookSecret },
    create: ({ reference }) =>
      asked(async ask =>
        whole(ask, parseInvoice(store, await ask(createInvoiceRequest(store, reference)))),
      ),
    findByReference: reference =>
      asked(async ask => {
        const all = await ask(findInvoicesRequest(reference))
        if (all === null || all === PATH_NOT_SERVED) {
          throw new ProviderUnavailable(
            `BTCPay Server has no store ${storeId}, or the key may not see it; check BTCPAY_STORE_ID`,
          )
        }
        const found = newestInvoice(store, all, reference)
        return found && whole(ask, found)
      }),
    read: id =>
      asked(async ask => {
        const found = await requestEitherForm(ask, readInvoiceRequest(id))
        return found === null || found === PATH_NOT_SERVED
          ? null
          : whole(ask, parseInvoice(store, found))
      }),
  }
}

/** A version that serves only the other form has no words of its own for this one: its invoices are not taken for lost by that. */
const requestEitherForm = async (
  ask: (question: BtcpayRequest) => Promise<unknown>,
  question: BtcpayRequest,
): Promise<unknown> => {
  const answer = await ask(question)
  return answer === PATH_NOT_SERVED ? ask(withoutStore(question)) : answer
}

/** A 404 that BTCPay Server says nothing about: as for a path that it does not serve. */
const PATH_NOT_SERVED = undefined

/**
 * The body of a 200; null for a 404 in its own words, NO_WORDS for another. Throws ProviderAway for all else, with what the operator needs
 * to know and without the key.
 */
async function sendBtcpayRequest(
  store: BtcpayStore,
  question: BtcpayRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const { method, body } = question
  const what = `${method} ${question.path.split('?')[0]}`
  try {
    const response = await fetch(requestUrl(store, question), {
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
    const text = await response.text()
    if (response.status === 404) return BTCPAY_404.test(text) ? null : PATH_NOT_SERVED
    if (response.status !== 200)
      throw new ProviderUnavailable(
        `BTCPay Server answered ${what} with ${response.status}${hintOf(response, text)}`,
      )
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error
    if (error instanceof SyntaxError)
      throw new ProviderUnavailable(`BTCPay Server answered ${what} with something that is no JSON`)
    if (signal.aborted)
      throw new ProviderUnavailable(
        `BTCPay Server did not answer ${what} within ${TIMEOUT_MS / 1000} seconds`,
      )
    throw new ProviderUnavailable(`BTCPay Server could not be asked ${what}: ${reasonOf(error)}`)
  }
}

/** What to do about a refusal, and the beginning of what it says. */
function hintOf({ status, headers }: Response, text: string): string {
  const quoted = text === '' ? '' : `: ${text.slice(0, QUOTED_CHARS).replace(/\s+/g, ' ')}`
  if (status >= 300 && status < 400) {
    return ` to ${headers.get('location') ?? 'nowhere'}; put the address at which it is really served into BTCPAY_URL`
  }
  if (status === 401) return '; check BTCPAY_API_KEY'
  if (status === 403)
    return `; the key lacks a permission for this store (create and view invoices)${quoted}`
  return quoted
}

/** 'ECONNREFUSED' and its like: fetch hides it in the cause. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? String(error)
}
