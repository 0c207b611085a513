import type * as z from 'zod'

/** A record in a body with too many entries. */
export type WideRecord = { path: PropertyKey[]; entries: object; maximum: number }

/**
 * Counts the entries of records before any is read, also of records in lists: 80,000 wrong ones in
 * 0.8 MB blocked the process for half a second.
 */
export function findWideRecord(schema: z.core.$ZodType, data: unknown): WideRecord | null {
  if (typeof data !== 'object' || data === null || !hasRecord(schema)) return null
  const def = schema._zod.def as SchemaDefinition
  if (def.type === 'record') {
    const maximum = limitOf(def)
    if (maximum !== undefined && Object.keys(data).length > maximum)
      return { path: [], entries: data, maximum }
  }
  for (const [part, inside, name] of partsIn(def, data)) {
    const found = findWideRecord(part, inside)
    if (found) return name === null ? found : { ...found, path: [name, ...found.path] }
  }
  return null
}

type SchemaDefinition = {
  type: string
  in?: z.core.$ZodType
  out?: z.core.$ZodType
  innerType?: z.core.$ZodType
  element?: z.core.$ZodType
  valueType?: z.core.$ZodType
  options?: readonly z.core.$ZodType[]
  shape?: Record<string, z.core.$ZodType>
  checks?: z.core.$ZodCheck[]
}

/** As contract/bounded-record.ts sets it. */
const limitOf = ({ checks = [] }: SchemaDefinition): number | undefined =>
  checks
    .map(check => (check._zod.def as { params?: { maximum?: number } }).params?.maximum)
    .find(limit => limit !== undefined)

/** The schemas inside one that apply to the same value. */
const schemasOfSameValue = ({
  innerType,
  in: input,
  out,
  options = [],
}: SchemaDefinition): z.core.$ZodType[] =>
  [innerType, input, out, ...options].filter(part => part !== undefined)

/** The schemas that apply inside `data`; `name` is null for those of `data` itself. */
function* partsIn(
  def: SchemaDefinition,
  data: object,
): Generator<[part: z.core.$ZodType, inside: unknown, name: PropertyKey | null]> {
  const { type, element, shape = {}, valueType } = def
  for (const part of schemasOfSameValue(def)) yield [part, data, null]
  if (type === 'array' && Array.isArray(data))
    for (const [index, item] of data.entries()) yield [element!, item, index]
  for (const [name, part] of Object.entries(shape))
    yield [part, (data as Record<string, unknown>)[name], name]
  if (valueType) for (const [name, value] of Object.entries(data)) yield [valueType, value, name]
}

const recordsIn = new WeakMap<z.core.$ZodType, boolean>()

function hasRecord(schema: z.core.$ZodType): boolean {
  const known = recordsIn.get(schema)
  if (known !== undefined) return known
  const def = schema._zod.def as SchemaDefinition
  const { type, element, shape = {} } = def
  const has =
    type === 'record'
    || schemasOfSameValue(def).some(hasRecord)
    || (element !== undefined && hasRecord(element))
    || Object.values(shape).some(hasRecord)
  recordsIn.set(schema, has)
  return has
}
