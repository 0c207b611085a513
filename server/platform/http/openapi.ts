/** The description of all calls for other programs (OpenAPI 3.1): what the contract says of each, and everything it may answer. */
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types'
import type { Endpoint } from '#contract/endpoint.ts'

type Document = OpenApi.Document
type Responses = Record<string, OpenApi.ResponseObject>

/** Why a call is not done, in one line for each status (architecture, 10). */
const REFUSAL_DESCRIPTIONS: Record<number, string> = {
  400: 'The path, the query or the body has not the shape described here',
  401: 'The token is missing or no longer valid',
  403: 'Not for this caller: another user’s, for administrators only, or not while signed in as another user',
  404: 'What the call is about does not exist, or is another user’s',
  409: 'In conflict with what is already there, or with what is under way',
  413: 'The body is too large',
  415: 'The body is packed: Content-Encoding is not taken',
  422: 'A rule is broken, or the carrier refused: errors names the fields',
  429: 'Too often: Retry-After says when to come back',
  500: 'A fault of ours: requestId names it in the log',
  503: 'The database or the outside cannot be reached just now: Retry-After says when to come back',
}

/** What any call may be refused with, besides what its description says. */
function usualRefusals(call: Endpoint): number[] {
  const changes = call.method !== 'GET' || call.changesState === true
  return [
    400,
    429,
    500,
    503,
    ...(call.access === 'anyone' ? [] : [401, 403]),
    ...(call.params || changes ? [404] : []),
    ...(changes || call.fileTypes ? [409, 422] : []),
    ...(call.method === 'GET' ? [] : [413, 415]),
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

/** The document as it was collected from the routes, with what routes do not know of themselves. `url`: where the calls are. */
export function completeDocument(
  collected: object,
  calls: readonly Endpoint[],
  url: string,
): Document {
  const document = structuredClone(collected) as Document
  let refused: OpenApi.SchemaObject | undefined
  for (const call of calls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    const operation = document.paths?.[path]?.[
      call.method.toLowerCase() as 'get'
    ] as OpenApi.OperationObject
    refused ??= schemaOf(operation.responses!['4XX'])
    operation.operationId = operationId(call)
    operation.tags = [path.split('/')[2]!]
    operation.responses = responsesFor(call, schemaOf(operation.responses![call.status ?? 200]))
    if (operation.requestBody && call.body)
      (operation.requestBody as OpenApi.RequestBodyObject).required = !call.body.isOptional()
    if (call.rawBody) operation.requestBody = { required: true, content: { '*/*': { schema: {} } } }
    if (call.acceptsIdempotencyKey)
      operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY_PARAMETER]
  }
  return {
    ...document,
    servers: [{ url }],
    components: { ...document.components, schemas: { Refused: refused! } },
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
    'The same request under the same key within 24 hours is done once; another one under it is 409',
}

/** 'POST /api/orders/:orderId/void' is postOrdersOrderIdVoid. */
const operationId = ({ method, path }: Endpoint): string =>
  method.toLowerCase()
  + path
    .split(/[^a-z0-9]+/i)
    .slice(2)
    .map(word => word[0]!.toUpperCase() + word.slice(1))
    .join('')

function responsesFor(call: Endpoint, answer: OpenApi.SchemaObject): Responses {
  const answers: Responses = {
    [call.status ?? 200]: {
      description: 'Done',
      headers: documentHeaders(call),
      content: documentContent(call, answer),
    },
  }
  for (const status of usualRefusals(call))
    answers[status] = refusalResponse(status, REFUSAL_DESCRIPTIONS[status]!)
  for (const [status, description] of Object.entries(call.otherStatuses ?? {})) {
    answers[status] =
      Number(status) < 400 || call.sameShapeOnError
        ? { description, headers: documentHeaders(call), content: documentContent(call, answer) }
        : refusalResponse(Number(status), description)
  }
  return answers
}

/** What every answer says of itself. */
const REQUEST_ID_HEADER = { 'X-Request-Id': textHeader('Names the request in the log') }

const documentHeaders = (call: Endpoint): Record<string, OpenApi.HeaderObject> => ({
  ...REQUEST_ID_HEADER,
  ...(call.query
    && call.response.type === 'array' && {
      'X-Total-Count': numberHeader('How many there are on all pages'),
    }),
  ...(call.fileTypes && { 'Content-Disposition': textHeader('The name of the file') }),
})

const documentContent = (
  call: Endpoint,
  schema: OpenApi.SchemaObject,
): OpenApi.ResponseObject['content'] =>
  call.fileTypes
    ? Object.fromEntries(call.fileTypes.map(type => [type, { schema: {} }]))
    : { 'application/json': { schema } }

const refusalResponse = (status: number, description: string): OpenApi.ResponseObject => ({
  description,
  headers: {
    ...REQUEST_ID_HEADER,
    ...((status === 429 || status === 503) && { 'Retry-After': numberHeader('Seconds') }),
  },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refused' } } },
})
