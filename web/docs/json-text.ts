/** Longer objects and lists take one line for each entry. */
const LINE_LENGTH = 56

/** JSON for readers: what fits on a line stays on it. */
export function jsonText(value: unknown, indent = ''): string {
  const flat = flatText(value)
  if (indent.length + flat.length <= LINE_LENGTH || typeof value !== 'object' || value === null)
    return flat
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const entries = Array.isArray(value)
    ? value.map(entry => jsonText(entry, inner))
    : Object.entries(value).map(([name, entry]) => `"${name}": ${jsonText(entry, inner)}`)
  return `${open}\n${entries.map(entry => inner + entry).join(',\n')}\n${indent}${close}`
}

function flatText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flatText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).map(([name, entry]) => `"${name}": ${flatText(entry)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}
