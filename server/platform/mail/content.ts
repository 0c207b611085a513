/** The encrypted content of a waiting email: the email itself, or the request of one. */
import type { SecretKey } from '#server/platform/process/secret-key.ts'
import type { Mail } from './transport.ts'

const PURPOSE = 'mail'

export type RequestContent = { to: string; input: unknown }

export const sealMail = (
  key: SecretKey,
  messageId: string,
  content: Mail | RequestContent,
): Buffer => key.seal(PURPOSE, messageId, Buffer.from(JSON.stringify(content)))

/** Null when it was encrypted with another key. */
export function unsealMail<Content extends Mail | RequestContent>(
  key: SecretKey,
  { messageId, sealed }: { messageId: string; sealed: Buffer },
): Content | null {
  let plain: Buffer
  try {
    plain = key.unseal(PURPOSE, messageId, sealed)
  } catch {
    return null
  }
  return JSON.parse(plain.toString()) as Content
}
