/** Descriptions that carriers publish of their interfaces (OpenAPI 3.0), and whether a question of ours is one that they describe. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

type Schema = {
  $ref?: string, allOf?: Schema[], type?: string, nullable?: boolean, enum?: unknown[], properties?: Record<string, Schema>
  required?: string[], additionalProperties?: boolean | Schema, items?: Schema, minItems?: number
  minLength?: number, maxLength?: number, pattern?: string, minimum?: number, maximum?: number, exclusiveMinimum?: boolean
}
type Content = { content?: Record<string, { schema: Schema }> }
type Operation = {
  parameters?: { $ref?: string, in: string, name: string, required?: boolean, schema: Schema }[], requestBody?: Content
  responses: Record<string, Content & { $ref?: string }>
}
type Document = { paths: Record<string, Record<string, Operation>> }

/** A question as it was sent: the path without the address of the server, the names of headers in small letters. */
export type Sent = { method: string, path: string, headers: Record<string, unknown>, body: unknown }

export type Published = {
  /** What of a question is not as published; empty when all of it is. */
  complaintsOf(sent: Sent): string[]
  /** The same of an answer to it. */
  complaintsOfAnswer(sent: Sent, status: number, body: unknown): string[]
}

/** A published description where this copy of the project has them beside it; null elsewhere. `place`: below their folder. */
export function published(place: string): Published | null {
  const file = fileURLToPath(new URL(`../../../shared/contracts/${place}`, import.meta.url))
  return existsSync(file) ? openPublished(parse(readFileSync(file, 'utf8')) as Document) : null
}

export function openPublished(document: Document): Published {
  const at = <T extends { $ref?: string }>(thing: T): T => thing.$ref === undefined ? thing
    : at(thing.$ref.slice(2).split('/').reduce((part: unknown, name) => (part as Record<string, unknown>)[name], document) as T)
  const complain = complainer(at)

  function operationOf({ method, path }: Pick<Sent, 'method' | 'path'>): Operation | undefined {
    const [bare] = path.split('?')
    const found = Object.entries(document.paths).find(([template, methods]) => methods[method.toLowerCase()]
      && new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(bare!))
    return found?.[1][method.toLowerCase()]
  }

  return {
    complaintsOf(sent) {
      const operation = operationOf(sent)
      if (!operation) return [`${sent.method} ${sent.path} is not published`]
      const missing = (operation.parameters ?? []).map(at)
        .filter(({ in: place, name, required }) => place === 'header' && required && sent.headers[name.toLowerCase()] === undefined)
        .map(({ name }) => `header ${name} is missing`)
      const schema = operation.requestBody?.content?.['application/json']?.schema
      if (!schema) return sent.body === undefined ? missing : [...missing, 'no body is published']
      return [...missing, ...complain(schema, sent.body, 'body')]
    },
    complaintsOfAnswer(sent, status, body) {
      const response = operationOf(sent)?.responses[status]
      const content = response && Object.values(at(response).content ?? {})[0]
      return content ? complain(content.schema, body, 'answer') : [`no answer ${status} is published`]
    },
  }
}

/** Judges a value by the rules that these documents use. A field that no part of a closed schema names is a complaint. */
function complainer(at: (schema: Schema) => Schema) {
  const parts = (schema: Schema): Schema[] => {
    const own = at(schema)
    return [own, ...(own.allOf ?? []).flatMap(parts)]
  }
  return function complain(schema: Schema, value: unknown, where: string): string[] {
    const all = parts(schema)
    if (value === null && all.some(({ nullable }) => nullable)) return []
    const said = all.flatMap(part => plainComplaints(part, value).map(text => `${where} ${text}`))
    if (Array.isArray(value)) {
      return [...said, ...all.flatMap(({ items }) => items ? value.flatMap((one, n) => complain(items, one, `${where}[${n}]`)) : [])]
    }
    if (typeof value !== 'object' || value === null) return said
    const isClosed = all.some(({ additionalProperties }) => additionalProperties === false)
    return [...said, ...Object.entries(value).flatMap(([name, inner]) => {
      const known = all.map(({ properties }) => properties?.[name]).filter(one => one !== undefined)
      if (known.length === 0) return isClosed ? [`${where}.${name} is not published`] : []
      return known.flatMap(one => complain(one, inner, `${where}.${name}`))
    })]
  }
}

const TYPES: Record<string, (value: unknown) => boolean> = {
  object: value => typeof value === 'object' && value !== null && !Array.isArray(value), array: Array.isArray,
  string: value => typeof value === 'string', number: value => typeof value === 'number', boolean: value => typeof value === 'boolean',
  integer: Number.isInteger,
}

function plainComplaints(rule: Schema, value: unknown): string[] {
  const said: (string | false | undefined)[] = [
    rule.type !== undefined && !TYPES[rule.type]!(value) && `is no ${rule.type}`,
    rule.enum && !rule.enum.includes(value) && `'${String(value)}' is none of ${rule.enum.join(', ')}`,
  ]
  if (typeof value === 'string') {
    said.push(rule.minLength !== undefined && value.length < rule.minLength && 'is too short')
    said.push(rule.maxLength !== undefined && value.length > rule.maxLength && 'is too long')
    said.push(rule.pattern !== undefined && !new RegExp(rule.pattern).test(value) && `'${value}' does not match ${rule.pattern}`)
  }
  if (typeof value === 'number') {
    const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = false } = rule
    said.push((value < minimum || value > maximum || (exclusiveMinimum && value === minimum)) && `${value} is out of range`)
  }
  if (Array.isArray(value)) said.push(rule.minItems !== undefined && value.length < rule.minItems && 'has too few entries')
  if (TYPES.object!(value)) for (const name of rule.required ?? []) said.push(!(name in (value as object)) && `has no ${name}`)
  return said.filter(one => typeof one === 'string')
}
