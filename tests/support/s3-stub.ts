/**
 * An S3 server in memory, as far as Evenpost uses one: files and uploads in parts in one bucket, with signatures checked by own code.
 * It can have bad moments.
 */
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createStubServer } from './stub-http-server.ts'

/**
 * `cut`: the connection breaks before anything is done; `lost`: after it was done; `half`: in the middle of the answer's bytes. `late
 * error`: nothing is done and the answer begins as if it were. `no length`: a proxy has taken the length away. `endless error`: nothing
 * is done, and the text of a status 500 has no end.
 */
export type S3Fault =
  | 'cut'
  | 'lost'
  | 'half'
  | 'stall'
  | 'busy'
  | 'broken'
  | 'late error'
  | 'no length'
  | 'endless error'

/** What is asked: 'PUT file', 'PUT part', 'POST uploads', 'POST upload' (the last word), 'GET file', 'HEAD file', 'DELETE file', … */
type S3Operation = string

export type S3Stub = {
  endpoint: string
  bucket: string
  /** The settings to use this stub. */
  env: Record<string, string>
  /** Files by their key. */
  files: Map<string, StoredObject>
  /** Uploads that are not finished, by their id. */
  uploads: Map<string, { key: string; parts: Map<number, Buffer>; meta: Record<string, string> }>
  /** What was asked so far, refused requests too. */
  operations: S3Operation[]
  /** The next so many requests of this kind meet a fault. */
  failNext(act: S3Operation, fault: S3Fault, times?: number): void
  /** No request meets a fault that was asked for before. */
  forgetFaults(): void
  /** Every request is refused with this code until it is called with null. */
  refuseAll(code: string | null): void
  close(): Promise<void>
}
export type StoredObject = { bytes: Buffer; tag: string; meta: Record<string, string> }

export const S3_KEYS = {
  accessKeyId: 'AKIAEVENPOSTTESTS',
  secretAccessKey: 'kX3+under/the7bridge9of=Pontoise',
  region: 'eu-test-1',
}
const LEAST_PART = 5 * 1024 * 1024
const STATUS: Record<string, number> = {
  NoSuchKey: 404,
  NoSuchBucket: 404,
  NoSuchUpload: 404,
  AccessDenied: 403,
  SignatureDoesNotMatch: 403,
  InvalidAccessKeyId: 403,
  RequestTimeTooSkewed: 403,
  PreconditionFailed: 412,
  EntityTooSmall: 400,
  InvalidPart: 400,
  XAmzContentSHA256Mismatch: 400,
  PermanentRedirect: 301,
  AuthorizationHeaderMalformed: 400,
  SlowDown: 503,
  InternalError: 500,
}

const hex = (algorithm: 'md5' | 'sha256', text: string | Buffer): string =>
  createHash(algorithm).update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )

export type SignableRequest = {
  method: string
  url: URL
  headers: Record<string, string>
  names: string[]
  time: string
  region: string
  secretAccessKey: string
}

