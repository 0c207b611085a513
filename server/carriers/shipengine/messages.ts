/** Track events that ShipEngine sends to a webhook (shipengine.com/docs/tracking/webhooks). */
import { createPublicKey, verify } from 'node:crypto'
import type { JsonWebKeyInput, KeyObject } from 'node:crypto'
import type { CarrierMessage, CarrierMessageResult } from '#server/carriers/port.ts'
import { jsonRecord, messageTrackingNumber } from '#server/carriers/wire/messages.ts'
import { withTimeout } from '#server/platform/process/timeout.ts'
import type { ApiClient } from './client.ts'

/** The signature is over the time, a full stop and the bytes of the body. */
const SIGNATURE_HEADER = 'x-shipengine-rsa-sha256-signature'
const KEY_HEADER = 'x-shipengine-rsa-sha256-key-id'
const TIME_HEADER = 'x-shipengine-timestamp'
const MAX_AGE_MS = 5 * 60_000
const KEYS_TIMEOUT_MS = 5_000
/** A message with an unknown key fetches the keys, but no more often. */
const KEYS_FETCH_MS = 60_000

type Keys = ReadonlyMap<string, KeyObject>

/** `now` in ms since 1970. */
export function createMessageReader(
  client: Pick<ApiClient, 'send'>,
  now: () => number,
): (message: CarrierMessage) => Promise<CarrierMessageResult> {
  let keys: Keys = new Map()
  let fetchedAt = -Infinity
  let fetching: Promise<void> | null = null
  async function keyFor(id: string): Promise<KeyObject | undefined> {
    if (!keys.has(id) && now() - fetchedAt >= KEYS_FETCH_MS)
      await (fetching ??= fetchKeys(client)
        .then(found => void (keys = found))
        .finally(() => {
          fetchedAt = now()
          fetching = null
        }))
    return keys.get(id)
  }
  return async ({ body, headers }) => {
    const [signature, id, time] = [SIGNATURE_HEADER, KEY_HEADER, TIME_HEADER].map(name =>
      String(headers[name] ?? ''),
    ) as [string, string, string]
    if (signature === '' || id === '' || !isRecent(time, now())) return { kind: 'unsigned' }
    const key = await keyFor(id)
    const signed = Buffer.concat([Buffer.from(`${time}.`), body])
    if (!key || !verify('sha256', signed, key, Buffer.from(signature, 'base64')))
      return { kind: 'unsigned' }
    const { resource_type: type, data } = jsonRecord(body)
    return type === 'API_TRACK'
      ? messageTrackingNumber(jsonRecord(data).tracking_number)
      : { kind: 'other' }
  }
}

const isRecent = (time: string, now: number): boolean =>
  Math.abs(now - Date.parse(time)) <= MAX_AGE_MS

/** RSA keys by their id; others are left out. Throws when ShipEngine does not answer. */
async function fetchKeys(client: Pick<ApiClient, 'send'>): Promise<Keys> {
  const response = await withTimeout(KEYS_TIMEOUT_MS, signal => client.send('GET', '/jwks', signal))
  const { keys } = jsonRecord(response.body)
  if (response.status !== 200 || !Array.isArray(keys))
    throw new Error(`ShipEngine answered ${response.status} about its signature keys`)
  const found = new Map<string, KeyObject>()
  for (const entry of keys) {
    const { kid, kty, n, e } = jsonRecord(entry)
    if (typeof kid !== 'string' || kty !== 'RSA') continue
    try {
      const key = { key: { kty, n, e }, format: 'jwk' } as JsonWebKeyInput
      found.set(kid, createPublicKey(key))
    } catch {
      // A key that cannot be read signs nothing for us.
    }
  }
  return found
}
