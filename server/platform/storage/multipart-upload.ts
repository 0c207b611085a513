import { createHash, randomUUID } from 'node:crypto'
import { BucketError, xmlElement, bucketErrorFrom, hasBucketCode, readText } from './bucket.ts'
import type { Bucket } from './bucket.ts'
import type { Sink } from './port.ts'

/**
 * S3 requires at least 5 MB except for the last part, and at most 10,000 parts: files up to 80 GB.
 */
const PART_BYTES = 8 * 1024 * 1024

const S3_XML_NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/'
/** Metadata that identifies the upload a file came from. */
const UPLOAD_MARK_HEADER = 'x-amz-meta-upload'

export type Upload = {
  sink: Sink
  finish(): Promise<{ bytes: number; sha256: string }>
  /**
   * Deletes the parts. If that fails, the bucket's own rule for unfinished uploads deletes them.
   */
  abort(): Promise<void>
}

/**
 * Uploads a file. One that fits into a part is sent by a single request at the end; a larger one in
 * parts, with one part in memory. The file is not visible before `finish`.
 */
export function startUpload(bucket: Bucket, key: string): Upload {
  const totalHash = createHash('sha256')
  const mark = randomUUID()
  const tags: string[] = []
  let bytes = 0
  let id: string | null = null
  let waiting: Uint8Array[] = []
  let size = 0
  let partHash = createHash('sha256')

  function takePart(): { bytes: Buffer; sha256: string } {
    const body = { bytes: Buffer.concat(waiting), sha256: partHash.digest('hex') }
    waiting = []
    size = 0
    partHash = createHash('sha256')
    return body
  }

  async function sendPart(): Promise<void> {
    const body = takePart()
    id ??= await beginMultipart(bucket, key, mark)
    const query = { partNumber: String(tags.length + 1), uploadId: id }
    tags.push(
      await bucket.send({ method: 'PUT', key, query, body }, async response => readEtag(response)),
    )
  }

  return {
    sink: {
      write(chunk) {
        totalHash.update(chunk)
        partHash.update(chunk)
        bytes += chunk.length
        waiting.push(chunk)
        size += chunk.length
        if (size >= PART_BYTES) return sendPart()
      },
    },
    async finish() {
      if (id === null) await bucket.send({ method: 'PUT', key, body: takePart() }, discardBody)
      else {
        if (size > 0) await sendPart()
        await completeMultipart(bucket, { key, id, tags, mark })
      }
      return { bytes, sha256: totalHash.digest('hex') }
    },
    async abort() {
      waiting = []
      if (id !== null)
        await bucket
          .send({ method: 'DELETE', key, query: { uploadId: id } }, discardBody)
          .catch(() => {})
    },
  }
}

const discardBody = async (response: Response): Promise<void> => void (await readText(response))

async function readEtag(response: Response): Promise<string> {
  await readText(response)
  const tag = response.headers.get('etag')
  if (tag === null) throw new BucketError('no ETag of a part', response.status)
  return tag
}

const beginMultipart = (bucket: Bucket, key: string, mark: string): Promise<string> =>
  bucket.send(
    { method: 'POST', key, query: { uploads: '' }, headers: { [UPLOAD_MARK_HEADER]: mark } },
    async response => {
      const id = xmlElement(await readText(response), 'UploadId')
      if (id === null) throw new BucketError('no UploadId', response.status)
      return id
    },
  )

/**
 * If the response is lost, the repeated request finds no such upload; then the file's mark tells
 * whether it came from this upload.
 */
async function completeMultipart(
  bucket: Bucket,
  upload: { key: string; id: string; tags: string[]; mark: string },
): Promise<void> {
  const { key, id, tags, mark } = upload
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
  )
  const bytes = Buffer.from(
    `<CompleteMultipartUpload xmlns="${S3_XML_NAMESPACE}">${parts.join('')}</CompleteMultipartUpload>`,
  )
  const body = { bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
  try {
    await bucket.send({ method: 'POST', key, query: { uploadId: id }, body }, async response => {
      const text = await readText(response)
      if (text.includes('<Error>')) throw bucketErrorFrom(text, response)
    })
  } catch (error) {
    if (!hasBucketCode(error, 'NoSuchUpload') || !(await isUploaded(bucket, key, mark))) throw error
  }
}

const isUploaded = (bucket: Bucket, key: string, mark: string): Promise<boolean> =>
  bucket
    .send(
      { method: 'HEAD', key },
      async response => response.headers.get(UPLOAD_MARK_HEADER) === mark,
    )
    .catch(error => (hasBucketCode(error, 'status 404') ? false : Promise.reject(error as Error)))
