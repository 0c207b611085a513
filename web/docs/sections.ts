/** What the page of the API shows, from the OpenAPI document of the calls for keys. */
import { ENDPOINTS } from '#contract/openapi/calls.ts'
import { codesWithStatus, isFieldCode } from '#contract/openapi/codes.ts'
import { openApiDocument } from '#contract/openapi/document.ts'
import type { OpenApiDocument, Operation, Parameter } from '#contract/openapi/document.ts'
import type { Example } from '#contract/openapi/example.ts'
import { EXAMPLES } from '#contract/openapi/examples.ts'
import { refusalsOf, successesOf } from '#contract/openapi/statuses.ts'
import { PRODUCT } from '#contract/product.ts'
import { fieldRows } from './fields.ts'
import type { FieldRow } from './fields.ts'
import { CALL_TITLES, texts } from './texts.ts'

export type DocumentedCall = {
  name: string
  method: string
  path: string
  scope: string
  summary: string
  /** Two or three words. */
  title: string
  text: string
  /** What the search looks in. */
  find: string
  pathFields: FieldRow[]
  queryFields: FieldRow[]
  headerFields: FieldRow[]
  bodyFields: FieldRow[]
  answerFields: FieldRow[]
  isFile: boolean
  fileTypes: string[]
  /** `codes`: of refusals, without those of wrong fields. */
  statuses: { status: number; text: string; codes: readonly string[] }[]
  example: Example
}
export type TagSection = { id: string; name: string; description: string; calls: DocumentedCall[] }
/** `isSent`: in requests. */
export type NamedObject = { name: string; rows: FieldRow[]; isSent: boolean }

/** Statuses that every call can answer; the errors guide tells them. */
const EVERYWHERE = new Set([400, 401, 403, 413, 415, 429, 500, 503])

function rowsOf(parameters: readonly Parameter[], place: Parameter['in']): FieldRow[] {
  const chosen = parameters.filter(one => one.in === place)
  return fieldRows({
    type: 'object',
    properties: Object.fromEntries(
      chosen.map(({ name, schema, description }) => [
        name,
        { ...schema, ...(description !== undefined && { description }) },
      ]),
    ),
    required: chosen.filter(({ required }) => required).map(({ name }) => name),
  })
}

function callOf(method: string, path: string, operation: Operation): DocumentedCall {
  const { operationId: name, parameters = [], requestBody, responses, summary } = operation
  const { endpoint } = ENDPOINTS.find(({ constant }) => constant === name)!
  const body = requestBody?.content['application/json']?.schema
  const success = responses[String(endpoint.status ?? 200)]!
  const answer = 'content' in success ? success.content['application/json']?.schema : undefined
  const fileTypes = [...(endpoint.fileTypes ?? [])]
  // The scope is shown by itself.
  const text = (operation.description ?? '').replace(/ ?Scope: \S+\.$/, '')
  const title = CALL_TITLES[name] ?? summary
  const successes = [...successesOf(endpoint)]
  const refusals = [...refusalsOf(endpoint)].filter(([status]) => !EVERYWHERE.has(status))
  return {
    name,
    method: method.toUpperCase(),
    path,
    scope: endpoint.scope === 'any' ? texts.anyScope : endpoint.scope!,
    summary,
    title,
    text,
    find: `${name} ${method} ${path} ${title} ${summary} ${text}`.toLowerCase(),
    pathFields: rowsOf(parameters, 'path'),
    queryFields: rowsOf(parameters, 'query'),
    headerFields: rowsOf(parameters, 'header'),
    bodyFields: body ? fieldRows(body) : [],
    answerFields: answer ? fieldRows(answer) : [],
    isFile: fileTypes.length > 0,
    fileTypes,
    statuses: [...successes, ...refusals].map(([status, meaning]) => ({
      status,
      text: meaning,
      codes: codesWithStatus(endpoint, status).filter(code => !isFieldCode(code)),
    })),
    example: EXAMPLES[name] ?? {},
  }
}

const callsOf = (document: OpenApiDocument, tag: string): DocumentedCall[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => callOf(method, path, operation)),
  )

/** Named schemas of bodies, and those that they refer to. */
function sentObjects({ paths, components }: OpenApiDocument): ReadonlySet<string> {
  const bodies = Object.values(paths).flatMap(methods =>
    Object.values(methods).map(({ requestBody }) => requestBody ?? {}),
  )
  const found = new Set<string>()
  const addFrom = (value: object): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name!)) continue
      found.add(name!)
      addFrom(components.schemas[name!]!)
    }
  }
  addFrom(bodies)
  return found
}

export function sections(): { tags: TagSection[]; objects: NamedObject[] } {
  const document = openApiDocument({ title: PRODUCT, version: '', url: '', calls: 'keys' })
  const sent = sentObjects(document)
  return {
    tags: document.tags.map(({ name, description }) => ({
      id: `tag-${name.toLowerCase().replaceAll(' ', '-')}`,
      name,
      description,
      calls: callsOf(document, name),
    })),
    objects: Object.entries(document.components.schemas).map(([name, schema]) => ({
      name,
      rows: fieldRows(schema),
      isSent: sent.has(name),
    })),
  }
}
