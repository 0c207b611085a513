/** Acts that must happen once, though their answer may be lost: the same body sent again keeps its key. */

/** `body` is what is sent, as JSON. */
export type Attempt = { key: string; body: string }

/** The attempt to send now. Reuses the last key for an unchanged body. */
export function attemptFor(
  last: Attempt | null,
  body: string,
  newKey: () => string = randomUuid,
): Attempt {
  return last?.body === body ? last : { key: newKey(), body }
}

/** A random UUID. Unlike crypto.randomUUID it also works on plain http. */
export function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  // Version 4 and its variant have fixed bits.
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0'))
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