/** The signature (version 4) of a request, as Amazon describes it; `names` are the signed headers, `time` is '20130524T000000Z'. */
export function signatureOf({
  method,
  url,
  headers,
  names,
  time,
  region,
  secretAccessKey,
}: SignableRequest): string {
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .toSorted()
    .join('&')
  const path = decodeURIComponent(url.pathname).split('/').map(encoded).join('/')
  const lines = names
    .map(name => `${name}:${headers[name]!.trim().replace(/\s+/g, ' ')}\n`)
    .join('')
  const canonical = [
    method,
    path,
    query,
    lines,
    names.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`
  const key = scope
    .split('/')
    .reduce((last: string | Buffer, word) => hmac(last, word), `AWS4${secretAccessKey}`)
  return hmac(key, ['AWS4-HMAC-SHA256', time, scope, hex('sha256', canonical)].join('\n')).toString(
    'hex',
  )
}

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=(.+)\/\d{8}\/(.+)\/s3\/aws4_request, SignedHeaders=(.+), Signature=([0-9a-f]{64})$/

/** The code of a refusal; null when the request was signed by who has the keys. */
function refusalOf(request: IncomingMessage, url: URL, body: Buffer): string | null {
  const headers = textHeaders(request.headers)
  const objectAnswer = AUTHORIZATION.exec(headers.authorization ?? '')
  if (!objectAnswer) return 'AccessDenied'
  const [, id, region, signed, signature] = objectAnswer as unknown as string[]
  const names = signed!.split(';')
  const unsigned = Object.keys(headers).filter(
    name => (name === 'host' || name.startsWith('x-amz-')) && !names.includes(name),
  )
  if (id !== S3_KEYS.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== S3_KEYS.region) return 'AuthorizationHeaderMalformed'
  const due = signatureOf({
    ...S3_KEYS,
    method: request.method!,
    url,
    headers,
    names,
    time: headers['x-amz-date'] ?? '',
  })
  if (unsigned.length > 0 || !timingSafeEqual(Buffer.from(due), Buffer.from(signature!)))
    return 'SignatureDoesNotMatch'
  return headers['x-amz-content-sha256'] === hex('sha256', body)
    ? null
    : 'XAmzContentSHA256Mismatch'
}
const textHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

type S3Response =
  | { status?: number; headers?: Record<string, string>; body?: string | Buffer }
  | { code: string }

/** Opens a server with one empty bucket on a free port of this machine. */
export async function openS3Stub(bucket = 'labels'): Promise<S3Stub> {
  const files: S3Stub['files'] = new Map()
  const uploads: S3Stub['uploads'] = new Map()
  const asked: S3Operation[] = []
  const faults: { act: S3Operation; fault: S3Fault }[] = []
  let refused: string | null = null

  const server = createStubServer(
    (request, response) => void handle(request, response).catch(() => response.destroy()),
  )

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, `http://${request.headers.host}`)
    const [, named, ...rest] = url.pathname.split('/')
    const key = decodeURIComponent(rest.join('/'))
    const kind = url.searchParams.has('uploads')
      ? 'uploads'
      : url.searchParams.has('partNumber')
        ? 'part'
        : url.searchParams.has('uploadId')
          ? 'upload'
          : 'file'
    const act = `${request.method} ${kind}`
    asked.push(act)
    const index = faults.findIndex(one => one.act === act)
    const fault = index < 0 ? undefined : faults.splice(index, 1)[0]!.fault
    if (fault === 'cut') return void request.socket.resetAndDestroy()
    const body = await buffer(request)
    if (fault === 'stall') return
    if (fault === 'endless error') return sendEndlessError(response)
    const code =
      fault === 'busy'
        ? 'SlowDown'
        : fault === 'broken'
          ? 'InternalError'
          : (refused ?? refusalOf(request, url, body) ?? (named === bucket ? null : 'NoSuchBucket'))
    if (code === null && fault === 'late error')
      return send(response, { body: '<Error><Code>InternalError</Code></Error>' })
    const answer =
      code === null
        ? respondTo(act, { key, url, body, headers: textHeaders(request.headers) })
        : { code }
    if (fault === 'lost') return void request.socket.resetAndDestroy()
    send(response, answer, fault)
  }

  type S3Request = { key: string; url: URL; body: Buffer; headers: Record<string, string> }

  function respondTo(act: S3Operation, { key, url, body, headers }: S3Request): S3Response {
    const id = url.searchParams.get('uploadId') ?? ''
    const upload = uploads.get(id)
    if (id !== '' && upload?.key !== key) return { code: 'NoSuchUpload' }
    switch (act) {
      case 'PUT file':
        return storeObject(key, body, `"${hex('md5', body)}"`, metaOf(headers))
      case 'GET file':
      case 'HEAD file':
        return respondWithObject(files.get(key), headers)
      case 'DELETE file':
        files.delete(key)
        return { status: 204 }
      case 'POST uploads': {
        const uploadId = randomUUID()
        uploads.set(uploadId, { key, parts: new Map(), meta: metaOf(headers) })
        return {
          body: `<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`,
        }
      }
      case 'PUT part': {
        upload!.parts.set(Number(url.searchParams.get('partNumber')), body)
        return { headers: { etag: `"${hex('md5', body)}"` } }
      }
      case 'DELETE upload':
        uploads.delete(id)
        return { status: 204 }
      case 'POST upload': {
        const named = Array.from(
          body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>("[0-9a-f]+")<\/ETag>/g),
          ([, n, tag]) => ({ bytes: upload!.parts.get(Number(n)), tag }),
        )
        if (named.some(({ bytes, tag }) => !bytes || `"${hex('md5', bytes)}"` !== tag))
          return { code: 'InvalidPart' }
        if (named.slice(0, -1).some(({ bytes }) => bytes!.length < LEAST_PART))
          return { code: 'EntityTooSmall' }
        uploads.delete(id)
        const whole = Buffer.concat(named.map(({ bytes }) => bytes!))
        return {
          ...storeObject(key, whole, `"${hex('md5', whole)}-${named.length}"`, upload!.meta),
          body: '<CompleteMultipartUploadResult/>',
        }
      }
      default:
        return { code: 'AccessDenied' }
    }
  }

  function storeObject(
    key: string,
    bytes: Buffer,
    tag: string,
    meta: Record<string, string>,
  ): S3Response {
    files.set(key, { bytes, tag, meta })
    return { headers: { etag: tag } }
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    endpoint,
    bucket,
    files,
    uploads,
    operations: asked,
    env: {
      FILES: 's3',
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_REGION: S3_KEYS.region,
      S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    },
    failNext(act, fault, times = 1) {
      for (let n = 0; n < times; n++) faults.push({ act, fault })
    },
    forgetFaults: () => void faults.splice(0),
    refuseAll: code => {
      refused = code
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const metaOf = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-amz-meta-')))

function respondWithObject(
  file: StoredObject | undefined,
  headers: Record<string, string>,
): S3Response {
  if (!file) return { code: 'NoSuchKey' }
  if (headers['if-match'] !== undefined && headers['if-match'] !== file.tag)
    return { code: 'PreconditionFailed' }
  const own = { ...file.meta, etag: file.tag }
  const from = /^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1]
  if (from === undefined) return { headers: own, body: file.bytes }
  const { length } = file.bytes
  const range = `bytes ${from}-${length - 1}/${length}`
  return {
    status: 206,
    headers: { ...own, 'content-range': range },
    body: file.bytes.subarray(Number(from)),
  }
}

function sendEndlessError(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const writeOn = (): void => {
    while (!response.destroyed && response.write(chunk));
  }
  response.writeHead(500).on('drain', writeOn)
  writeOn()
}

function send(response: ServerResponse, answer: S3Response, fault?: S3Fault): void {
  if ('code' in answer) {
    response.writeHead(STATUS[answer.code]!, { 'content-type': 'application/xml' })
    response.end(
      response.req.method === 'HEAD'
        ? undefined
        : `<?xml version="1.0"?><Error><Code>${answer.code}</Code></Error>`,
    )
    return
  }
  const body = Buffer.from(answer.body ?? '')
  const saysLength = answer.status !== 204 && fault !== 'no length'
  response.writeHead(answer.status ?? 200, {
    ...answer.headers,
    ...(saysLength && { 'content-length': body.length }),
  })
  if (response.req.method === 'HEAD') return void response.end()
  if (fault !== 'half') return void response.end(body)
  response.write(body.subarray(0, Math.ceil(body.length / 2)), () =>
    response.socket?.resetAndDestroy(),
  )
}
