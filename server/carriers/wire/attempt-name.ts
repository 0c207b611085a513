import { createHash } from 'node:crypto'
import type { Attempt } from '#server/carriers/port.ts'

/**
 * What an attempt is called at a carrier. `instance` is the name of this copy of the house: two copies that share an account at the
 * carrier both have an order 17.
 */
export const attemptName = (instance: string, { reference, round }: Attempt): string =>
  `evp-${instance}-${reference}-${round}`

/** The same as a UUID, for carriers that want one: version 8 (RFC 9562, 5.8), so that it always follows from the attempt. */
export function attemptUuid(instance: string, attempt: Attempt): string {
  const bytes = createHash('sha256').update(attemptName(instance, attempt)).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
