/** The OpenAPI 3.1 document of the contract: what programs and generators read. */
import { MAX_IDEMPOTENCY_KEY } from '#contract/endpoint.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { ErrorResponse } from '#contract/error-response.ts'
import { REFUSALS } from '#contract/refusals.ts'
import type { RefusalCode } from '#contract/refusals.ts'
import { listEntry } from './bulk-rows.ts'
import { ENDPOINTS, TAGS } from './calls.ts'
import type { TaggedEndpoint } from './calls.ts'
import { CALL_CODES, codesWithStatus, isFieldCode } from './codes.ts'
import { EXAMPLES } from './examples.ts'
import { messageOperations } from './messages.ts'
import type { MessageOperation } from './messages.ts'
import { describeFields } from './notes.ts'
import { collectSchemas } from './schemas.ts'
import type { JsonSchema, SchemaCollector } from './schemas.ts'
import { REFUSAL_MEANINGS, refusalsOf, successesOf } from './statuses.ts'

type Header = { description: string; schema: JsonSchema }
type MediaType = { schema: JsonSchema; example?: unknown }
export type Response = {
  description: string
  headers: Record<string, Header>
  content: Record<string, MediaType>
}
export type Parameter = {
  in: 'path' | 'query' | 'header'
  name: string
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}
export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Record<string, MediaType> }
  responses: Record<string, Response | Reference>
}
type Reference = { $ref: string }
export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string; description: string; license: object }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  /** What endpoints of webhooks receive, by type. */
  webhooks: Record<string, { post: MessageOperation }>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Record<string, Response>
    securitySchemes: Record<string, { description: string }>
  }
}

/** `calls`: 'keys' for those that keys may make. `url`: the server's address. */
export type DocumentOptions = {
  title: string
  version: string
  url: string
  calls: 'keys' | 'all'
}

/** A sign-in is no part of the calls for keys: it gets whole lists where keys get pages. */
const securitySchemes = (calls: DocumentOptions['calls']) => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key in the header Authorization: Bearer',
  },
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'token',
    description:
      calls === 'keys'
        ? 'An API key in the header token'
        : 'An API key, or the token of a sign-in, in the header token',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'An API key as the user name, with an empty password',
  },
})

const INTRODUCTION =
  'Money is in dollars, weights are in pounds, lengths in inches, times in UTC (ISO 8601). '
  + 'A refusal has a sentence in message, a stable code, and errors and codes by field.'

/** Whether programs may make the call with a key. */
export const isForKeys = ({ endpoint }: TaggedEndpoint): boolean => endpoint.scope !== undefined

/** The whole document. Takes about 100 ms. */
export function openApiDocument({ title, version, url, calls }: DocumentOptions): OpenApiDocument {
  const schemas = collectSchemas()
  const paths: OpenApiDocument['paths'] = {}
  const refused = schemas.schemaOf(ErrorResponse, 'output')
  const chosen = ENDPOINTS.filter(one => calls === 'all' || isForKeys(one))
  for (const one of chosen) {
    const path = one.endpoint.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = {
      ...paths[path],
      [one.endpoint.method.toLowerCase()]: describeOperation(one, schemas, refused, calls),
    }
  }
  const messages = messageOperations(schemas)
  const finished = schemas.finish(paths)
  const tags = new Set(chosen.map(({ tag }) => tag))
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    tags: TAGS.filter(({ name }) => tags.has(name)),
    paths: finished,
    webhooks: schemas.finish(messages),
    components: {
      schemas: Object.fromEntries(
        Object.entries(schemas.components()).map(([name, schema]) => [
          name,
          namedSchema(name, schema),
        ]),
      ),
      responses: sharedRefusals(schemas.finish(refused)),
      securitySchemes: securitySchemes(calls),
    },
  }
}

const namedSchema = (name: string, schema: JsonSchema): JsonSchema =>
  describeFields(schema, name.replace(/Input$/, ''))

function describeOperation(
  { endpoint, constant, tag }: TaggedEndpoint,
  schemas: SchemaCollector,
  refused: JsonSchema,
  calls: DocumentOptions['calls'],
): Operation {
  const [summary, more] = splitSummary(endpoint.summary)
  const description = [more, accessText(endpoint)].filter(Boolean).join(' ')
  const parameters = parametersOf(endpoint, constant, schemas)
  const requestBody = requestBodyOf(endpoint, constant, schemas)
  return {
    operationId: constant,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: securityOf(endpoint),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    responses: responsesOf(endpoint, constant, schemas, refused, calls),
  }
}

/** The first sentence, and the others. */
export function splitSummary(text: string): [first: string, more: string] {
  const end = text.indexOf('. ')
  return end < 0 ? [text, ''] : [text.slice(0, end), `${text.slice(end + 2)}.`]
}

const accessText = (endpoint: Endpoint): string =>
  [
    endpoint.scope === undefined ? '' : `Scope: ${endpoint.scope}.`,
    endpoint.access === 'admin' ? 'For administrators.' : '',
    endpoint.proof ? 'Needs a fresh proof.' : '',
  ]
    .filter(Boolean)
    .join(' ')

function securityOf({ access, scope }: Endpoint): Operation['security'] {
  if (access === 'anyone') return []
  return scope === undefined
    ? [{ token: [] }]
    : [{ bearer: [scope] }, { token: [scope] }, { basic: [scope] }]
}

const IDEMPOTENCY_KEY: Parameter = {
  in: 'header',
  name: 'Idempotency-Key',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: MAX_IDEMPOTENCY_KEY },
  description:
    'Within 24 hours, the same request with the same key is done once; a different request with that key is 409',
}

