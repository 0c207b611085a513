/**
 * Files in a bucket on bad days: a server that is slow, breaks off, is busy, or is not what the
 * settings say.
 */

import { buffer } from 'node:stream/consumers'
import { AwsV4Signer } from 'aws4fetch'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { STORED_FILE_NAMES } from '#server/labels/file-names.ts'
import { openS3Stub, S3_KEYS, signatureOf } from '#tests/support/s3-stub.ts'
import type { S3Fault } from '#tests/support/s3-stub.ts'
import { checkFileStore } from './open.ts'
import { createS3FileStore } from './s3.ts'
import { storageKeyFor } from './storage-key.ts'
import { takesFiles } from './takes-files.ts'

const server = await openS3Stub()
afterAll(() => server.close())
beforeEach(() => {
  server.files.clear()
  server.uploads.clear()
  server.operations.length = 0
  server.refuseAll(null)
})

const MB = 2 ** 20
const settings = { ...S3_KEYS, endpoint: server.endpoint, bucket: server.bucket }
const hasty = { maxAttempts: 4, pauseMs: 1, timeoutMs: 300_000 }
const store = createS3FileStore(settings, STORED_FILE_NAMES, hasty)
const SMALL = Buffer.from('a label')
/** Of two parts. */
const LARGE = Buffer.alloc(9 * MB, 'all of many labels ')

const write = (bytes: Buffer, to = store) =>
  to.write('batch-1.pdf', async sink => {
    for (let at = 0; at < bytes.length; at += MB) await sink.write(bytes.subarray(at, at + MB))
  })
const kept = () => server.files.get(storageKeyFor('batch-1.pdf', STORED_FILE_NAMES))?.bytes

test('asking every few seconds whether a bucket takes files adds a few bytes to its old versions, not megabytes', async () => {
  expect(await takesFiles(store)).toBe(true)
  const sizes = [...server.files.values()].map(({ bytes }) => bytes.length)
  expect(sizes).toEqual([16])
})

