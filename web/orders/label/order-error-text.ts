/** The sentence for a single order that was not bought (specification, 8). */
export const UNKNOWN_ERROR = 'An Unknown Error Occurred'

/** The server's message, from behind its first colon if it has one, its first letter as a capital. */
export function orderErrorText(message: string | null | undefined): string {
  const text = message ?? ''
  const said = text.slice(text.indexOf(':') + 1).trim()
  return said === '' ? UNKNOWN_ERROR : said.charAt(0).toUpperCase() + said.slice(1)
}
