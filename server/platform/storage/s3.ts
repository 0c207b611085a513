/** Files in a bucket of any S3 server, for houses of several machines. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { OperatorError } from '#server/platform/process/operator-error.ts'
import { withTimeout } from '#server/platform/process/timeout.ts'
import { BucketError, openBucket } from './bucket.ts'
import type { Bucket, BucketSettings, RetryPolicy } from './bucket.ts'
import { startUpload } from './multipart-upload.ts'
import type { FileStore } from './port.ts'
import { storageKeyFor } from './storage-key.ts'

export type S3FileStore = FileStore & {
  /**
   * Writes, reads and deletes a small file. Throws Trouble with the remedy when bucket, keys or rights are not as they must be, and
   * another error when the server cannot be reached, or is not well, at the moment. `deletes`: whether the small file is gone again;
   * nothing else is ever deleted.
   */
  selfTest(): Promise<{ deletes: boolean }>
}

/** `patience` is for tests. */
export function createS3FileStore(
  settings: BucketSettings,
  patience?: Partial<RetryPolicy>,
): S3FileStore {
  const bucket = openBucket(settings, patience)
  const store: FileStore = {
    async write(name, produce) {
      const upload = startUpload(bucket, storageKeyFor(name))
      try {
        await produce(upload.sink)
        return await upload.finish()
      } catch (error) {
        await upload.abort()
        throw error
      }
    },

    async read(name) {
      const place = storageKeyFor(name)
      const leaving = new AbortController()
      const opened = await openObject(bucket, place, leaving.signal).catch(error => {
        if (error instanceof BucketError && error.status === 404 && error.code !== 'NoSuchBucket')
          return null
        throw error
      })
      if (!opened) return null
      const stream = Readable.from(objectChunks(bucket, place, opened, leaving.signal), {
        objectMode: false,
      })
      // Also when its reader goes away before the first piece.
      stream.once('close', () => leaving.abort())
      return { stream, bytes: opened.bytes }
    },
  }
  return { ...store, selfTest: () => runSelfTest(bucket, store) }
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>
/**
 * `bytes`: of the whole file. It is the reader that is kept: a body that nobody has begun to read is closed as soon as its answer is
 * forgotten.
 */
type OpenedObject = { reader: BodyReader; bytes: number; etag: string | null }

const openObject = (bucket: Bucket, place: string, signal: AbortSignal): Promise<OpenedObject> =>
  bucket.send({ method: 'GET', key: place, isInteractive: true, signal }, async answer => {
    const { body, headers } = answer
    const length = headers.get('content-length')
    if (!body || length === null) {
      // S3 always says it; what stands in front of a server may not
      const all = await answer.bytes()
      return { reader: new Response(all).body!.getReader(), bytes: all.length, etag: null }
    }
    return { reader: body.getReader(), bytes: Number(length), etag: headers.get('etag') }
  })

/** The rest of a file from byte `from`, if it is still the same file. */
const resumeObject = (
  bucket: Bucket,
  place: string,
  from: number,
  etag: string,
  signal: AbortSignal,
): Promise<BodyReader> =>
  bucket.send(
    { method: 'GET', key: place, headers: { range: `bytes=${from}-`, 'if-match': etag }, signal },
    async answer => {
      if (answer.headers.get('content-range')?.startsWith(`bytes ${from}-`))
        return answer.body!.getReader()
      throw new BucketError('no part of a file', answer.status)
    },
  )

/** The bytes of a file. A connection that breaks or stands still is opened again where it stopped. */
async function* objectChunks(
  bucket: Bucket,
  place: string,
  opened: OpenedObject,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { bytes, etag } = opened
  let { reader } = opened
  let read = 0
  for (let breaks = 0; ;) {
    let problem: unknown = new BucketError('a part of a file only', null)
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
    reader = await resumeObject(bucket, place, read, etag, signal)
  }
}

async function runSelfTest(bucket: Bucket, store: FileStore): Promise<{ deletes: boolean }> {
  const name = `probe-${randomBytes(16).toString('hex')}.txt`
  const content = Buffer.from('Written to see whether files can be kept here. It may be deleted.\n')
  const step = async <T>(right: string, work: Promise<T>): Promise<T> =>
    work.catch(error =>
      Promise.reject(
        error instanceof BucketError
          ? (operatorErrorFor(error, right, bucket.settings) ?? error)
          : (error as Error),
      ),
    )
  // Without the right to list, S3 says 'forbidden' of a file that is not there, and nothing would ever be made again.
  if (await step('s3:GetObject and s3:ListBucket', store.read(name)))
    throw new Error('the bucket has a file that nobody wrote')
  await step(
    's3:PutObject',
    store.write(name, async sink => void (await sink.write(content))),
  )
  const found = await step('s3:GetObject', store.read(name))
  const isSame = found !== null && content.equals(await buffer(found.stream))
  const deletes = await bucket
    .send({ method: 'DELETE', key: storageKeyFor(name) }, async answer => answer.arrayBuffer())
    .then(
      () => true,
      () => false,
    )
  if (isSame) return { deletes }
  throw new OperatorError(
    `The bucket ${bucket.settings.bucket} does not give back what was just written into it. Use a server that does.`,
  )
}

/** What the operator has to put right; null when it may pass by itself. `right`: what the key must be allowed to do. */
function operatorErrorFor(
  { code, status, region }: BucketError,
  right: string,
  settings: BucketSettings,
): OperatorError | null {
  const { bucket, endpoint } = settings
  switch (code) {
    case 'NoSuchBucket':
      return new OperatorError(
        `There is no bucket ${bucket} at ${endpoint}. Make it there, or put S3_BUCKET right.`,
      )
    case 'InvalidAccessKeyId':
      return new OperatorError(`S3_ACCESS_KEY_ID is not known at ${endpoint}.`)
    case 'SignatureDoesNotMatch':
      return new OperatorError(
        `S3_SECRET_ACCESS_KEY is not the one that belongs to S3_ACCESS_KEY_ID at ${endpoint}.`,
      )
    case 'AccessDenied':
      return new OperatorError(
        `The key in S3_ACCESS_KEY_ID may not use the bucket ${bucket} as it must: allow it ${right}.`,
      )
    case 'RequestTimeTooSkewed':
      return new OperatorError(
        `The clock of this machine is wrong, so ${endpoint} takes no signature of it. Set the clock.`,
      )
    case 'PermanentRedirect':
    case 'TemporaryRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return new OperatorError(
        `The bucket ${bucket} is in another region${region ? `: set S3_REGION=${region}` : ': put S3_REGION right'}, `
          + 'and S3_ENDPOINT to the address of that region.',
      )
    default:
      return status !== null && status < 500 && status !== 429
        ? new OperatorError(
            `S3_ENDPOINT=${endpoint} does not answer as an S3 server does (${code}). Put it right.`,
          )
        : null
  }
}
