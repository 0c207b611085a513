/** Random requests: what a described call allows, and malformed ones. */
import fc from 'fast-check'
import type { FuzzSubjects } from './fuzz-subjects.ts'
import type { DescribedCall } from './openapi-calls.ts'
import { row } from './rows.ts'
import { arbitraryFor } from './schema-arbitrary.ts'

/** Rows of a bulk order are described by the specification, not by the description. */
const ROWS = fc.record(
  Object.fromEntries(
    Object.entries(row()).map(([name, value]) => [
      name,
      fc.oneof(
        { weight: 150, arbitrary: fc.constant(value) },
        { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
      ),
    ]),
  ),
)

export type FuzzRequest = { url: string; payload: string | undefined }

/** What a call means by `id`. */
const ID_OF = [
  ['/defaultServices', 'serviceId'],
  ['/address', 'addressRecordId'],
  ['', 'invoiceId'],
] as const

/** A request to make the call. `own`: whose it mostly is. */
export function requests(
  call: DescribedCall,
  { ids }: FuzzSubjects,
  own: string[],
): fc.Arbitrary<FuzzRequest> {
  const id = ID_OF.find(([path]) => call.path.includes(path))![1]
  const known = (name: string) =>
    ids[name === 'id' ? id : name === 'user_id' ? 'userId' : name]?.concat(
      name === 'userId' || name === 'user_id' ? Array(4).fill(own).flat() : [],
    ) ?? []
  const fields = (where: 'path' | 'query') =>
    Object.fromEntries(
      call.parameters
        .filter(one => one.in === where)
        .map(({ name, schema }) => [name, arbitraryFor(schema, known, name)]),
    )
  const body = call.body === undefined ? fc.constant(undefined) : arbitraryFor(call.body, known)
  const rows = fc.array(ROWS, { maxLength: 3 })
  const parts = fc.tuple(
    fc.record(fields('path')),
    fc.record(fields('query'), { requiredKeys: [] }),
    body,
    rows,
  )
  return parts.map(([path, query, made, data]) => {
    const at = call.path.replace(/\{(\w+)\}/g, (_, name: string) => pathSegment(path[name]))
    const asked = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, textOf(value)]),
    )
    const full =
      typeof made === 'object' && made !== null && 'orderData' in made
        ? { ...made, orderData: data }
        : made
    return {
      url: asked.size > 0 ? `${at}?${asked}` : at,
      payload: full === undefined ? undefined : JSON.stringify(full),
    }
  })
}

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed()
// An empty one is another address, and so is a dot.
const pathSegment = (value: unknown): string =>
  encodeURIComponent(textOf(value).slice(0, 250)).replace(/^(\.{0,2})$/, '-$1')

/** Pieces that do harm inside a JSON text, an address or a header. */
export const MALFORMED_PIECES = [
  '',
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  'null',
  '1e999',
  '-0',
  '-',
  '9'.repeat(400),
  '\\u0000',
  '\\ud800',
  '\\',
  '\u0000',
  '\u00ff',
  '"__proto__":{"admin":true},',
  '"constructor":{"prototype":null},',
  '"userId":"1",',
  '//',
  '/*',
  '\u2028',
  'NaN',
  "'",
  '%',
  '%2e%2e%2f',
  '\ufeff',
  '\n',
  '%00',
  '%ff',
  '?',
  '#',
  '&',
  '&page=1&page=2',
  '&__proto__[a]=1&constructor=1',
  '&userId[]=1',
  ';',
  '..',
  '+',
  '\ud83d\ude00',
  '[[[[[[[[[[',
]
export const CONTENT_TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'Application/JSON',
  'application/json;;',
  'text/plain',
  'multipart/form-data',
  '',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'a/b; charset="',
  'application/json, text/html',
]

/** The text with some pieces cut out and others driven in. */
export function corruptedText(text: string): fc.Arbitrary<string> {
  const cut = fc.tuple(fc.nat(text.length), fc.nat(6), fc.constantFrom(...MALFORMED_PIECES))
  return fc
    .array(cut, { minLength: 1, maxLength: 3 })
    .map(cuts =>
      cuts.reduce(
        (now, [at, length, splinter]) => now.slice(0, at) + splinter + now.slice(at + length),
        text,
      ),
    )
}

// Characters that HTTP allows; the HTTP parser refuses all others (server/app.test.ts).
export const printable = (text: string): string => text.replace(/[^\x21-\x7e\xa0-\xff]/g, '~')
