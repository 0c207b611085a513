/**
 * Ids as programs see them: a prefix, by which EasyPost's clients choose a class, and 32 hexadecimal
 * digits that cannot be guessed.
 */
import { createHash } from 'node:crypto'
import type { SecretKey } from '#server/platform/process/secret-key.ts'

export type KeyPrefix = 'adr' | 'prcl' | 'shp' | 'rate' | 'batch' | 'rfnd' | 'evt' | 'sf'

/** `key`: a UUID. */
export const formatId = (prefix: KeyPrefix, key: string): string =>
  `${prefix}_${key.replaceAll('-', '')}`

/** The UUID of an id with this prefix; null for any other text. */
export function parseId(prefix: KeyPrefix, id: string): string | null {
  const hex = id.startsWith(`${prefix}_`) ? id.slice(prefix.length + 1) : ''
  return /^[0-9a-f]{32}$/.test(hex)
    ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : null
}

/** Of a webhook: its row's id and as many digits of a signature. */
export const hookId = (key: Pick<SecretKey, 'sign'>, id: number): string =>
  `hook_${id.toString(16).padStart(DIGITS, '0')}${Buffer.from(
    key.sign('easypost-hook', String(id)),
    'base64url',
  )
    .toString('hex')
    .slice(0, DIGITS)}`

const DIGITS = 16

/** Objects that every label has, also one that was not bought through /v2. */
export type LabelPrefix = 'trk' | 'pl'

type LabelKey = { id: number; pdfKey: string }

/** The order's id, and as many digits of a hash of its random key. */
export const labelObjectId = (prefix: LabelPrefix, { id, pdfKey }: LabelKey): string =>
  `${prefix}_${id.toString(16).padStart(DIGITS, '0')}${digestOf(prefix, pdfKey)}`

const digestOf = (prefix: LabelPrefix, pdfKey: string): string =>
  createHash('sha256').update(`${prefix} ${pdfKey}`).digest('hex').slice(0, DIGITS)

/** The order id that the text names, to be compared with `labelObjectId` of that order; or null. */
export function orderIdIn(prefix: LabelPrefix, id: string): number | null {
  const found = /^([a-z]+)_(\d[0-9a-f]{15})[0-9a-f]{16}$/.exec(id)
  const orderId = found?.[1] === prefix ? Number.parseInt(found[2]!, 16) : 0
  return orderId > 0 && Number.isSafeInteger(orderId) ? orderId : null
}
