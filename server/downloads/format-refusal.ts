import { Refusal } from '#server/platform/http/refusal.ts'

/** A label, or labels, that are not available in the requested format. */
export const formatRefusal = (text: string): Refusal =>
  new Refusal('unprocessable', text, { format: text })
