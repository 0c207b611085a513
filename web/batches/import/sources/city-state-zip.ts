import { stateCode } from '#contract/states.ts'

const ZIP_AT_END = /[\s,/-]*\b(\d{3,5}(?:-?\d{4})?)$/
const SEPARATORS = /[,/]/
/** 'District of Columbia' has three words. */
const MAX_STATE_WORDS = 4

type Place = { city: string; state: string; zip: string }

/** 'Fresno, CA 93701' in one cell. What is not found is '', so that its cell asks for it. */
export function readPlace(cell: string): Place {
  const [match, zip = ''] = ZIP_AT_END.exec(cell) ?? ['']
  const before = cell.slice(0, cell.length - match.length).trim()
  const parts = before.split(SEPARATORS).map(part => part.trim())
  const last = parts.at(-1)!
  if (parts.length > 1 && stateCode(last) !== null)
    return { city: parts.slice(0, -1).join(', '), state: last, zip }
  const words = before.split(/\s+/)
  for (let count = Math.min(MAX_STATE_WORDS, words.length - 1); count > 0; count--) {
    const state = words.slice(-count).join(' ')
    if (stateCode(state) !== null) return { city: words.slice(0, -count).join(' '), state, zip }
  }
  return { city: before, state: '', zip }
}
