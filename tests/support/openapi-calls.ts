/** The calls of our OpenAPI document, and whether a response matches it. */
import * as z from 'zod'
import type { JsonSchema } from './schema-arbitrary.ts'

type Parameter = {
  in: 'path' | 'query' | 'header'
  name: string
  required?: boolean
  schema: JsonSchema
}
type Response = { $ref?: string; content?: Record<string, { schema: JsonSchema }> }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  responses: Record<string, Response>
  security: object[]
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema }> }
}
export type OpenApiDescription = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; responses: Record<string, Response> }
}

export type DescribedCall = {
  method: string
  path: string
  parameters: Parameter[]
  body: JsonSchema | undefined
  isPublic: boolean
} & Operation

const SCHEMAS = '#/components/schemas/'
const RESPONSES = '#/components/responses/'

/** The schema with the named schemas that it refers to in their places. */
function inline(description: OpenApiDescription, schema: JsonSchema): JsonSchema {
  const { $ref, ...own } = schema
  if ($ref !== undefined)
    return {
      ...inline(description, description.components.schemas[$ref.replace(SCHEMAS, '')]!),
      ...own,
    }
  const into = (one: JsonSchema): JsonSchema => inline(description, one)
  return {
    ...own,
    ...(own.items && { items: into(own.items) }),
    ...(own.anyOf && { anyOf: own.anyOf.map(into) }),
    ...(own.allOf && { allOf: own.allOf.map(into) }),
    ...(typeof own.additionalProperties === 'object' && {
      additionalProperties: into(own.additionalProperties),
    }),
    ...(own.properties && {
      properties: Object.fromEntries(
        Object.entries(own.properties).map(([name, field]) => [name, into(field)]),
      ),
    }),
  }
}

export const listDescribedCalls = (description: OpenApiDescription): DescribedCall[] =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      body: inlineIfAny(description, operation.requestBody?.content['application/json']?.schema),
      isPublic: operation.security.length === 0,
    })),
  )

const inlineIfAny = (
  description: OpenApiDescription,
  schema: JsonSchema | undefined,
): JsonSchema | undefined => schema && inline(description, schema)

export type DescribedResponse = { status: number; type: string; body: string }

/** Says of an answer what the description does not; null when it is as described. Schemas are read once. */
export function createResponseChecker(
  description: OpenApiDescription,
): (call: DescribedCall, answer: DescribedResponse) => string | null {
  const readers = new Map<string, z.ZodType>()
  const resolved = (response: Response | undefined): Response | undefined =>
    response?.$ref === undefined
      ? response
      : description.components.responses[response.$ref.replace(RESPONSES, '')]
  const readerOf = (call: DescribedCall, status: number, schema: JsonSchema): z.ZodType => {
    const key = `${call.operationId} ${status}`
    const kept =
      readers.get(key)
      ?? z.fromJSONSchema(inline(description, schema) as Parameters<typeof z.fromJSONSchema>[0])
    readers.set(key, kept)
    return kept
  }
  return (call, { status, type, body }) => {
    const content = resolved(call.responses[status])?.content
    if (!content) return `status ${status} is not described`
    const described = content[type.split(';')[0]!]
    if (!described) return `an answer ${status} of type '${type}' is not described`
    if (!type.startsWith('application/json')) return null
    const read = readerOf(call, status, described.schema).safeParse(JSON.parse(body))
    return read.success
      ? null
      : `the answer ${status} is not as described: ${JSON.stringify(read.error.issues).slice(0, 400)}`
  }
}
