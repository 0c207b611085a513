import { createHash } from 'node:crypto'
import type { Attempt } from '#server/carriers/port.ts'

/**
 * An attempt's name at the carrier. `instance` distinguishes installations that share an account
 * and both have an order 17.
 */
export const attemptName = (instance: string, { reference, round }: Attempt): string =>
  `evp-${instance}-${reference}-${round}`

/** As a UUID, version 8 (RFC 9562, 5.8), for carriers that require one. */
export function attemptUuid(instance: string, attempt: Attempt): string {
  const bytes = createHash('sha256').update(attemptName(instance, attempt)).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
