/**
 * The OpenAPI 3.1 document: what the contract says of each endpoint, with every possible response.
 */
import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import type { Endpoint } from '#contract/endpoint.ts'
import { compressFile, sendCompressed } from './compressed-file.ts'
import type { CompressedFile } from './compressed-file.ts'

type Document = OpenApi.Document
type Responses = Record<string, OpenApi.ResponseObject>

const REFUSAL_DESCRIPTIONS: Record<number, string> = {
  400: 'The path, query or body does not have the shape described here',
  401: 'The token is missing or no longer valid',
  403: 'Not allowed: it belongs to another user, is for administrators only, or cannot be done while signed in as another user',
  404: 'Not found, or it belongs to another user',
  409: 'Conflicts with existing data or with work in progress',
  413: 'The body is too large',
  415: 'The body is compressed: Content-Encoding is not supported',
  422: 'A rule is broken, or an outside service refused: errors names the fields',
  429: 'Too many requests: Retry-After says when to try again',
  500: 'Internal error: requestId identifies it in the log',
  503: 'The database or an outside service cannot be reached: Retry-After says when to try again',
}

/** Statuses of refusals that the endpoint does not list itself. */
function usualRefusals(endpoint: Endpoint): number[] {
  const changes = endpoint.method !== 'GET' || endpoint.changesState === true
  return [
    400,
    429,
    500,
    503,
    ...(endpoint.access === 'anyone' ? [] : [401, 403]),
    // A file of several labels names them in its query.
    ...(endpoint.params || changes || endpoint.acceptsDownloadCookie ? [404] : []),
    ...(changes || endpoint.fileTypes ? [409, 422] : []),
    ...(endpoint.method === 'GET' ? [] : [413, 415]),
  ]
}

const textHeader = (description: string): OpenApi.HeaderObject => ({
  description,
  schema: { type: 'string' },
})
const numberHeader = (description: string): OpenApi.HeaderObject => ({
  description,
  schema: { type: 'integer', minimum: 0 },
})

/** Serves the document. It is made at the first request and once per `publicUrl()`. */
export function serveDocument(
  app: FastifyInstance,
  endpoints: readonly Endpoint[],
  publicUrl: () => string,
): void {
  let made: { url: string; file: Promise<CompressedFile> } | undefined
  app.get('/api/openapi.json', { schema: { hide: true } as object }, async (request, reply) => {
    const url = publicUrl()
    if (made?.url !== url) {
      const text = JSON.stringify(completeDocument(app.swagger(), endpoints, url))
      made = { url, file: compressFile(Buffer.from(text)) }
    }
    reply.header('cache-control', 'no-cache').type('application/json; charset=utf-8')
    return sendCompressed(request, reply, await made.file)
  })
}

/** Completes the document that Fastify collects from the routes. `url`: the server's address. */
export function completeDocument(
  collected: object,
  endpoints: readonly Endpoint[],
  url: string,
): Document {
  const document = structuredClone(collected) as Document
  let refusalSchema: OpenApi.SchemaObject | undefined
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    const operation = document.paths?.[path]?.[
      endpoint.method.toLowerCase() as 'get'
    ] as OpenApi.OperationObject
    refusalSchema ??= schemaOf(operation.responses!['4XX'])
    operation.operationId = operationId(endpoint)
    operation.tags = [path.split('/')[2]!]
    operation.responses = responsesFor(
      endpoint,
      schemaOf(operation.responses![endpoint.status ?? 200]),
    )
    if (operation.requestBody && endpoint.body)
      (operation.requestBody as OpenApi.RequestBodyObject).required = !endpoint.body.isOptional()
    if (endpoint.rawBody)
      operation.requestBody = { required: true, content: { '*/*': { schema: {} } } }
    if (endpoint.acceptsIdempotencyKey)
      operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY_PARAMETER]
  }
  return {
    ...document,
    servers: [{ url }],
    components: { ...document.components, schemas: { Refused: refusalSchema! } },
  }
}

const schemaOf = (response: unknown): OpenApi.SchemaObject =>
  (response as OpenApi.ResponseObject).content!['application/json']!.schema as OpenApi.SchemaObject

const IDEMPOTENCY_KEY_PARAMETER: OpenApi.ParameterObject = {
  in: 'header',
  name: 'Idempotency-Key',
  required: false,
  schema: { type: 'string', maxLength: 200 },
  description:
    'Within 24 hours, the same request with the same key is done once; a different request with that key is 409',
}

/** 'POST /api/orders/:orderId/void' is postOrdersOrderIdVoid. */
const operationId = ({ method, path }: Endpoint): string =>
  method.toLowerCase()
  + path
    .split(/[^a-z0-9]+/i)
    .slice(2)
    .map(word => word[0]!.toUpperCase() + word.slice(1))
    .join('')

function responsesFor(endpoint: Endpoint, schema: OpenApi.SchemaObject): Responses {
  const responses: Responses = {
    [endpoint.status ?? 200]: {
      description: 'Done',
      headers: documentHeaders(endpoint),
      content: documentContent(endpoint, schema),
    },
  }
  for (const status of usualRefusals(endpoint))
    responses[status] = refusalResponse(status, REFUSAL_DESCRIPTIONS[status]!)
  for (const [status, description] of Object.entries(endpoint.otherStatuses ?? {})) {
    responses[status] =
      Number(status) < 400 || endpoint.sameShapeOnError
        ? {
            description,
            headers: documentHeaders(endpoint),
            content: documentContent(endpoint, schema),
          }
        : refusalResponse(Number(status), description)
  }
  return responses
}

const REQUEST_ID_HEADER = { 'X-Request-Id': textHeader('Identifies the request in the log') }

const documentHeaders = (endpoint: Endpoint): Record<string, OpenApi.HeaderObject> => ({
  ...REQUEST_ID_HEADER,
  ...(endpoint.query
    && endpoint.response.type === 'array' && {
      'X-Total-Count': numberHeader('Number of entries on all pages'),
    }),
  ...(endpoint.fileTypes && { 'Content-Disposition': textHeader('The name of the file') }),
})

const documentContent = (
  endpoint: Endpoint,
  schema: OpenApi.SchemaObject,
): OpenApi.ResponseObject['content'] =>
  endpoint.fileTypes
    ? Object.fromEntries(endpoint.fileTypes.map(type => [type, { schema: {} }]))
    : { 'application/json': { schema } }

const refusalResponse = (status: number, description: string): OpenApi.ResponseObject => ({
  description,
  headers: {
    ...REQUEST_ID_HEADER,
    ...((status === 429 || status === 503) && { 'Retry-After': numberHeader('Seconds') }),
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refused' } } },
})
