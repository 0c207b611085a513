/** Which messages of carriers count, and which are refused. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import { readMessage } from '#server/carriers/easypost/messages.ts'
import { createMessageReader } from '#server/carriers/shipengine/messages.ts'
import type { CarrierResponse } from './http.ts'

const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))
const TRACKER = bytes({
  object: 'Event',
  description: 'tracker.updated',
  result: { object: 'Tracker', tracking_code: '9400100110368060235012', weight: 10 },
})

const easypostHeaders = (secret: string, body: Uint8Array) => ({
  'x-hmac-signature': `hmac-sha256-hex=${createHmac('sha256', secret.normalize('NFKD')).update(body).digest('hex')}`,
})

test('an event of EasyPost counts when its bytes are signed with the secret', () => {
  const secret = 'ﬁne-sécret-of-16-letters'
  const told = { body: TRACKER, headers: easypostHeaders(secret, TRACKER) }
  expect(readMessage(secret, told)).toEqual({
    kind: 'parcel',
    trackingNumber: '9400100110368060235012',
  })
  expect(readMessage('another secret 16', told)).toEqual({ kind: 'unsigned' })
  expect(readMessage(secret, { body: TRACKER, headers: {} })).toEqual({ kind: 'unsigned' })
  const changed = Buffer.from(TRACKER.toString().replace('5012', '5013'))
  expect(readMessage(secret, { ...told, body: changed })).toEqual({ kind: 'unsigned' })
})

test.each([
  bytes({ result: { object: 'Refund', tracking_code: '9400100110368060235012' } }),
  bytes({ result: { object: 'Tracker', tracking_code: "1' or '1" } }),
  bytes({ result: null }),
  bytes([]),
  Buffer.from('no json'),
])('a signed event about something else is accepted without effect', body => {
  const told = { body, headers: easypostHeaders('sixteen letters!', body) }
  expect(readMessage('sixteen letters!', told)).toEqual({ kind: 'other' })
})

const NOW = Date.parse('2026-11-22T12:00:00Z')
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const JWKS = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'key-1' }, { kid: 'broken' }] }
const TRACK = bytes({
  resource_type: 'API_TRACK',
  data: { tracking_number: '9400100110368060235012' },
})

function shipengine(answer: { status: number; body: unknown } = { status: 200, body: JWKS }) {
  const asked: string[] = []
  let now = NOW
  const send = async (_method: string, path: string): Promise<CarrierResponse> => {
    asked.push(path)
    return { ...answer, headers: new Headers(), bytes: new Uint8Array() }
  }
  const read = createMessageReader({ send: send as never }, () => now)
  return { asked, read, pass: (ms: number) => void (now += ms) }
}
const signedTrack = (time: string, id = 'key-1', body = TRACK) => ({
  body,
  headers: {
    'x-shipengine-rsa-sha256-key-id': id,
    'x-shipengine-timestamp': time,
    'x-shipengine-rsa-sha256-signature': sign(
      'sha256',
      Buffer.concat([Buffer.from(`${time}.`), body]),
      privateKey,
    ).toString('base64'),
  },
})

test('an event of ShipEngine counts when it is signed by one of its published keys', async () => {
  const { read, asked } = shipengine()
  const told = signedTrack('2026-11-22T11:59:00Z')
  expect(await read(told)).toEqual({ kind: 'parcel', trackingNumber: '9400100110368060235012' })
  expect(await read({ ...told, body: bytes({}) })).toEqual({ kind: 'unsigned' })
  expect(await read({ body: TRACK, headers: {} })).toEqual({ kind: 'unsigned' })
  expect(asked).toEqual(['/jwks'])
})

test('an old event of ShipEngine is refused, so that it cannot be sent again', async () => {
  const { read, asked } = shipengine()
  expect(await read(signedTrack('2026-11-22T11:54:59Z'))).toEqual({ kind: 'unsigned' })
  expect(await read(signedTrack('yesterday'))).toEqual({ kind: 'unsigned' })
  expect(asked).toEqual([])
})

test('unknown keys fetch the published keys once a minute at most', async () => {
  const { read, asked, pass } = shipengine()
  for (const id of ['x', 'y', 'z'])
    expect(await read(signedTrack('2026-11-22T11:59:00Z', id))).toEqual({ kind: 'unsigned' })
  expect(asked).toHaveLength(1)
  pass(60_000)
  await read(signedTrack('2026-11-22T11:59:00Z', 'x'))
  expect(asked).toHaveLength(2)
})

test('a message waits for the sender to try again while the keys cannot be read', async () => {
  const { read } = shipengine({ status: 503, body: undefined })
  await expect(read(signedTrack('2026-11-22T11:59:00Z'))).rejects.toThrow('503')
})
