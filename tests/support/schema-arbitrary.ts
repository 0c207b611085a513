/** Values for a JSON Schema, as fast-check makes them: most of them fit, some are spoiled in one place. */
import fc from 'fast-check'
import { anyCharacter } from './any-character.ts'

/** As far as the descriptions of our calls use it. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  allOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: boolean | JsonSchema
  required?: string[]
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
}

/** Values that a field of this name is likely to be meant for: ids that exist, names that are known. */
export type KnownValues = (name: string) => readonly unknown[]

const MOST_ENTRIES = 4

/** Values that are valid nowhere. */
const UNEXPECTED_VALUES: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  0,
  -0,
  -1,
  0.1 + 0.2,
  1e21,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53 + 2,
  5e-324,
  [],
  {},
  [[]],
  [null],
  { a: { b: {} } },
  'a\u0000b',
  'x'.repeat(5_000),
  '\ud83d',
  '\u202e\ufeff',
  '٣',
  '1e3',
  '0x10',
  ' 7 ',
  '-0',
  '007',
  '1,5',
  'null',
  '{}',
  "';--",
  '%00',
  '../..',
  '<b>',
  '=1+1',
  JSON.parse('{"__proto__":{"admin":true}}'),
  JSON.parse('{"constructor":{"prototype":{}}}'),
  { length: 3 },
  { toString: 1 },
]

/** A value for the field `name`. In about every fiftieth place something stands that should not be there. */
export function arbitraryFor(
  schema: JsonSchema,
  known: KnownValues,
  name = '',
): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 49, arbitrary: validArbitrary(schema, known, name) },
    { weight: 1, arbitrary: fc.constantFrom(...UNEXPECTED_VALUES) },
  )
}

function validArbitrary(
  schema: JsonSchema,
  known: KnownValues,
  name: string,
): fc.Arbitrary<unknown> {
  const likely = known(name).filter(value => Array.isArray(value) === (schema.type === 'array'))
  const made = arbitraryByType(schema, known, name)
  return likely.length === 0
    ? made
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...likely) }, { weight: 1, arbitrary: made })
}

function arbitraryByType(
  schema: JsonSchema,
  known: KnownValues,
  name: string,
): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const others = schema.anyOf ?? schema.oneOf
  if (others) return fc.oneof(...others.map(one => arbitraryByType(one, known, name)))
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map(type => arbitraryByType({ ...schema, type }, known, name)))
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integerArbitrary(schema)
    case 'number':
      return fc.oneof(integerArbitrary(schema), decimalArbitrary(schema))
    case 'string':
      return stringArbitrary(schema)
    case 'array':
      return fc.array(arbitraryFor(schema.items ?? {}, known, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? MOST_ENTRIES, MOST_ENTRIES),
      })
    case 'object':
      return objectArbitrary(schema, known)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function objectArbitrary(
  { properties = {}, required = [] }: JsonSchema,
  known: KnownValues,
): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, arbitraryFor(schema, known, name)]),
  )
  return fc.oneof(
    { weight: 6, arbitrary: fc.record(fields) },
    { weight: 3, arbitrary: fc.record(fields, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
  )
}

const minimumOf = ({ minimum, exclusiveMinimum }: JsonSchema): number =>
  Math.max(minimum ?? -1e6, (exclusiveMinimum ?? -1e6) + 1)
const maximumOf = ({ maximum, exclusiveMaximum }: JsonSchema): number =>
  Math.min(maximum ?? 1e6, (exclusiveMaximum ?? 1e6) - 1)

const integerArbitrary = (schema: JsonSchema): fc.Arbitrary<number> => {
  const [min, max] = [Math.ceil(minimumOf(schema)), Math.floor(maximumOf(schema))]
  return fc.oneof(
    fc.integer({ min, max }),
    fc.integer({ min, max: Math.min(max, min + 20) }),
    fc.constantFrom(min, max),
  )
}
const decimalArbitrary = (schema: JsonSchema): fc.Arbitrary<number> =>
  fc.oneof(
    fc
      .integer({
        min: Math.ceil(minimumOf(schema) * 100),
        max: Math.floor(Math.min(maximumOf(schema) * 100, 1e15)),
      })
      .map(cents => cents / 100),
    fc.double({ min: minimumOf(schema), max: maximumOf(schema), noNaN: true }),
  )

function stringArbitrary({
  pattern,
  format,
  minLength = 0,
  maxLength = 60,
}: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    return fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map(day => day.toISOString())
  }
  if (pattern) return fc.stringMatching(new RegExp(pattern))
  const bounds = { minLength, maxLength: Math.min(maxLength, 60) }
  return fc.oneof(
    fc.string({ ...bounds, unit: 'grapheme-ascii' }),
    fc.string({ ...bounds, unit: anyCharacter }),
    fc.constant('a'.repeat(maxLength)),
  )
}
