/** A cell of a workbook as the text that a .csv file of the same sheet would have. */

/** Digits that a spreadsheet keeps; it writes zeros for the rest. */
const EXACT_DIGITS = 15

/** Finds number formats that write leading zeros, such as 00000 or [<=99999]00000;00000-0000, in XML. */
export const ZERO_FORMAT = /formatCode=(?:"|')(?:\[[^\]]*\])?(?:\\?[\s-]|&quot;|0)*00/

/**
 * `format`: the number format, where it may matter. A number that has lost digits becomes
 * '5.77E+17', which the rules of rows recognize.
 */
export function cellText(value: unknown, format = ''): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return zeroFilled(value, format) ?? numberAsText(value)
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (value instanceof Date) return dateText(value)
  return ''
}

function numberAsText(value: number): string {
  if (!Number.isInteger(value)) return String(Number(value.toPrecision(EXACT_DIGITS)))
  const isExact =
    Math.abs(value) < 10 ** EXACT_DIGITS || (Number.isSafeInteger(value) && value % 10 !== 0)
  return isExact ? String(value) : value.toExponential().replace('e', 'E')
}

/** '2026-11-20', with its time where it has one. hucre gives dates in UTC. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return ''
  const [day = '', time = ''] = date.toISOString().split('T')
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 8)}`
}

/** '04101' for 4101 in the format 00000; null for other formats. */
function zeroFilled(value: number, format: string): string | null {
  if (!format.includes('00') || !Number.isInteger(value) || value < 0) return null
  const [first = '', second] = format.replace(/["\\]/g, '').split(';')
  const limit = /^\[<=(\d+)\]/.exec(first)?.[1]
  const pattern =
    limit !== undefined && value > Number(limit) ? (second ?? '') : first.replace(/^\[[^\]]*\]/, '')
  if (!/^0[0\s-]*0$/.test(pattern)) return null
  const zeros = pattern.replace(/[^0]/g, '').length
  const digits = String(value).padStart(zeros, '0')
  let at = digits.length - zeros
  return digits.slice(0, at) + pattern.replaceAll('0', () => digits[at++]!)
}
