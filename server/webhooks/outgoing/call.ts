/** One try: a POST without redirects and without the proxies of the environment. */
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { MAX_KEPT_ANSWER } from '#contract/webhooks.ts'
import type { TryOutcome } from '#contract/webhooks.ts'
import { outcomeOfAnswer, retryAfterMs } from '#server/webhooks/rules.ts'
import type { TryResult } from '#server/webhooks/rules.ts'
import { ADDRESS_NOT_ALLOWED, isAllowedHost } from './addresses.ts'

const TIMEOUT_MS = 15_000
/** A name with several addresses: the next one is tried as well after so long. */
const NEXT_ADDRESS_MS = 1_000
/** Of a longer answer the connection is closed. */
const MAX_READ_BYTES = 65_536

export type Outgoing = {
  allowsLoopback: boolean
  lookup: LookupFunction
}

/** Connections kept open between tries for one endpoint, at most two. */
export type Connections = { http: HttpAgent; https: HttpsAgent; close(): void }

export function openConnections(): Connections {
  const options = { keepAlive: true, maxSockets: 2 }
  const [http, https] = [new HttpAgent(options), new HttpsAgent(options)]
  return {
    http,
    https,
    close() {
      http.destroy()
      https.destroy()
    },
  }
}

export type TryRequest = { url: string; headers: Record<string, string>; body: string }

/** Never throws. */
export async function sendTry(
  { allowsLoopback, lookup }: Outgoing,
  connections: Connections,
  { url: address, headers, body }: TryRequest,
): Promise<TryResult> {
  const at = Date.now()
  const began = performance.now()
  const result = (outcome: TryOutcome, answer?: Answer): TryResult => ({
    outcome,
    status: answer?.status ?? null,
    answer: answer?.text ?? null,
    retryAfterMs: retryAfterMs(answer?.retryAfter, Date.now()),
    at,
    durationMs: Math.round(performance.now() - began),
  })
  const url = new URL(address)
  const isHttps = url.protocol === 'https:'
  // A literal address is connected to without a look-up.
  if (!isAllowedHost(url.hostname, allowsLoopback) || !(isHttps || allowsLoopback))
    return result('address_not_allowed')
  const options = {
    method: 'POST',
    agent: isHttps ? connections.https : connections.http,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      accept: '*/*',
      'accept-encoding': 'identity',
    },
  }
  const post = (): Promise<Answer> =>
    exchange(isHttps ? httpsRequest : httpRequest, url, options, body)
  try {
    const answer = await post().catch((error: unknown) => {
      if ((error as { code?: string }).code === STALE_CONNECTION) return post()
      throw error
    })
    return result(outcomeOfAnswer(answer.status), answer)
  } catch (error) {
    return result(outcomeOfError(error))
  }
}

function outcomeOfError(error: unknown): TryOutcome {
  const { code } = error as { code?: string }
  if (code === ADDRESS_NOT_ALLOWED) return 'address_not_allowed'
  return code === TIMED_OUT ? 'timed_out' : 'unreachable'
}

type Answer = { status: number; text: string; retryAfter: string | undefined }

const TIMED_OUT = 'ETRYTIMEDOUT'
/** A kept connection that the other side had closed. */
const STALE_CONNECTION = 'ESTALECONNECTION'

function exchange(
  request: typeof httpRequest,
  url: URL,
  options: RequestOptions,
  body: string,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options)
    const fail = (error: Error): void => {
      clearTimeout(timer)
      reject(error)
    }
    const timer = setTimeout(() => {
      fail(Object.assign(new Error('no answer in time'), { code: TIMED_OUT }))
      sent.destroy()
    }, TIMEOUT_MS)
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isStale = sent.reusedSocket && error.code === 'ECONNRESET'
      fail(isStale ? Object.assign(error, { code: STALE_CONNECTION }) : error)
    })
    sent.on('response', response => {
      void readBeginning(response).then(text => {
        clearTimeout(timer)
        const retryAfter = response.headers['retry-after']
        resolve({ status: response.statusCode!, text, retryAfter })
      })
    })
    sent.end(body)
  })
}

/** The first bytes, also of an answer that breaks off; the rest is read to keep the connection. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const kept: Buffer[] = []
  let [keptBytes, readBytes] = [0, 0]
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      const part = chunk.subarray(0, MAX_KEPT_ANSWER - keptBytes)
      if (part.length > 0) kept.push(part)
      keptBytes += part.length
      readBytes += chunk.length
      // Ends the loop, which destroys the response.
      if (readBytes > MAX_READ_BYTES) break
    }
  } catch {
    // The status has arrived.
  }
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '\u{FFFD}')
}