function parametersOf(endpoint: Endpoint, constant: string, schemas: SchemaCollector): Parameter[] {
  const parametersIn = (place: 'path' | 'query'): Parameter[] => {
    const part = place === 'path' ? endpoint.params : endpoint.query
    if (!part) return []
    const { properties = {}, required = [] } = describeFields(
      schemas.schemaOf(part, 'input'),
      constant,
    )
    const given = EXAMPLES[constant]?.[place === 'path' ? 'params' : 'query']
    return Object.entries(properties).map(([name, { description, ...schema }]) => ({
      in: place,
      name,
      required: place === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema,
      ...(given?.[name] !== undefined && { example: given[name] }),
    }))
  }
  return [
    ...parametersIn('path'),
    ...parametersIn('query'),
    ...(endpoint.acceptsIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
  ]
}

function requestBodyOf(
  endpoint: Endpoint,
  constant: string,
  schemas: SchemaCollector,
): Operation['requestBody'] {
  if (endpoint.rawBody) return { required: true, content: { '*/*': { schema: {} } } }
  if (!endpoint.body) return undefined
  const schema = schemas.schemaOf(endpoint.body, 'input')
  const entry = listEntry(endpoint)
  const list = entry && schema.properties![endpoint.streamedList!]!
  if (list) list.items = schemas.schemaOf(entry, 'input')
  const example = EXAMPLES[constant]?.body
  return {
    required: !endpoint.body.safeParse(undefined).success,
    content: {
      'application/json': {
        schema: describeFields(schema, constant),
        ...(example !== undefined && { example }),
      },
    },
  }
}

function responsesOf(
  endpoint: Endpoint,
  constant: string,
  schemas: SchemaCollector,
  refused: JsonSchema,
  calls: DocumentOptions['calls'],
): Operation['responses'] {
  const schema = describeFields(answerSchema(endpoint, schemas, calls), constant)
  const done = (description: string, example?: unknown): Response => ({
    description,
    headers: answerHeaders(endpoint),
    content: endpoint.fileTypes
      ? Object.fromEntries(endpoint.fileTypes.map(type => [type, { schema: fileSchema(type) }]))
      : { 'application/json': { schema, ...(example !== undefined && { example }) } },
  })
  const successes = [...successesOf(endpoint)].map(([status, text]): [number, Response] => [
    status,
    done(text, status === (endpoint.status ?? 200) ? EXAMPLES[constant]?.response : undefined),
  ])
  const refusals = [...refusalsOf(endpoint)].map(
    ([status, text]): [number, Response | Reference] => [
      status,
      endpoint.sameShapeOnError && endpoint.otherStatuses?.[status] !== undefined
        ? done(text)
        : text === REFUSAL_MEANINGS[status] && !hasOwnCodes(endpoint, status)
          ? { $ref: `#/components/responses/${sharedName(status)}` }
          : refusal(status, text, refused, codesWithStatus(endpoint, status)),
    ],
  )
  return Object.fromEntries([...successes, ...refusals].map(([status, one]) => [status, one]))
}

const hasOwnCodes = ({ name }: Endpoint, status: number): boolean =>
  CALL_CODES[name]?.some(code => REFUSALS[code].status === status) ?? false

const sharedName = (status: number | string): string => `Refused${status}`

/** Refusals without a meaning of their own, which most calls have. */
const sharedRefusals = (schema: JsonSchema): Record<string, Response> =>
  Object.fromEntries(
    Object.entries(REFUSAL_MEANINGS).map(([status, text]) => [
      sharedName(status),
      refusal(Number(status), text, schema, codesWithStatus(null, Number(status))),
    ]),
  )

/** Keys get pages where a session gets the whole list. */
function answerSchema(
  { response, pagedResponse }: Endpoint,
  schemas: SchemaCollector,
  calls: DocumentOptions['calls'],
): JsonSchema {
  if (!pagedResponse) return schemas.schemaOf(response, 'output')
  const paged = schemas.schemaOf(pagedResponse, 'output')
  return calls === 'keys' ? paged : { anyOf: [schemas.schemaOf(response, 'output'), paged] }
}

const fileSchema = (type: string): JsonSchema =>
  type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' }

const textHeader = (description: string): Header => ({ description, schema: { type: 'string' } })
const numberHeader = (description: string): Header => ({
  description,
  schema: { type: 'integer', minimum: 0 },
})

const REQUEST_ID = { 'X-Request-Id': textHeader('Identifies the request in the log') }
const LIMITS = {
  'RateLimit-Policy': textHeader(
    'In answers to keys, the limit: "default";q=600;w=60 is 600 calls a minute',
  ),
  RateLimit: textHeader(
    'In answers to keys, what is left of it, and in how many seconds it is whole again',
  ),
}

const answerHeaders = (endpoint: Endpoint): Record<string, Header> => ({
  ...REQUEST_ID,
  ...(endpoint.scope !== undefined && LIMITS),
  ...(endpoint.query
    && endpoint.response.type === 'array' && {
      'X-Total-Count': numberHeader('Number of entries on all pages'),
    }),
  ...(endpoint.fileTypes && { 'Content-Disposition': textHeader('The name of the file') }),
})

function refusal(
  status: number,
  meaning: string,
  schema: JsonSchema,
  codes: readonly RefusalCode[],
): Response {
  const named = codes.filter(code => !isFieldCode(code))
  return {
    description: named.length === 0 ? meaning : `${meaning}. Codes: ${named.join(', ')}`,
    headers: {
      ...REQUEST_ID,
      ...LIMITS,
      ...((status === 429 || status === 503) && { 'Retry-After': numberHeader('Seconds') }),
    },
    content: {
      'application/json': {
        schema: { allOf: [schema, { properties: { code: { enum: [...codes] } } }] },
      },
    },
  }
}
