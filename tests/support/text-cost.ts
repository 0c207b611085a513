/** Whether the cost of reading a text grows with its length only: time per character, as a ratio. */
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
  'open tags': repeated('<sup>'),
  'opening signs of tags': repeated('<'),
  'dots in a domain': repeated('a.', 'a@'),
  extensions: repeated('x ', '1'),
}

function repeated(piece: string, first = ''): (length: number) => string {
  return length => (first + piece.repeat(Math.ceil(length / piece.length))).slice(0, length)
}

const SHORT = 4 * 1024
/** How many short texts are as long as the long one. */
const TIMES = 8
const LONG = TIMES * SHORT
/** Linear work has 1, and quadratic work 8. */
export const MOST_GROWTH = 3
/** Rounds of measurements before work counts as costly: the machine may have been busy. */
const MOST_ROUNDS = 6
const ROUND = 5

/** In ms. */
function costOf(run: () => unknown, times: number): number {
  const start = performance.now()
  for (let n = 0; n < times; n++) run()
  return performance.now() - start
}

/**
 * How many times as much a character of a long text costs as one of a text with an eighth of its
 * length. While that is too much it is measured again, more exactly: over as many characters of
 * both, so that collections of garbage and others on this machine slow both alike, and the fastest
 * of some runs.
 */
export function costGrowth(
  work: (text: string) => unknown,
  make: (length: number) => string,
): number {
  const [short, long] = [make(SHORT), make(LONG)]
  const [runShort, runLong] = [() => work(short), () => work(long)]
  // Otherwise the short text may be measured before the code is compiled, and the long one after it.
  runLong()
  const single = Math.min(costOf(runShort, 1), costOf(runShort, 1), costOf(runShort, 1))
  let growth = costOf(runLong, 1) / single / TIMES
  for (let round = 0; round < MOST_ROUNDS && growth > MOST_GROWTH; round++) {
    let [shortCost, longCost] = [Infinity, Infinity]
    for (let n = 0; n < ROUND; n++) {
      shortCost = Math.min(shortCost, costOf(runShort, TIMES))
      longCost = Math.min(longCost, costOf(runLong, 1))
    }
    growth = Math.min(growth, longCost / shortCost)
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
