/** Rows of the tables of fields: a schema of the OpenAPI document, flattened. */
import type { JsonSchema } from '#contract/openapi/schemas.ts'

/** `name`: 'data.orderId', 'orders[]'. `object`: the named schema that the field holds. */
export type FieldRow = {
  name: string
  type: string
  object: string | null
  isRequired: boolean
  text: string
  limits: string
}

const REF = '#/components/schemas/'
const nameOf = ({ $ref }: JsonSchema): string | null => ($ref ? $ref.replace(REF, '') : null)

/** The named schema of a field, also in a list or beside null. */
function objectIn(schema: JsonSchema): string | null {
  const own = nameOf(schema)
  if (own !== null) return own
  const inside = [schema.items, ...(schema.anyOf ?? [])]
  for (const one of inside) {
    const found = one ? objectIn(one) : null
    if (found !== null) return found
  }
  return null
}

function typeOf(schema: JsonSchema): string {
  if (schema.$ref) return 'object'
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(' or ')
  if (schema.enum && schema.type === undefined) return 'string'
  if (schema.type === 'array') return schema.items ? `list of ${typeOf(schema.items)}` : 'list'
  return [schema.type ?? 'any'].flat().join(' or ')
}

const enumOf = (schema: JsonSchema): unknown[] =>
  schema.enum
  ?? (schema.const === undefined ? [] : [schema.const])
    .concat((schema.anyOf ?? []).flatMap(enumOf))
    .concat(schema.items ? enumOf(schema.items) : [])

/** More than these are not listed beside a field. */
const MOST_CHOICES = 24

/** 'at most 60 characters', 'one of a, b'. */
function limitsOf(schema: JsonSchema): string {
  const choices = enumOf(schema)
  const parts = [
    choices.length > 1 && choices.length <= MOST_CHOICES && `one of ${choices.join(', ')}`,
    schema.maxLength !== undefined && `at most ${schema.maxLength} characters`,
    schema.maxItems !== undefined && `at most ${schema.maxItems} entries`,
    schema.minimum !== undefined && schema.minimum > 0 && `from ${schema.minimum}`,
    schema.exclusiveMinimum !== undefined && `more than ${schema.exclusiveMinimum}`,
    schema.maximum !== undefined && `up to ${schema.maximum}`,
    schema.default !== undefined && schema.default !== '' && `default ${String(schema.default)}`,
    schema.format !== undefined && schema.format !== 'binary' && schema.format,
  ]
  return parts.filter(part => typeof part === 'string').join('; ')
}

/** Fields of a schema, and those of objects without a name below it. */
export function fieldRows(schema: JsonSchema, at = ''): FieldRow[] {
  if (schema.type === 'array' && schema.items) return fieldRows(schema.items, `${at}[]`)
  const branches = schema.anyOf?.filter(one => one.properties) ?? []
  if (!schema.properties) return branches.flatMap(one => fieldRows(one, at))
  return Object.entries(schema.properties).flatMap(([name, field]) => {
    const place = at === '' ? name : `${at}.${name}`
    const row: FieldRow = {
      name: place,
      type: typeOf(field),
      object: objectIn(field),
      isRequired: schema.required?.includes(name) ?? false,
      text: field.description ?? '',
      limits: limitsOf(field),
    }
    return [row, ...fieldRows(field, place)]
  })
}