// As published in 'Authenticating Requests: Using the Authorization Header (AWS Signature Version
// 4)' of the S3 reference.
type Example = {
  what: string
  method: string
  path: string
  headers: Record<string, string>
  body: string
  signature: string
}
const PUBLISHED: Example[] = [
  {
    what: 'an object is read in part',
    method: 'GET',
    path: '/test.txt',
    headers: { range: 'bytes=0-9' },
    body: '',
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    what: 'an object is written',
    method: 'PUT',
    path: '/test$file.text',
    body: 'Welcome to Amazon S3.',
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    what: 'a setting of the bucket is read',
    method: 'GET',
    path: '/?lifecycle',
    headers: {},
    body: '',
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    what: 'the bucket is listed',
    method: 'GET',
    path: '/?max-keys=2&prefix=J',
    headers: {},
    body: '',
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
]
const SUMS: Record<string, string> = {
  '': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'Welcome to Amazon S3.': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
}
const PUBLISHED_KEYS = {
  accessKeyId: 'AKIAIOSFODNN7' + 'EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}

test('signatures match the examples that Amazon published, in the client and in the test server', async () => {
  for (const { what, method, path, headers: given, body, signature } of PUBLISHED) {
    const url = new URL(`https://examplebucket.s3.amazonaws.com${path}`)
    const time = '20130524T000000Z'
    const headers = { ...given, 'x-amz-content-sha256': SUMS[body]! }
    const signer = new AwsV4Signer({
      ...PUBLISHED_KEYS,
      method,
      url: url.href,
      headers,
      service: 's3',
      datetime: time,
      allHeaders: true,
    })
    expect([what, await signer.signature()]).toEqual([what, signature])
    const all: Record<string, string> = { ...headers, host: url.host, 'x-amz-date': time }
    const names = Object.keys(all).toSorted()
    expect([
      what,
      signatureOf({ ...PUBLISHED_KEYS, method, url, headers: all, names, time }),
    ]).toEqual([what, signature])
  }
})

const UPS: [act: string, bytes: Buffer, faults: S3Fault[]][] = [
  ['PUT file', SMALL, ['cut', 'lost', 'busy', 'broken']],
  ['POST uploads', LARGE, ['cut', 'lost', 'busy']],
  ['PUT part', LARGE, ['cut', 'lost', 'busy', 'broken']],
  ['POST upload', LARGE, ['cut', 'lost', 'busy', 'late error']],
]
test('an upload with failures stores the whole file, and no finished step is repeated', async () => {
  for (const [act, bytes, faults] of UPS) {
    for (const fault of faults) {
      server.files.clear()
      server.operations.length = 0
      server.failNext(act, fault)
      expect([act, fault, (await write(bytes)).bytes]).toEqual([act, fault, bytes.length])
      expect([act, fault, kept()!.equals(bytes)]).toEqual([act, fault, true])
      expect(server.operations.filter(asked => asked === act).length).toBe(
        act === 'PUT part' ? 3 : 2,
      )
    }
  }
})

test('when the response to the last request is lost, the file tells which upload it came from', async () => {
  server.failNext('POST upload', 'lost')
  await write(LARGE)
  expect(server.operations.slice(-3)).toEqual(['POST upload', 'POST upload', 'HEAD file'])
  // The same, but the upload was aborted elsewhere: the previous file is no proof.
  const place = storageKeyFor('batch-1.pdf', STORED_FILE_NAMES)
  const before = server.files.get(place)!
  const failing = store.write('batch-1.pdf', async sink => {
    await sink.write(LARGE)
    server.uploads.clear()
  })
  await expect(failing).rejects.toMatchObject({ code: 'NoSuchUpload' })
  expect(server.files.get(place)).toBe(before)
})

test('after several attempts an upload fails with the reason, and no part of it stays', async () => {
  for (const [act, bytes, fault, code] of [
    ['PUT file', SMALL, 'busy', /^SlowDown$/],
    ['PUT file', SMALL, 'cut', /^BucketAway$/],
    ['PUT part', LARGE, 'broken', /^InternalError$/],
    ['POST upload', LARGE, 'late error', /^InternalError$/],
  ] as const) {
    server.operations.length = 0
    server.failNext(act, fault, hasty.maxAttempts)
    await expect(write(bytes)).rejects.toMatchObject({ code: expect.stringMatching(code) })
    expect([act, server.files.size, server.uploads.size]).toEqual([act, 0, 0])
    expect(server.operations.filter(asked => asked === act)).toHaveLength(hasty.maxAttempts)
  }
})

test('an error without an end is not read to its end: its status tells', async () => {
  const twice = { maxAttempts: 2, pauseMs: 1, timeoutMs: 20_000 }
  const impatient = createS3FileStore(settings, STORED_FILE_NAMES, twice)
  server.failNext('PUT file', 'endless error', 2)
  await expect(write(SMALL, impatient)).rejects.toMatchObject({ code: 'status 500' })
  server.failNext('PUT file', 'endless error')
  await write(SMALL, impatient)
  expect(kept()).toEqual(SMALL)
})

test('a stalled server is called again, for uploads and downloads', async () => {
  const impatient = createS3FileStore(settings, STORED_FILE_NAMES, { ...hasty, timeoutMs: 3_000 })
  server.failNext('PUT file', 'stall')
  await write(SMALL, impatient)
  server.failNext('GET file', 'stall')
  expect(await buffer((await impatient.read('batch-1.pdf'))!.stream)).toEqual(SMALL)
  server.failNext('GET file', 'stall')
  const once = createS3FileStore(settings, STORED_FILE_NAMES, { maxAttempts: 1, timeoutMs: 100 })
  await expect(once.read('batch-1.pdf')).rejects.toMatchObject({
    code: 'BucketAway',
    message: 'The bucket cannot be reached (ETIMEDOUT)',
  })
})

test('a broken download continues where it stopped', async () => {
  await write(LARGE)
  for (const fault of ['cut', 'busy', 'half'] as const) {
    server.failNext('GET file', fault, 2)
    const { stream, bytes } = (await store.read('batch-1.pdf'))!
    const read = await buffer(stream)
    expect([fault, bytes, read.equals(LARGE)]).toEqual([fault, LARGE.length, true])
  }
})

test('a file is read even if a proxy removed its length', async () => {
  await write(SMALL)
  server.failNext('GET file', 'no length')
  const { stream, bytes } = (await store.read('batch-1.pdf'))!
  expect([bytes, await buffer(stream)]).toEqual([SMALL.length, SMALL])
})

test('a download that breaks while its file is replaced does not mix two files', async () => {
  await write(LARGE)
  server.failNext('GET file', 'half')
  const { stream } = (await store.read('batch-1.pdf'))!
  await write(Buffer.alloc(9 * MB, 'others '))
  await expect(buffer(stream)).rejects.toMatchObject({ code: 'PreconditionFailed' })
})

test('one part is in memory at a time: the writer waits until it is uploaded', async () => {
  await store.write('batch-1.pdf', async sink => {
    const waiting = []
    for (let n = 0; n < 24; n++) {
      const answer = sink.write(LARGE.subarray(0, MB))
      waiting.push(answer !== undefined)
      await answer
      expect(server.operations.filter(asked => asked === 'PUT part')).toHaveLength(
        Math.floor((n + 1) / 8),
      )
    }
    expect(waiting.filter(Boolean)).toHaveLength(3)
  })
})

test('a bucket passes the self-test with a file that is deleted afterwards', async () => {
  expect(await store.selfTest()).toEqual({ deletes: true })
  expect(server.operations).toEqual(['GET file', 'PUT file', 'GET file', 'DELETE file'])
  expect(server.files.size).toBe(0)
  // Nothing but that file is ever deleted, so a bucket that does not delete will do; the doctor
  // says so.
  server.failNext('DELETE file', 'broken', hasty.maxAttempts)
  expect(await store.selfTest()).toEqual({ deletes: false })
})

test('a wrong setting is reported with its remedy and without a secret', async () => {
  const errorOf = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => new Error('nothing was wrong'),
      (error: Error) => error,
    )
    expect(JSON.stringify([error.message, error.stack, error])).not.toContain(
      S3_KEYS.secretAccessKey,
    )
    return `${error.constructor.name}: ${error.message}`
  }
  const prove = (changes: Partial<typeof settings>) =>
    errorOf(createS3FileStore({ ...settings, ...changes }, STORED_FILE_NAMES, hasty).selfTest())
  expect(await prove({ bucket: 'other' })).toMatch(
    /^OperatorError: There is no bucket other at http.* S3_BUCKET/,
  )
  expect(await prove({ accessKeyId: 'AKIAOTHER' })).toMatch(
    /^OperatorError: S3_ACCESS_KEY_ID is not known/,
  )
  expect(await prove({ secretAccessKey: 'another' })).toMatch(
    /^OperatorError: S3_SECRET_ACCESS_KEY is not the one/,
  )
  expect(await prove({ region: 'us-east-1' })).toMatch(
    /^OperatorError: .* is in another region.* S3_REGION/,
  )
  for (const [code, said] of [
    ['AccessDenied', /^OperatorError: .* allow it s3:GetObject and s3:ListBucket\.$/],
    ['RequestTimeTooSkewed', /^OperatorError: The clock/],
    ['PermanentRedirect', /^OperatorError: .* S3_REGION/],
    ['EntityTooSmall', /^OperatorError: S3_ENDPOINT=.*\(EntityTooSmall\)/],
    ['SlowDown', /^BucketError: The bucket responded SlowDown$/],
  ] as const) {
    server.refuseAll(code)
    expect(await errorOf(store.selfTest())).toMatch(said)
  }
  const closed = await openS3Stub()
  await closed.close()
  expect(await prove({ endpoint: closed.endpoint })).toMatch(
    /^BucketError: The bucket cannot be reached \(ECONNREFUSED\)$/,
  )
})

test('a start continues with a warning when the bucket cannot be reached, but not with wrong keys', async () => {
  const logged: string[] = []
  const note = (...args: unknown[]): void => void logged.push(String(args.at(-1)))
  const log = { debug: note, info: note, warn: note, error: note }
  const start = (secretAccessKey: string) =>
    checkFileStore(
      { files: 's3', dataDir: '/nowhere', s3: { ...settings, secretAccessKey } },
      STORED_FILE_NAMES,
      log,
    )
  await start(S3_KEYS.secretAccessKey)
  await expect(start('another')).rejects.toThrow('S3_SECRET_ACCESS_KEY is not the one')
  expect(logged).toEqual([])
  server.refuseAll('InternalError')
  await start(S3_KEYS.secretAccessKey)
  expect(logged).toEqual([
    'the bucket for files cannot be used at the moment; files are written when it can',
  ])
  await checkFileStore({ files: 'disk', dataDir: '/nowhere', s3: settings }, STORED_FILE_NAMES, log)
})
