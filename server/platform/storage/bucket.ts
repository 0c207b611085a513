/** Signed questions to one bucket of an S3 server: each within its time, and sent again where that can help. */
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { withTimeout } from '#server/platform/process/timeout.ts'
import { BUCKET_UNREACHABLE } from './port.ts'

/** `endpoint` without a slash at its end; the bucket is the first part of the path, as every S3 server understands it. */
export type BucketSettings = {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** `answerMs`: how long to wait for an answer, or for the next piece of one. `pauseMs`: before the second try; doubled for each further. */
export type RetryPolicy = { maxAttempts: number; pauseMs: number; timeoutMs: number }
const DEFAULT_RETRY_POLICY: RetryPolicy = { maxAttempts: 5, pauseMs: 200, timeoutMs: 15_000 }
/** Where somebody waits for the answer. */
const INTERACTIVE_RETRY_POLICY = { tries: 3, answerMs: 5_000 }
/** A body may take longer, down to this speed (bytes a ms). */
const MIN_BYTES_PER_MS = 100

/** SHA-256 of nothing. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** `sha256` is that of the body, in hex. */
export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: { bytes: Uint8Array; sha256: string }
  /** Somebody waits: fewer tries, and less time for each. */
  isInteractive?: boolean
  signal?: AbortSignal
}

/**
 * `code`: what S3 calls it ('NoSuchKey'), or 'status 404' where it does not; BUCKET_AWAY when there was no answer (`status` null). Holds
 * no name of a file and nothing secret. `region`: where the bucket is, if S3 says that it is elsewhere.
 */
export class BucketError extends Error {
  readonly code: string
  readonly status: number | null
  readonly region: string | null

  /** `what`: the code of S3, or what the network does ('ECONNREFUSED'). */
  constructor(
    what: string,
    status: number | null,
    options: { region?: string | null; cause?: unknown } = {},
  ) {
    super(
      status === null ? `The bucket cannot be reached (${what})` : `The bucket answered ${what}`,
      { cause: options.cause },
    )
    this.name = 'BucketError'
    this.code = status === null ? BUCKET_UNREACHABLE : what
    this.status = status
    this.region = options.region ?? null
  }
}

export const hasBucketCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof BucketError && codes.includes(error.code)

export type Bucket = {
  settings: BucketSettings
  retryPolicy: RetryPolicy
  /** Asks, and has `take` read the answer; both are done again when they fail in a way that may pass. Throws BucketError. */
  send<T>(question: S3Request, take: (answer: Response) => Promise<T>): Promise<T>
}

export function openBucket(settings: BucketSettings, given: Partial<RetryPolicy> = {}): Bucket {
  const patience = { ...DEFAULT_RETRY_POLICY, ...given }
  const keys = new Map<string, ArrayBuffer>()

  /** Signed anew for each try: a signature is good for some minutes only. */
  async function send(
    { method, key, query, headers, body, signal }: S3Request,
    inTime: AbortSignal,
  ): Promise<Response> {
    const url = new URL(`${settings.endpoint}/${encodeURIComponent(settings.bucket)}/${key}`)
    url.search = new URLSearchParams(query).toString()
    const { accessKeyId, secretAccessKey, region } = settings
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': body?.sha256 ?? EMPTY_SHA256 },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      cache: keys,
    }).sign()
    // Not signed, since proxies change it; and what is counted is what is stored.
    signed.headers.set('accept-encoding', 'identity')
    const signals = signal ? AbortSignal.any([signal, inTime]) : inTime
    // A redirect would take the signature to another server.
    return fetch(signed.url, {
      method,
      headers: signed.headers,
      signal: signals,
      redirect: 'manual',
      ...(body && { body: body.bytes as Uint8Array<ArrayBuffer> }),
    })
  }

  return {
    settings,
    retryPolicy: patience,
    async send(question, take) {
      const tries = question.isInteractive
        ? Math.min(INTERACTIVE_RETRY_POLICY.tries, patience.maxAttempts)
        : patience.maxAttempts
      const answerMs = question.isInteractive
        ? Math.min(INTERACTIVE_RETRY_POLICY.answerMs, patience.timeoutMs)
        : patience.timeoutMs
      const timeoutMs = answerMs + (question.body?.bytes.length ?? 0) / MIN_BYTES_PER_MS
      for (let attempt = 1; ; attempt++) {
        try {
          return await withTimeout(timeoutMs, async inTime => {
            const answer = await send(question, inTime)
            if (!answer.ok) throw bucketErrorFrom(await answer.text(), answer)
            return take(answer)
          })
        } catch (error) {
          if (question.signal?.aborted) throw error
          const known = error instanceof BucketError ? error : unreachableError(error)
          if (attempt >= tries || !isTransient(known)) throw known
        }
        // Two processes that met the same trouble do not come back in the same moment.
        await wait(patience.pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()), undefined, {
          signal: question.signal,
        })
      }
    },
  }
}

/** What stands in an element of an answer; S3's answers are flat enough for that. */
export const xmlElement = (xml: string, name: string): string | null =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? null

/** The error that an answer tells of. S3 tells of some under status 200. */
export function bucketErrorFrom(text: string, { status, headers }: Response): BucketError {
  const region = headers.get('x-amz-bucket-region') ?? xmlElement(text, 'Region')
  return new BucketError(xmlElement(text, 'Code') ?? `status ${status}`, status, { region })
}

function unreachableError(error: unknown): BucketError {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  const known = [code, cause?.code].find(text => typeof text === 'string') as string | undefined
  return new BucketError(known ?? 'no answer', null, { cause: error })
}

const TRANSIENT_CODES = [
  'RequestTimeout',
  'OperationAborted',
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
]
const isTransient = ({ code, status }: BucketError): boolean =>
  status === null
  || status === 429
  || (status >= 500 && status !== 501)
  || TRANSIENT_CODES.includes(code)
