import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { readResponse, ResponseTooLongError } from '#server/platform/http/read-response.ts'
import { withTimeout } from '#server/platform/process/timeout.ts'
import { BUCKET_UNREACHABLE } from './port.ts'

/**
 * `endpoint` without a slash at its end. The bucket is the first part of the path, which every S3
 * server supports.
 */
export type BucketSettings = {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/**
 * `timeoutMs`: for a response or its next chunk. `pauseMs`: before the second attempt; doubled for
 * each further one.
 */
export type RetryPolicy = { maxAttempts: number; pauseMs: number; timeoutMs: number }
const DEFAULT_RETRY_POLICY: RetryPolicy = { maxAttempts: 5, pauseMs: 200, timeoutMs: 15_000 }
const INTERACTIVE_RETRY_POLICY = { maxAttempts: 3, timeoutMs: 5_000 }
/** Slowest accepted upload (bytes a ms). */
const MIN_BYTES_PER_MS = 100

/** SHA-256 of nothing. */
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: { bytes: Uint8Array; sha256: string }
  /** A user waits: fewer and shorter attempts. */
  isInteractive?: boolean
  signal?: AbortSignal
}

/**
 * `code`: of S3 ('NoSuchKey'), else 'status 404'; BUCKET_UNREACHABLE without a response (`status`
 * null). Contains no file name and no secret. `region`: where the bucket is, if S3 names another
 * region.
 */
export class BucketError extends Error {
  readonly code: string
  readonly status: number | null
  readonly region: string | null

  /** `reason`: the code of S3 or of the network ('ECONNREFUSED'). */
  constructor(
    reason: string,
    status: number | null,
    options: { region?: string | null; cause?: unknown } = {},
  ) {
    super(
      status === null
        ? `The bucket cannot be reached (${reason})`
        : `The bucket responded ${reason}`,
      { cause: options.cause },
    )
    this.name = 'BucketError'
    this.code = status === null ? BUCKET_UNREACHABLE : reason
    this.status = status
    this.region = options.region ?? null
  }
}

export const hasBucketCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof BucketError && codes.includes(error.code)

export type Bucket = {
  settings: BucketSettings
  retryPolicy: RetryPolicy
  /**
   * Sends a request and reads the response with `read`; temporary failures of either are retried.
   * Throws BucketError.
   */
  send<T>(request: S3Request, read: (response: Response) => Promise<T>): Promise<T>
}

export function openBucket(settings: BucketSettings, given: Partial<RetryPolicy> = {}): Bucket {
  const policy = { ...DEFAULT_RETRY_POLICY, ...given }
  const signingKeys = new Map<string, ArrayBuffer>()

  /** Signed for each attempt: signatures expire. */
  async function send(
    { method, key, query, headers, body, signal }: S3Request,
    timeout: AbortSignal,
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
      cache: signingKeys,
    }).sign()
    // Not signed, because proxies change it. Content-Length must count the stored bytes.
    signed.headers.set('accept-encoding', 'identity')
    const signals = signal ? AbortSignal.any([signal, timeout]) : timeout
    // A redirect would send the signature to another server.
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
    retryPolicy: policy,
    async send(request, read) {
      const { isInteractive = false, body } = request
      const maxAttempts = isInteractive
        ? Math.min(INTERACTIVE_RETRY_POLICY.maxAttempts, policy.maxAttempts)
        : policy.maxAttempts
      const responseMs = isInteractive
        ? Math.min(INTERACTIVE_RETRY_POLICY.timeoutMs, policy.timeoutMs)
        : policy.timeoutMs
      const timeoutMs = responseMs + (body?.bytes.length ?? 0) / MIN_BYTES_PER_MS
      for (let attempt = 1; ; attempt++) {
        try {
          return await withTimeout(timeoutMs, async timeout => {
            const response = await send(request, timeout)
            if (!response.ok) throw bucketErrorFrom(await readErrorText(response), response)
            return read(response)
          })
        } catch (error) {
          if (request.signal?.aborted) throw error
          const bucketError = error instanceof BucketError ? error : unreachableError(error)
          if (attempt >= maxAttempts || !isTransient(bucketError)) throw bucketError
        }
        // Random, so that processes do not retry together.
        await wait(policy.pauseMs * 2 ** (attempt - 1) * (0.5 + Math.random()), undefined, {
          signal: request.signal,
        })
      }
    },
  }
}

/** An answer without a file has some hundred bytes. */
const MAX_TEXT_BYTES = 256 * 1024

/** Reads to the end, so that the connection can be reused. */
export const readText = async (response: Response): Promise<string> =>
  (await readResponse(response, MAX_TEXT_BYTES)).toString('utf8')

/** '' for an endless one: its status still tells. */
const readErrorText = (response: Response): Promise<string> =>
  readText(response).catch((error: unknown) => {
    if (error instanceof ResponseTooLongError) return ''
    throw error
  })

export const xmlElement = (xml: string, name: string): string | null =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? null

/** The error in a response; S3 sends some with status 200. */
export function bucketErrorFrom(text: string, { status, headers }: Response): BucketError {
  const region = headers.get('x-amz-bucket-region') ?? xmlElement(text, 'Region')
  return new BucketError(xmlElement(text, 'Code') ?? `status ${status}`, status, { region })
}

function unreachableError(error: unknown): BucketError {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  const known = [code, cause?.code].find(text => typeof text === 'string') as string | undefined
  return new BucketError(known ?? 'no response', null, { cause: error })
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
