/** Files in a bucket of any S3 server, for houses of several machines. */
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { within } from '#server/platform/deadline.ts'
import { Trouble } from '#server/platform/trouble.ts'
import { BucketError, openBucket } from './bucket.ts'
import type { Bucket, BucketSettings, Patience } from './bucket.ts'
import { placeOf } from './place.ts'
import type { FileStore } from './port.ts'
import { openUpload } from './upload.ts'

export type S3Files = FileStore & {
  /**
   * Writes, reads and deletes a small file. Throws Trouble with the remedy when bucket, keys or rights are not as they must be, and
   * another error when the server cannot be reached, or is not well, at the moment. `deletes`: whether the small file is gone again;
   * nothing else is ever deleted.
   */
  prove(): Promise<{ deletes: boolean }>
}

/** `patience` is for tests. */
export function s3Files(settings: BucketSettings, patience?: Partial<Patience>): S3Files {
  const bucket = openBucket(settings, patience)
  const store: FileStore = {
    async write(name, produce) {
      const upload = openUpload(bucket, placeOf(name))
      try {
        await produce(upload.sink)
        return await upload.finish()
      } catch (error) {
        await upload.abandon()
        throw error
      }
    },

    async read(name) {
      const place = placeOf(name)
      const leaving = new AbortController()
      const opened = await open(bucket, place, leaving.signal).catch(error => {
        if (error instanceof BucketError && error.status === 404 && error.code !== 'NoSuchBucket')
          return null
        throw error
      })
      if (!opened) return null
      const stream = Readable.from(pieces(bucket, place, opened, leaving.signal), {
        objectMode: false,
      })
      // Also when its reader goes away before the first piece.
      stream.once('close', () => leaving.abort())
      return { stream, bytes: opened.bytes }
    },
  }
  return { ...store, prove: () => prove(bucket, store) }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>
/**
 * `bytes`: of the whole file. It is the reader that is kept: a body that nobody has begun to read is closed as soon as its answer is
 * forgotten.
 */
type Opened = { reader: Reader; bytes: number; tag: string | null }

const open = (bucket: Bucket, place: string, signal: AbortSignal): Promise<Opened> =>
  bucket.ask({ method: 'GET', place, hurry: true, signal }, async answer => {
    const { body, headers } = answer
    const length = headers.get('content-length')
    if (!body || length === null) {
      // S3 always says it; what stands in front of a server may not
      const all = await answer.bytes()
      return { reader: new Response(all).body!.getReader(), bytes: all.length, tag: null }
    }
    return { reader: body.getReader(), bytes: Number(length), tag: headers.get('etag') }
  })

/** The rest of a file from byte `from`, if it is still the same file. */
const openRest = (
  bucket: Bucket,
  place: string,
  from: number,
  tag: string,
  signal: AbortSignal,
): Promise<Reader> =>
  bucket.ask(
    { method: 'GET', place, headers: { range: `bytes=${from}-`, 'if-match': tag }, signal },
    async answer => {
      if (answer.headers.get('content-range')?.startsWith(`bytes ${from}-`))
        return answer.body!.getReader()
      throw new BucketError('no part of a file', answer.status)
    },
  )

/** The bytes of a file. A connection that breaks or stands still is opened again where it stopped. */
async function* pieces(
  bucket: Bucket,
  place: string,
  opened: Opened,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { bytes, tag } = opened
  let { reader } = opened
  let read = 0
  for (let breaks = 0; ;) {
    let problem: unknown = new BucketError('a part of a file only', null)
    try {
      for (;;) {
        const { value, done } = await within(bucket.patience.answerMs, () => reader.read())
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
    if (signal.aborted || tag === null || read > bytes || ++breaks >= bucket.patience.tries)
      throw problem
    reader = await openRest(bucket, place, read, tag, signal)
  }
}

async function prove(bucket: Bucket, store: FileStore): Promise<{ deletes: boolean }> {
  const name = `probe-${randomBytes(16).toString('hex')}.txt`
  const content = Buffer.from('Written to see whether files can be kept here. It may be deleted.\n')
  const step = async <T>(right: string, work: Promise<T>): Promise<T> =>
    work.catch(error =>
      Promise.reject(
        error instanceof BucketError
          ? (troubleOf(error, right, bucket.settings) ?? error)
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
    .ask({ method: 'DELETE', place: placeOf(name) }, async answer => answer.arrayBuffer())
    .then(
      () => true,
      () => false,
    )
  if (isSame) return { deletes }
  throw new Trouble(
    `The bucket ${bucket.settings.bucket} does not give back what was just written into it. Use a server that does.`,
  )
}

/** What the operator has to put right; null when it may pass by itself. `right`: what the key must be allowed to do. */
function troubleOf(
  { code, status, region }: BucketError,
  right: string,
  settings: BucketSettings,
): Trouble | null {
  const { bucket, endpoint } = settings
  switch (code) {
    case 'NoSuchBucket':
      return new Trouble(
        `There is no bucket ${bucket} at ${endpoint}. Make it there, or put S3_BUCKET right.`,
      )
    case 'InvalidAccessKeyId':
      return new Trouble(`S3_ACCESS_KEY_ID is not known at ${endpoint}.`)
    case 'SignatureDoesNotMatch':
      return new Trouble(
        `S3_SECRET_ACCESS_KEY is not the one that belongs to S3_ACCESS_KEY_ID at ${endpoint}.`,
      )
    case 'AccessDenied':
      return new Trouble(
        `The key in S3_ACCESS_KEY_ID may not use the bucket ${bucket} as it must: allow it ${right}.`,
      )
    case 'RequestTimeTooSkewed':
      return new Trouble(
        `The clock of this machine is wrong, so ${endpoint} takes no signature of it. Set the clock.`,
      )
    case 'PermanentRedirect':
    case 'TemporaryRedirect':
    case 'AuthorizationHeaderMalformed':
    case 'IllegalLocationConstraintException':
      return new Trouble(
        `The bucket ${bucket} is in another region${region ? `: set S3_REGION=${region}` : ': put S3_REGION right'}, `
          + 'and S3_ENDPOINT to the address of that region.',
      )
    default:
      return status !== null && status < 500 && status !== 429
        ? new Trouble(
            `S3_ENDPOINT=${endpoint} does not answer as an S3 server does (${code}). Put it right.`,
          )
        : null
  }
}
