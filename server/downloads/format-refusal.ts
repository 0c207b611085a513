import { refuseField } from '#server/platform/http/refusal.ts'
import type { Refusal } from '#server/platform/http/refusal.ts'

/** A label, or labels, that are not available in the requested format. */
export const formatRefusal = (text: string): Refusal =>
  refuseField('format', 'format_not_available', text)
