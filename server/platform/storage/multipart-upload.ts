import { createHash, randomUUID } from 'node:crypto'
import { BucketError, xmlElement, bucketErrorFrom, hasBucketCode } from './bucket.ts'
import type { Bucket } from './bucket.ts'
import type { Sink } from './port.ts'

/** S3 takes none below 5 MB but the last, and 10,000 of them: files up to 80 GB. */
const PART_BYTES = 8 * 1024 * 1024

const S3_XML_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'
/** A metadata entry by which an upload is known again once it has become a file. */
const UPLOAD_MARK_HEADER = 'x-amz-meta-upload'

export type Upload = {
  sink: Sink
  /** Makes it a file, in one step. */
  finish(): Promise<{ bytes: number; sha256: string }>
  /** Nothing of it stays; where even that cannot be said to the server, the bucket's own rule for unfinished uploads takes it away. */
  abort(): Promise<void>
}

/**
 * A file on its way into the bucket. What fits into one part is sent at the end by a single request; more goes up in parts, one of
 * them in memory. The server shows nothing before the last word.
 */
export function startUpload(bucket: Bucket, place: string): Upload {
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
    id ??= await beginMultipart(bucket, place, mark)
    const query = { partNumber: String(tags.length + 1), uploadId: id }
    tags.push(
      await bucket.send({ method: 'PUT', key: place, query, body }, async answer =>
        readEtag(answer),
      ),
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
      if (id === null) await bucket.send({ method: 'PUT', key: place, body: take() }, discardBody)
      else {
        if (size > 0) await sendPart()
        await completeMultipart(bucket, { place, id, tags, mark })
      }
      return { bytes, sha256: whole.digest('hex') }
    },
    async abort() {
      waiting = []
      if (id !== null)
        await bucket
          .send({ method: 'DELETE', key: place, query: { uploadId: id } }, discardBody)
          .catch(() => {})
    },
  }
}

/** Reads an answer of which nothing is wanted, so that its connection is free again. */
const discardBody = async (answer: Response): Promise<void> => void (await answer.arrayBuffer())

async function readEtag(answer: Response): Promise<string> {
  await answer.arrayBuffer()
  const tag = answer.headers.get('etag')
  if (tag === null) throw new BucketError('no ETag of a part', answer.status)
  return tag
}

const beginMultipart = (bucket: Bucket, place: string, mark: string): Promise<string> =>
  bucket.send(
    { method: 'POST', key: place, query: { uploads: '' }, headers: { [UPLOAD_MARK_HEADER]: mark } },
    async answer => {
      const id = xmlElement(await answer.text(), 'UploadId')
      if (id === null) throw new BucketError('no UploadId', answer.status)
      return id
    },
  )

/** The last word. If its answer is lost, the second asking finds no such upload; then the file itself says whether it is this one. */
async function completeMultipart(
  bucket: Bucket,
  upload: { place: string; id: string; tags: string[]; mark: string },
): Promise<void> {
  const { place, id, tags, mark } = upload
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
  )
  const bytes = Buffer.from(
    `<CompleteMultipartUpload xmlns="${S3_XML_NAMESPACE}">${parts.join('')}</CompleteMultipartUpload>`,
  )
  const body = { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
  try {
    await bucket.send(
      { method: 'POST', key: place, query: { uploadId: id }, body },
      async answer => {
        const text = await answer.text()
        if (text.includes('<Error>')) throw bucketErrorFrom(text, answer)
      },
    )
  } catch (error) {
    if (!hasBucketCode(error, 'NoSuchUpload') || !(await isUploaded(bucket, place, mark)))
      throw error
  }
}

const isUploaded = (bucket: Bucket, place: string, mark: string): Promise<boolean> =>
  bucket
    .send(
      { method: 'HEAD', key: place },
      async answer => answer.headers.get(UPLOAD_MARK_HEADER) === mark,
    )
    .catch(error => (hasBucketCode(error, 'status 404') ? false : Promise.reject(error as Error)))
