/** Whether a value fits a schema of a published OpenAPI 3.0 document: as much of the language as payment services write. */
export type Schema = {
  $ref?: string, type?: string, nullable?: boolean, enum?: readonly unknown[], format?: string, minimum?: number, maximum?: number,
  properties?: Record<string, Schema>, required?: readonly string[], additionalProperties?: boolean | Schema, items?: Schema,
  allOf?: readonly Schema[], anyOf?: readonly Schema[], oneOf?: readonly Schema[],
}
export type OpenApi = { paths: Record<string, Record<string, unknown>>, components: { schemas: Record<string, Schema> } }

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const TYPES: Record<string, (value: unknown) => boolean> = {
  string: value => typeof value === 'string', number: value => typeof value === 'number' && Number.isFinite(value),
  integer: value => Number.isInteger(value), boolean: value => typeof value === 'boolean', array: Array.isArray, object: isRecord,
}

/** Complaints, each with the place in the value; none when it fits. */
export function misfits(document: OpenApi, schema: Schema, value: unknown, at = ''): string[] {
  const here = (text: string): string => `${at || 'the value'} ${text}`
  if (schema.$ref) return misfits(document, resolve(document, schema.$ref), value, at)
  if (value === null && schema.nullable) return []
  const complaints: string[] = []
  if (schema.type && !TYPES[schema.type]!(value)) return [here(`is no ${schema.type}`)]
  if (schema.enum && !schema.enum.includes(value)) complaints.push(here(`is not one of ${schema.enum.join(', ')}`))
  if (schema.format === 'decimal' && typeof value === 'string' && !/^-?\d+(\.\d+)?$/.test(value)) complaints.push(here('is no decimal'))
  if (typeof value === 'number' && (value < (schema.minimum ?? -Infinity) || value > (schema.maximum ?? Infinity))) {
    complaints.push(here('is out of bounds'))
  }
  for (const one of schema.allOf ?? []) complaints.push(...misfits(document, one, value, at))
  for (const several of [schema.anyOf, schema.oneOf]) {
    if (several && several.every(one => misfits(document, one, value, at).length > 0)) complaints.push(here('fits none of several'))
  }
  if (Array.isArray(value) && schema.items) {
    complaints.push(...value.flatMap((one, index) => misfits(document, schema.items!, one, `${at}[${index}]`)))
  }
  if (isRecord(value)) complaints.push(...misfitsOfRecord(document, schema, value, at))
  return complaints
}

function misfitsOfRecord(document: OpenApi, schema: Schema, value: Record<string, unknown>, at: string): string[] {
  const complaints = (schema.required ?? []).filter(name => !(name in value)).map(name => `${at}.${name} is missing`)
  for (const [name, part] of Object.entries(value)) {
    const declared = schema.properties?.[name]
    if (declared) complaints.push(...misfits(document, declared, part, `${at}.${name}`))
    else if (schema.additionalProperties === false) complaints.push(`${at}.${name} is not expected`)
    else if (isRecord(schema.additionalProperties)) {
      complaints.push(...misfits(document, schema.additionalProperties as Schema, part, `${at}.${name}`))
    }
  }
  return complaints
}

/** Names of a record's fields that no part of its schema knows: such a field would be sent in vain. */
export function unknownNames(document: OpenApi, schema: Schema, value: object): string[] {
  const known = (one: Schema): string[] => one.$ref ? known(resolve(document, one.$ref))
    : [...Object.keys(one.properties ?? {}), ...[...one.allOf ?? [], ...one.anyOf ?? []].flatMap(known)]
  return Object.keys(value).filter(name => !known(schema).includes(name))
}

function resolve(document: OpenApi, ref: string): Schema {
  const found = document.components.schemas[ref.split('/').at(-1)!]
  if (!found) throw new Error(`the document has no ${ref}`)
  return found
}
