import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { withTimeout } from '#server/platform/process/timeout.ts'
import { BucketError, openBucket, readText } from './bucket.ts'
import type { Bucket, BucketSettings, RetryPolicy } from './bucket.ts'
import { startUpload } from './multipart-upload.ts'
import type { FileStore } from './port.ts'
import { storageKeyFor } from './storage-key.ts'

export type S3FileStore = FileStore & {
  /**
   * Writes, reads and deletes a small file; nothing else is ever deleted. Throws OperatorError for
   * a wrong bucket, key or right, and another error for a temporary failure. `deletes`: whether the
   * file could be deleted.
   */
  selfTest(): Promise<{ deletes: boolean }>
}

export function createS3FileStore(
  settings: BucketSettings,
  allowedNames: RegExp,
  retryPolicy?: Partial<RetryPolicy>,
): S3FileStore {
  const bucket = openBucket(settings, retryPolicy)
  const keyFor = (name: string): string => storageKeyFor(name, allowedNames)
  const store: FileStore = {
    isBucket: true,
    async write(name, produce) {
      const upload = startUpload(bucket, keyFor(name))
      try {
        await produce(upload.sink)
        return await upload.finish()
      } catch (error) {
        await upload.abort()
        throw error
      }
    },

    async read(name) {
      const key = keyFor(name)
      const abandoned = new AbortController()
      const opened = await openObject(bucket, key, abandoned.signal).catch(error => {
        if (error instanceof BucketError && error.status === 404 && error.code !== 'NoSuchBucket')
          return null
        throw error
      })
      if (!opened) return null
      const stream = Readable.from(objectChunks(bucket, key, opened, abandoned.signal), {
        objectMode: false,
      })
      stream.once('close', () => abandoned.abort())
      return { stream, bytes: opened.bytes }
    },
  }
  return { ...store, selfTest: () => runSelfTest(bucket, store, keyFor) }
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>
/**
 * `bytes`: of the whole file. A reader, because a body without one is closed when its response is
 * garbage collected.
 */
type OpenedObject = { reader: BodyReader; bytes: number; etag: string | null }

const openObject = (bucket: Bucket, key: string, signal: AbortSignal): Promise<OpenedObject> =>
  bucket.send({ method: 'GET', key, isInteractive: true, signal }, async response => {
    const { body, headers } = response
    const length = headers.get('content-length')
    if (!body || length === null) {
      // S3 always sends the length; a proxy may drop it.
      const all = await response.bytes()
      return { reader: new Response(all).body!.getReader(), bytes: all.length, etag: null }
    }
    return { reader: body.getReader(), bytes: Number(length), etag: headers.get('etag') }
  })

/** The rest of a file from byte `from`, if it is still the same file. */
const resumeObject = (
  bucket: Bucket,
  key: string,
  from: number,
  etag: string,
  signal: AbortSignal,
): Promise<BodyReader> =>
  bucket.send(
    { method: 'GET', key, headers: { range: `bytes=${from}-`, 'if-match': etag }, signal },
    async response => {
      if (response.headers.get('content-range')?.startsWith(`bytes ${from}-`))
        return response.body!.getReader()
      throw new BucketError('no part of a file', response.status)
    },
  )

/** The bytes of a file. A broken or stalled download continues where it stopped. */
async function* objectChunks(
  bucket: Bucket,
  key: string,
  opened: OpenedObject,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { bytes, etag } = opened
  let { reader } = opened
  let read = 0
  for (let breaks = 0; ;) {
    let problem: unknown = new BucketError('only a part of a file', null)
    try {
      for (;;) {
        const { value, done } = await withTimeout(bucket.retryPolicy.timeoutMs, () => reader.read())
        if (done) break
        read += value.length
        breaks = 0
        yield value
      }
    } catch (error) {
      problem = error
    }
    if (read === bytes) return
    reader.cancel().catch(() => {})
    if (
      signal.aborted
      || etag === null
      || read > bytes
      || ++breaks >= bucket.retryPolicy.maxAttempts
    )
      throw problem
    reader = await resumeObject(bucket, key, read, etag, signal)
  }
}

async function runSelfTest(
  bucket: Bucket,
  store: FileStore,
  keyFor: (name: string) => string,
): Promise<{ deletes: boolean }> {
  const name = `probe-${randomBytes(16).toString('hex')}.txt`
  const content = Buffer.from(
    'Written to test whether files can be stored here. It may be deleted.\n',
  )
  const step = async <T>(right: string, work: Promise<T>): Promise<T> =>
    work.catch(error =>
      Promise.reject(
        error instanceof BucketError
          ? (operatorErrorFor(error, right, bucket.settings) ?? error)
          : (error as Error),
      ),
    )
  // Without the right to list, S3 answers 'forbidden' for a missing file, and a missing file would
  // never be built again.
  if (await step('s3:GetObject and s3:ListBucket', store.read(name)))
    throw new Error('the bucket has a file that was never written')
  await step(
    's3:PutObject',
    store.write(name, async sink => void (await sink.write(content))),
  )
  const found = await step('s3:GetObject', store.read(name))
  const isSame = found !== null && content.equals(await buffer(found.stream))
  const deletes = await bucket.send({ method: 'DELETE', key: keyFor(name) }, readText).then(
    () => true,
    () => false,
  )
  if (isSame) return { deletes }
  throw new OperatorError(
    `The bucket ${bucket.settings.bucket} does not return what was just written. Use a server that does.`,
  )
}

/**
 * The error with its remedy; null when it may be temporary. `right`: what the key must be allowed
 * to do.
 */
function operatorErrorFor(
  { code, status, region }: BucketError,
  right: string,
  settings: BucketSettings,
): OperatorError | null {
  const { bucket, endpoint } = settings
  switch (code) {
    case 'NoSuchBucket':
      return new OperatorError(
        `There is no bucket ${bucket} at ${endpoint}. Create it, or correct S3_BUCKET.`,
      )
    case 'InvalidAccessKeyId':
      return new OperatorError(`S3_ACCESS_KEY_ID is not known at ${endpoint}.`)
    case 'SignatureDoesNotMatch':
      return new OperatorError(
        `S3_SECRET_ACCESS_KEY is not the one that belongs to S3_ACCESS_KEY_ID at ${endpoint}.`,
      )
    case 'AccessDenied':
      return new OperatorError(
        `The key in S3_ACCESS_KEY_ID lacks a right to the bucket ${bucket}: allow it ${right}.`,
      )
    case 'RequestTimeTooSkewed':
      return new OperatorError(
        `The clock of this machine is wrong, so ${endpoint} refuses its signatures. Set the clock.`,
      )
    case 'PermanentRedirect':
    case 'TemporaryRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return new OperatorError(
        `The bucket ${bucket} is in another region${region ? `: set S3_REGION=${region}` : ': correct S3_REGION'}, `
          + 'and S3_ENDPOINT to the address of that region.',
      )
    default:
      return status !== null && status < 500 && status !== 429
        ? new OperatorError(
            `S3_ENDPOINT=${endpoint} does not respond like an S3 server (${code}). Correct it.`,
          )
        : null
  }
}
