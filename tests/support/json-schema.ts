/** Whether a value fits a schema of a published OpenAPI 3.0 document: as much of the language as carriers and payment services write. */
export type Schema = {
  $ref?: string
  type?: string
  nullable?: boolean
  enum?: readonly unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: boolean
  minLength?: number
  maxLength?: number
  minItems?: number
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  allOf?: readonly Schema[]
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
}
/** Of a document that is read for its schemas. */
export type OpenApi = { paths: Record<string, unknown> }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const TYPES: Record<string, (value: unknown) => boolean> = {
  string: value => typeof value === 'string',
  number: value => typeof value === 'number' && Number.isFinite(value),
  integer: value => Number.isInteger(value),
  boolean: value => typeof value === 'boolean',
  array: Array.isArray,
  object: isRecord,
}

/** What `$ref` points to in a document, through as many of them as there are. Throws where it has no such place. */
export function resolveRef<T extends { $ref?: string }>(document: object, thing: T): T {
  if (thing.$ref === undefined) return thing
  const found = thing.$ref
    .slice(2)
    .split('/')
    .reduce(
      (part: unknown, name) => (part as Record<string, unknown> | undefined)?.[name],
      document,
    ) as T | undefined
  if (!found) throw new Error(`the document has no ${thing.$ref}`)
  return resolveRef(document, found)
}

/** A schema with all that it is put together of: what one part leaves open another may close. */
function allOfParts(document: object, schema: Schema): Schema[] {
  const own = resolveRef(document, schema)
  return [own, ...(own.allOf ?? []).flatMap(part => allOfParts(document, part))]
}

/** Complaints, each with the place in the value; none when it fits. A field that no part of a closed schema names is one. */
export function schemaErrors(
  document: object,
  schema: Schema,
  value: unknown,
  at = 'the value',
): string[] {
  const parts = allOfParts(document, schema)
  if (value === null && parts.some(({ nullable }) => nullable)) return []
  const said = parts.flatMap(part => ownSchemaErrors(part, value).map(text => `${at} ${text}`))
  for (const several of parts.flatMap(({ anyOf, oneOf }) => [anyOf, oneOf])) {
    if (several?.every(one => schemaErrors(document, one, value, at).length > 0))
      said.push(`${at} fits none of several`)
  }
  if (Array.isArray(value)) {
    const rules = parts.flatMap(({ items }) => items ?? [])
    said.push(
      ...rules.flatMap(rule =>
        value.flatMap((one, index) => schemaErrors(document, rule, one, `${at}[${index}]`)),
      ),
    )
  }
  if (isRecord(value)) said.push(...schemaErrorsOfRecord(document, parts, value, at))
  return said
}

function schemaErrorsOfRecord(
  document: object,
  parts: Schema[],
  value: Record<string, unknown>,
  at: string,
): string[] {
  const isClosed = parts.some(({ additionalProperties }) => additionalProperties === false)
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = parts.flatMap(({ properties }) => properties?.[name] ?? [])
    const rules =
      known.length > 0
        ? known
        : parts.flatMap(({ additionalProperties: rest }) =>
            isRecord(rest) ? (rest as Schema) : [],
          )
    if (rules.length === 0)
      return isClosed && !isOfChoice(document, parts, name)
        ? [`${at}.${name} is not published`]
        : []
    return rules.flatMap(rule => schemaErrors(document, rule, inner, `${at}.${name}`))
  })
}

/** Whether one of several shapes names the field; the shape that the value fits checks it. */
const isOfChoice = (document: object, parts: readonly Schema[], name: string): boolean =>
  parts
    .flatMap(({ anyOf = [], oneOf = [] }) => [...anyOf, ...oneOf])
    .flatMap(one => allOfParts(document, one))
    .some(({ properties }) => properties?.[name] !== undefined)

/** What is wrong with a value itself, not with what is inside of it. */
function ownSchemaErrors(rule: Schema, value: unknown): string[] {
  if (rule.type !== undefined && !TYPES[rule.type]!(value)) return [`is no ${rule.type}`]
  const said: (string | false | undefined)[] = [
    rule.enum
      && !rule.enum.includes(value)
      && `'${String(value)}' is none of ${rule.enum.join(', ')}`,
  ]
  if (typeof value === 'string') {
    said.push(rule.minLength !== undefined && value.length < rule.minLength && 'is too short')
    said.push(rule.maxLength !== undefined && value.length > rule.maxLength && 'is too long')
    said.push(
      rule.pattern !== undefined
        && !new RegExp(rule.pattern).test(value)
        && `'${value}' does not match ${rule.pattern}`,
    )
    said.push(rule.format === 'decimal' && !/^-?\d+(\.\d+)?$/.test(value) && 'is no decimal')
  }
  if (typeof value === 'number') {
    const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = false } = rule
    said.push(
      (value < minimum || value > maximum || (exclusiveMinimum && value === minimum))
        && `${value} is out of range`,
    )
  }
  if (Array.isArray(value))
    said.push(rule.minItems !== undefined && value.length < rule.minItems && 'has too few entries')
  if (isRecord(value))
    said.push(...(rule.required ?? []).map(name => !(name in value) && `has no ${name}`))
  return said.filter(one => typeof one === 'string')
}

/** Names of a record's fields that no part of its schema knows: such a field would be sent in vain. */
export function unknownFields(document: object, schema: Schema, value: object): string[] {
  const known = (one: Schema): string[] =>
    allOfParts(document, one).flatMap(({ properties = {}, anyOf = [] }) => [
      ...Object.keys(properties),
      ...anyOf.flatMap(known),
    ])
  return Object.keys(value).filter(name => !known(schema).includes(name))
}
