import { asSentence } from '#contract/format.ts'
import { remedyFor } from '#web/orders/failure-remedies.ts'
import { texts } from './texts.ts'

/**
 * The sentence for a single order that was not bought: the server's message after its first colon,
 * with a capital letter.
 */
export function orderErrorText(message: string | null | undefined): string {
  const whole = message ?? ''
  const reason = whole.slice(whole.indexOf(':') + 1).trim()
  return reason === '' ? texts.unknownError : reason.charAt(0).toUpperCase() + reason.slice(1)
}

/** With what to change, as far as the reason tells. */
export function refusedLabelText(message: string): string {
  const text = orderErrorText(message)
  const remedy = remedyFor(text)
  return remedy === null ? text : `${asSentence(text)} ${remedy}`
}
