/** JSON Schemas of the contract's zod schemas, as OpenAPI 3.1 has them. */
import * as z from 'zod'
import { SCHEMA_NAMES } from './calls.ts'

/** As far as the contract needs it. */
export type JsonSchema = {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  const?: unknown
  examples?: unknown[]
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  allOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  propertyNames?: JsonSchema
}

/** A schema of what is sent, or of what comes back. */
export type Direction = 'input' | 'output'

const REF = '#/components/schemas/'

/** Formats whose patterns of several hundred characters tell a reader nothing. */
const FORMATS = new Set(['date-time', 'date', 'email', 'uuid', 'uri'])

const METADATA = {
  get(schema: z.core.$ZodType): object | undefined {
    const own = z.globalRegistry.get(schema)
    const id = SCHEMA_NAMES.get(schema)
    return id === undefined ? own : { ...own, id }
  },
}

/** The schemas of a document. Those with a name are collected and referred to. */
export type SchemaCollector = {
  schemaOf(schema: z.ZodType, direction: Direction): JsonSchema
  /** A copy that refers to the components by their final names. */
  finish<Value>(value: Value): Value
  /** By name, sorted. 'OrderInput' beside 'Order' where what is sent differs from what comes back. */
  components(): Record<string, JsonSchema>
}

type Definitions = Map<string, JsonSchema>

export function collectSchemas(): SchemaCollector {
  const found: Record<Direction, Definitions> = { input: new Map(), output: new Map() }
  let split: Set<string> | undefined
  const nameOf = (direction: string, id: string): string =>
    direction === 'input' && (split ??= differingNames(found)).has(id) ? `${id}Input` : id
  const finish = <Value>(value: Value): Value =>
    mapRefs(value, ref => {
      const [direction, id] = ref.split(':') as [string, string | undefined]
      return id === undefined ? ref : REF + nameOf(direction, id)
    })
  return {
    schemaOf(schema, direction) {
      // A schema with a name is referred to only below the root.
      const { $defs = {}, properties } = z.toJSONSchema(z.object({ schema }), {
        io: direction,
        unrepresentable: 'any',
        metadata: METADATA as never,
      }) as JsonSchema & { $defs?: Record<string, JsonSchema> }
      const tidied = (given: JsonSchema): JsonSchema =>
        tidySchema(mapRefs(given, ref => `${direction}:${ref.replace('#/$defs/', '')}`))
      for (const [id, definition] of Object.entries($defs))
        if (!found[direction].has(id)) found[direction].set(id, tidied(definition))
      split = undefined
      return tidied(properties!.schema!)
    },
    finish,
    components() {
      const all = (['output', 'input'] as const).flatMap(direction =>
        [...found[direction]].map(
          ([id, schema]) => [nameOf(direction, id), finish(schema)] as const,
        ),
      )
      return Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    },
  }
}

/** Names whose two directions differ, by themselves or by what they refer to. */
function differingNames(found: Record<Direction, Definitions>): Set<string> {
  const differing = new Set<string>()
  const textOf = (schema: JsonSchema | undefined): string =>
    JSON.stringify(
      mapRefs(schema, ref => {
        const [, id] = ref.split(':') as [string, string]
        return differing.has(id) ? ref : id
      }),
    )
  for (let before = -1; before < differing.size;) {
    before = differing.size
    for (const [id, input] of found.input)
      if (found.output.has(id) && textOf(input) !== textOf(found.output.get(id))) differing.add(id)
  }
  return differing
}

function mapRefs<Value>(value: Value, rename: (ref: string) => string): Value {
  if (Array.isArray(value)) return value.map(entry => mapRefs<unknown>(entry, rename)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inside]) => [
      key,
      key === '$ref' && typeof inside === 'string' ? rename(inside) : mapRefs(inside, rename),
    ]),
  ) as Value
}

/** Without what only zod means: answers stay open to new fields. */
function tidySchema(schema: JsonSchema): JsonSchema {
  const tidy: JsonSchema = { ...schema }
  delete tidy.propertyNames
  if (tidy.additionalProperties === false) delete tidy.additionalProperties
  if (tidy.format !== undefined && FORMATS.has(tidy.format)) delete tidy.pattern
  if (tidy.minimum === Number.MIN_SAFE_INTEGER) delete tidy.minimum
  if (tidy.maximum === Number.MAX_SAFE_INTEGER) delete tidy.maximum
  if (tidy.items) tidy.items = tidySchema(tidy.items)
  if (typeof tidy.additionalProperties === 'object')
    tidy.additionalProperties = tidySchema(tidy.additionalProperties)
  if (tidy.properties)
    tidy.properties = Object.fromEntries(
      Object.entries(tidy.properties).map(([name, inside]) => [name, tidySchema(inside)]),
    )
  if (tidy.oneOf) tidy.oneOf = tidy.oneOf.map(tidySchema)
  return tidy.anyOf ? tidyUnion({ ...tidy, anyOf: tidy.anyOf.map(tidySchema) }) : tidy
}

const isNull = ({ type }: JsonSchema): boolean => type === 'null'

/** `anyOf` of a simple type and null is a list of types. */
function tidyUnion({ anyOf = [], ...rest }: JsonSchema): JsonSchema {
  const flat = anyOf.flatMap(one => one.anyOf ?? [one])
  const branches = flat.filter((one, index) => !isNull(one) || flat.findIndex(isNull) === index)
  const others = branches.filter(one => !isNull(one))
  const [only] = others
  const isSimple =
    others.length === 1
    && typeof only!.type === 'string'
    && only!.enum === undefined
    && only!.const === undefined
  return isSimple && branches.length === 2
    ? { ...only, ...rest, type: [only!.type as string, 'null'] }
    : { ...rest, anyOf: branches }
}
