/** Whether the cost of reading a text grows with its length only: CPU time per character, as a ratio. */
import type * as z from 'zod'

/** The worst texts known, each of a given length in UTF-16 units. */
export const WORST_TEXTS: Record<string, (length: number) => string> = {
  'marks of alternating classes': repeated('\u0301\u0316', 'a'),
  'marks of five classes': repeated('\u0301\u0316\u0327\u0345\u3099', 'a'),
  'thirty marks on each letter': repeated(`a${'\u0301\u0316'.repeat(15)}`),
  'marks and joiners': repeated(`${'\u0301\u0316'.repeat(15)}\u034f`),
  'marks and zero-width spaces': repeated('\u0316\u200b\u0301'),
  'half-width voiced marks': repeated('\uff9e\u0316\uff9f\u0301'),
  'ligatures of eighteen letters': repeated('\ufdfa'),
  'square words': repeated('\u3316'),
  'lone surrogates': repeated('\ud83d'),
  emoji: repeated('👩🏽‍🚀'),
  spaces: repeated(' ', 'a'),
  'spaces before a letter': length => `${' '.repeat(length - 1)}a`,
  'ideographic spaces': repeated('\u3000\u00a0'),
  'line ends': repeated(' \r\n\n'),
  digits: repeated('9'),
  'zeros after a point': repeated('0', '0.'),
  'Hangul parts': repeated('\u1112\u1161\u11ab'),
  'zero-width spaces': repeated('\u200b'),
  'right-to-left marks': repeated('\u200f\u202e\u05d0'),
  'vowel signs': repeated('\u0915\u093f\u0902'),
  'misplaced quotes': repeated('"x'),
  'misplaced quotes before spaces': length =>
    `"${'"x'.repeat(length / 4)}${' '.repeat(length / 2)}`,
  'closed quotes': repeated('""', '"'),
  'equals signs': repeated('="'),
  dashes: repeated('-', "'="),
  'dots in a domain': repeated('a.', 'a@'),
  extensions: repeated('x ', '1'),
}

function repeated(piece: string, first = ''): (length: number) => string {
  return length => (first + piece.repeat(Math.ceil(length / piece.length))).slice(0, length)
}

const SHORT = 4 * 1024
const LONG = 8 * SHORT
/** Linear work has 1, and quadratic work 8. */
export const MOST_GROWTH = 3
const MOST_TRIES = 30

/** The fastest of some runs in ms: others run on this machine, and their share differs. */
function costOf(run: () => unknown, runs: number): number {
  let least = Infinity
  for (let n = 0; n < runs; n++) {
    const start = performance.now()
    run()
    least = Math.min(least, performance.now() - start)
  }
  return least
}

/**
 * How many times as much a character of a long text costs as one of a text with an eighth of its
 * length. Tried again while that is too much, since the machine may have been busy.
 */
export function costGrowth(
  work: (text: string) => unknown,
  make: (length: number) => string,
): number {
  const [short, long] = [make(SHORT), make(LONG)]
  let [shortCost, longCost, growth] = [Infinity, Infinity, Infinity]
  for (let tries = 0; tries < MOST_TRIES && !(growth <= MOST_GROWTH); tries++) {
    shortCost = Math.min(
      shortCost,
      costOf(() => work(short), 3),
    )
    longCost = Math.min(
      longCost,
      costOf(() => work(long), 1),
    )
    growth = longCost / shortCost / (LONG / SHORT)
  }
  return growth
}

type Definition = {
  type: string
  innerType?: z.core.$ZodType
  in?: z.core.$ZodType
  element?: z.core.$ZodType
  options?: z.core.$ZodType[]
  shape?: Record<string, z.core.$ZodType>
}

/** Where a schema has a text; a list has its items under '0'. */
export type TextPlace = { path: readonly string[]; schema: z.core.$ZodType }

export function textPlaces(schema: z.core.$ZodType, path: readonly string[] = []): TextPlace[] {
  const {
    type,
    innerType,
    in: before,
    element,
    options = [],
    shape = {},
  } = schema._zod.def as Definition
  if (type === 'string') return [{ path, schema }]
  const inner = innerType ?? before
  if (inner) return textPlaces(inner, path)
  if (element) return textPlaces(element, [...path, '0'])
  return [
    ...options.flatMap(option => textPlaces(option, path)),
    ...Object.entries(shape).flatMap(([name, part]) => textPlaces(part, [...path, name])),
  ]
}

/** A value with the text at its place and nothing else. */
export function valueWith([name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text
  return name === '0' ? [valueWith(rest, text)] : { [name]: valueWith(rest, text) }
}
