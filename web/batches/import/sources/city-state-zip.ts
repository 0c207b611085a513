import { stateAtEnd, withoutCountry } from '#web/addresses/parse-address.ts'

/** A table may have lost the zeros at the beginning. */
const ZIP_AT_END = /\b(\d{3,5})(?:\s?-?\s?(\d{4}))?$/
const SEPARATOR = /\s*[,/]\s*|\s+-\s+/g
const LEFT_AT_END = /[\s,/.-]+$/

type Place = { city: string; state: string; zip: string }

/** 'Fresno, CA 93701' in one cell. What is not found is '', so that its cell asks for it. */
export function readPlace(cell: string): Place {
  const text = (withoutCountry([cell.replace(LEFT_AT_END, '')])[0] ?? '').replace(LEFT_AT_END, '')
  const found = ZIP_AT_END.exec(text)
  const [, five = '', four] = found ?? []
  const before = text.slice(0, found?.index).replace(LEFT_AT_END, '').replace(SEPARATOR, ', ')
  const words = before.split(/\s+/)
  const state = words.length > 1 ? stateAtEnd(words) : null
  return {
    city: words
      .slice(0, words.length - (state?.words ?? 0))
      .join(' ')
      .replace(LEFT_AT_END, ''),
    state: state?.code ?? '',
    zip: four ? `${five}-${four}` : five,
  }
}
