/** An authenticator in software: passkeys with ES256 as a browser would answer them, and codes of an app. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '#contract/passkeys.ts'
import { totpCode, totpStep } from '#server/accounts/totp.ts'

type CborValue = number | string | Buffer | CborValue[] | Map<CborValue, CborValue>

/** RFC 8949: integers, text, bytes, lists and maps are all that an attestation needs. */
function cbor(value: CborValue): Buffer {
  const head = (major: number, count: number): Buffer => {
    if (count < 24) return Buffer.from([(major << 5) | count])
    if (count < 256) return Buffer.from([(major << 5) | 24, count])
    return Buffer.from([(major << 5) | 25, count >> 8, count & 0xff])
  }
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value)
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(pair => pair.map(cbor))])
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const BACKUP_ELIGIBLE = 0x08
const BACKED_UP = 0x10
const HAS_CREDENTIAL = 0x40

type Behavior = {
  /** The address of the page, as the browser vouches for it. */
  origin: string
  /** The device asks for a PIN, a finger or a face. */
  verifiesUser?: boolean
  /** A passkey that a provider synchronizes: its counter stays 0. */
  synchronized?: boolean
}

/** What a device says about itself; browsers leave it out unless a site asks for it. */
export type Attestation = { format: string; statement: Record<string, CborValue> }

export type Passkey = {
  id: string
  /** `attest`: of the hash of the client data and the new key. */
  register(
    options: PasskeyCreationOptions,
    attest?: (clientDataHash: Buffer, publicKey: KeyObject) => Attestation,
  ): PasskeyRegistration
  sign(options: PasskeyRequestOptions): PasskeyAssertion
  /** As another device with a copy of the key, or with another behavior. */
  with(changes: Partial<Behavior & { counter: number }>): Passkey
}

/** A passkey that is not registered anywhere yet. */
export function newPasskey(behavior: Behavior): Passkey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return passkeyOf(behavior, privateKey, publicKey, randomBytes(32), { value: 0 })
}

function passkeyOf(
  behavior: Behavior,
  privateKey: KeyObject,
  publicKey: KeyObject,
  credentialId: Buffer,
  counter: { value: number },
): Passkey {
  const { origin, verifiesUser = true, synchronized = false } = behavior
  const id = credentialId.toString('base64url')
  const authenticatorData = (host: string, more = 0): Buffer => {
    const flags =
      USER_PRESENT
      | (verifiesUser ? USER_VERIFIED : 0)
      | (synchronized ? BACKUP_ELIGIBLE | BACKED_UP : 0)
      | more
    const count = Buffer.alloc(4)
    count.writeUInt32BE(synchronized ? 0 : ++counter.value)
    return Buffer.concat([sha256(host), Buffer.from([flags]), count])
  }
  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  return {
    id,
    register({ challenge, rp }, attest = () => ({ format: 'none', statement: {} })) {
      const { x, y } = publicKey.export({ format: 'jwk' })
      // COSE: key type EC2, ES256, curve P-256, coordinates.
      const key = cbor(
        new Map<CborValue, CborValue>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x!, 'base64url')],
          [-3, Buffer.from(y!, 'base64url')],
        ]),
      )
      const length = Buffer.from([0, credentialId.length])
      const aaguid = Buffer.alloc(16)
      const authData = Buffer.concat([
        authenticatorData(rp.id ?? '', HAS_CREDENTIAL),
        aaguid,
        length,
        credentialId,
        key,
      ])
      const client = clientData('webauthn.create', challenge)
      const { format, statement } = attest(sha256(client), publicKey)
      const attestation = new Map<CborValue, CborValue>([
        ['fmt', format],
        ['attStmt', new Map(Object.entries(statement))],
        ['authData', authData],
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          attestationObject: cbor(attestation).toString('base64url'),
          transports: ['internal', 'hybrid'],
        },
      }
    },
    sign({ challenge, rpId }) {
      const data = authenticatorData(rpId ?? '')
      const client = clientData('webauthn.get', challenge)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey)
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
    with({ counter: value, ...changes }) {
      const copied = value === undefined ? counter : { value }
      return passkeyOf({ ...behavior, ...changes }, privateKey, publicKey, credentialId, copied)
    },
  }
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function fromBase32(text: string): Buffer {
  const bits = [...text].map(letter => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}

export type AuthenticatorApp = {
  /** The bytes of the secret. */
  secret: Buffer
  /** The code that the app shows; `steps` of 30 s later or earlier. */
  code(steps?: number): string
  /** A code that the app shows neither now nor soon. */
  wrongCode(): string
}

/** An app with a secret as the page shows it. */
export function authenticatorApp(secret: string): AuthenticatorApp {
  const key = fromBase32(secret)
  const now = () => totpStep(Date.now() / 1000)
  return {
    secret: key,
    code: (steps = 0) => totpCode(key, now() + steps),
    wrongCode() {
      const right = [-3, -2, -1, 0, 1, 2, 3].map(steps => totpCode(key, now() + steps))
      let wrong = 0
      while (right.includes(String(wrong).padStart(6, '0'))) wrong++
      return String(wrong).padStart(6, '0')
    },
  }
}
