/** Certificates with keys of P-256 (RFC 5280), as a device sends them about its passkey. */
import { createSign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const INTEGER = 0x02
const OCTETS = 0x04
const ENUMERATED = 0x0a
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const text = (tag: number, value: string) => der(tag, Buffer.from(value))
const number = (value: number, tag = INTEGER) => der(tag, Buffer.from([value]))
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
/** A context tag around other values. */
const tagged = (tag: number, ...parts: Buffer[]) => der(0xa0 + tag, ...parts)
const time = (ms: number) =>
  text(
    0x17,
    `${new Date(ms)
      .toISOString()
      .replaceAll(/[-:T]|\..*/g, '')
      .slice(2)}Z`,
  )
const DAY_MS = 86_400_000

const ECDSA_SHA256 = sequence(objectId('2a8648ce3d040302'))
const nameOf = (name: string) => sequence(der(0x31, sequence(objectId('550403'), text(0x0c, name))))
const extension = (id: string, value: Buffer) => sequence(objectId(id), der(OCTETS, value))

/** Extension 2.5.29.31: where the revocations of the certificate's issuer are. */
export const revocationsAt = (url: string): Buffer =>
  extension('551d1f', sequence(sequence(tagged(0, tagged(0, text(0x86, url))))))

/** Extension 1.3.6.1.4.1.11129.2.1.17: Android's description of a new key. */
export const androidKey = (challenge: Buffer): Buffer =>
  extension(
    '2b06010401d679020111',
    sequence(
      number(3),
      number(0, ENUMERATED),
      number(4),
      number(0, ENUMERATED),
      der(OCTETS, challenge),
      der(OCTETS),
      sequence(),
      sequence(),
    ),
  )

type Certificate = {
  subject: string
  issuer: string
  publicKey: KeyObject
  signedBy: KeyObject
  extensions: Buffer[]
}

/** A certificate of two days. */
export function certificate(of: Certificate): Buffer {
  const now = Date.now()
  const content = sequence(
    tagged(0, number(2)),
    number(of.subject.length),
    ECDSA_SHA256,
    nameOf(of.issuer),
    sequence(time(now - DAY_MS), time(now + DAY_MS)),
    nameOf(of.subject),
    of.publicKey.export({ format: 'der', type: 'spki' }),
    ...(of.extensions.length > 0 ? [tagged(3, sequence(...of.extensions))] : []),
  )
  const signature = createSign('sha256').update(content).sign(of.signedBy)
  return sequence(content, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature))
}
