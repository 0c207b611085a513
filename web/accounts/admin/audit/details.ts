/** The recorded details of an audit entry, as lines. */

type DetailLine = { name: string; value: string }

/** 'invitedBy' to 'Invited by'. */
const keyTitle = (key: string): string => {
  const apart = key
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
  return apart.charAt(0).toUpperCase() + apart.slice(1)
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(valueText).filter(Boolean).join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([key, inner]) => `${keyTitle(key)}: ${valueText(inner)}`)
      .join(', ')
  return String(value)
}

/** In recorded order, without empty values. */
export const detailLines = (detail: Record<string, unknown>): DetailLine[] =>
  Object.entries(detail)
    .map(([key, value]) => ({ name: keyTitle(key), value: valueText(value) }))
    .filter(({ value }) => value !== '')

/** A recorded id, for a link; null if the value is no id. */
export function recordIdOf(value: unknown): string | null {
  const id = typeof value === 'number' || typeof value === 'string' ? String(value) : ''
  return /^[1-9]\d*$/.test(id) ? id : null
}
