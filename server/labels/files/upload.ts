import { createHash, randomUUID } from 'node:crypto'
import { BucketError, elementOf, errorOf, hasCode } from './bucket.ts'
import type { Bucket } from './bucket.ts'
import type { Sink } from './port.ts'

/** S3 takes none below 5 MB but the last, and 10,000 of them: files up to 80 GB. */
const PART_BYTES = 8 * 1024 * 1024

const XML = 'http://s3.amazonaws.com/doc/2006-03-01/'
/** A metadata entry by which an upload is known again once it has become a file. */
const MARK = 'x-amz-meta-upload'

export type Upload = {
  sink: Sink
  /** Makes it a file, in one step. */
  finish(): Promise<{ bytes: number; sha256: string }>
  /** Nothing of it stays; where even that cannot be said to the server, the bucket's own rule for unfinished uploads takes it away. */
  abandon(): Promise<void>
}

/**
 * A file on its way into the bucket. What fits into one part is sent at the end by a single request; more goes up in parts, one of
 * them in memory. The server shows nothing before the last word.
 */
export function openUpload(bucket: Bucket, place: string): Upload {
  const whole = createHash('sha256')
  const mark = randomUUID()
  const tags: string[] = []
  let bytes = 0
  let id: string | null = null
  let waiting: Uint8Array[] = []
  let size = 0
  let sum = createHash('sha256')

  /** What waits, which then waits no more. */
  function take(): { bytes: Buffer; sha256: string } {
    const body = { bytes: Buffer.concat(waiting), sha256: sum.digest('hex') }
    waiting = []
    size = 0
    sum = createHash('sha256')
    return body
  }

  async function sendPart(): Promise<void> {
    const body = take()
    id ??= await begin(bucket, place, mark)
    const query = { partNumber: String(tags.length + 1), uploadId: id }
    tags.push(
      await bucket.ask({ method: 'PUT', place, query, body }, async answer => tagOf(answer)),
    )
  }

  return {
    sink: {
      write(chunk) {
        whole.update(chunk)
        sum.update(chunk)
        bytes += chunk.length
        waiting.push(chunk)
        size += chunk.length
        if (size >= PART_BYTES) return sendPart()
      },
    },
    async finish() {
      if (id === null) await bucket.ask({ method: 'PUT', place, body: take() }, done)
      else {
        if (size > 0) await sendPart()
        await complete(bucket, { place, id, tags, mark })
      }
      return { bytes, sha256: whole.digest('hex') }
    },
    async abandon() {
      waiting = []
      if (id !== null)
        await bucket.ask({ method: 'DELETE', place, query: { uploadId: id } }, done).catch(() => {})
    },
  }
}

/** Reads an answer of which nothing is wanted, so that its connection is free again. */
const done = async (answer: Response): Promise<void> => void (await answer.arrayBuffer())

async function tagOf(answer: Response): Promise<string> {
  await answer.arrayBuffer()
  const tag = answer.headers.get('etag')
  if (tag === null) throw new BucketError('no ETag of a part', answer.status)
  return tag
}

const begin = (bucket: Bucket, place: string, mark: string): Promise<string> =>
  bucket.ask(
    { method: 'POST', place, query: { uploads: '' }, headers: { [MARK]: mark } },
    async answer => {
      const id = elementOf(await answer.text(), 'UploadId')
      if (id === null) throw new BucketError('no UploadId', answer.status)
      return id
    },
  )

/** The last word. If its answer is lost, the second asking finds no such upload; then the file itself says whether it is this one. */
async function complete(
  bucket: Bucket,
  upload: { place: string; id: string; tags: string[]; mark: string },
): Promise<void> {
  const { place, id, tags, mark } = upload
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
  )
  const bytes = Buffer.from(
    `<CompleteMultipartUpload xmlns="${XML}">${parts.join('')}</CompleteMultipartUpload>`,
  )
  const body = { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
  try {
    await bucket.ask({ method: 'POST', place, query: { uploadId: id }, body }, async answer => {
      const text = await answer.text()
      if (text.includes('<Error>')) throw errorOf(text, answer)
    })
  } catch (error) {
    if (!hasCode(error, 'NoSuchUpload') || !(await isThere(bucket, place, mark))) throw error
  }
}

const isThere = (bucket: Bucket, place: string, mark: string): Promise<boolean> =>
  bucket
    .ask({ method: 'HEAD', place }, async answer => answer.headers.get(MARK) === mark)
    .catch(error => (hasCode(error, 'status 404') ? false : Promise.reject(error as Error)))
