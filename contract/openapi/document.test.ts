import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { listOrders, placeOrder } from '#contract/orders.ts'
import { REFUSALS } from '#contract/refusals.ts'
import { WEBHOOK_TYPES } from '#contract/webhooks.ts'
import { ENDPOINTS, TAGS } from './calls.ts'
import { CALL_CODES } from './codes.ts'
import { isForKeys, openApiDocument, splitSummary } from './document.ts'
import type { Response } from './document.ts'
import { EXAMPLES } from './examples.ts'
import { FIELD_NOTES } from './notes.ts'
import type { JsonSchema } from './schemas.ts'
import { isDeclared } from './statuses.ts'

const options = { title: 'Evenpost', version: '1', url: 'https://labels.example' }
const all = openApiDocument({ ...options, calls: 'all' })
const forKeys = openApiDocument({ ...options, calls: 'keys' })

/** Calls `visit` with every property of the schema and with where it is. */
function eachProperty(
  schema: JsonSchema,
  at: string,
  visit: (place: string, field: JsonSchema) => void,
): void {
  const inside = [schema.items, schema.additionalProperties, ...(schema.anyOf ?? [])]
  for (const one of inside) if (typeof one === 'object') eachProperty(one, at, visit)
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    visit(`${at}.${name}`, field)
    eachProperty(field, `${at}.${name}`, visit)
  }
}

const operationsOf = (document: typeof all) =>
  Object.values(document.paths).flatMap(methods => Object.values(methods))

const schemasIn = (...parts: unknown[]): JsonSchema[] =>
  parts
    .map(part => (part as { content?: Record<string, { schema: JsonSchema }> })?.content ?? {})
    .flatMap(content => Object.values(content).map(({ schema }) => schema))

function undescribed(document: typeof all): string[] {
  const found: string[] = []
  const visit = (place: string, { description }: JsonSchema): void => {
    if (!description) found.push(place)
  }
  for (const [name, schema] of Object.entries(document.components.schemas))
    eachProperty(schema, name, visit)
  for (const { post } of Object.values(document.webhooks))
    for (const schema of schemasIn(post.requestBody)) eachProperty(schema, 'Message', visit)
  for (const { operationId, parameters = [], requestBody, responses } of operationsOf(document)) {
    for (const { name, description } of parameters)
      if (!description) found.push(`${operationId}?${name}`)
    for (const schema of schemasIn(requestBody, ...Object.values(responses)))
      eachProperty(schema, operationId, visit)
  }
  return [...new Set(found)]
}

test('every operation has the name of its endpoint, once', () => {
  for (const { endpoint, constant } of ENDPOINTS) expect(endpoint.name).toBe(constant)
  const names = operationsOf(all).map(({ operationId }) => operationId)
  expect(names).toHaveLength(ENDPOINTS.length)
  expect(new Set(names).size).toBe(names.length)
})

test('every field of every call is described', () => {
  expect(undescribed(all)).toEqual([])
})

test('the document of keys has the calls with a scope, and its tags', () => {
  const names = operationsOf(forKeys).map(({ operationId }) => operationId)
  expect(names).toContain('placeOrder')
  expect(names).toContain('currentKey')
  expect(names).not.toContain('deleteUser')
  expect(names).toHaveLength(ENDPOINTS.filter(isForKeys).length)
  const used = new Set(operationsOf(forKeys).flatMap(({ tags }) => tags))
  expect(forKeys.tags.map(({ name }) => name)).toEqual(
    TAGS.map(({ name }) => name).filter(name => used.has(name)),
  )
})

test('calls for keys are described for keys alone, since sign-ins get whole lists', () => {
  const tokenOf = ({ components }: typeof all) => components.securitySchemes.token!.description
  expect([tokenOf(forKeys), tokenOf(all)]).toEqual([
    'An API key in the header token',
    'An API key, or the token of a sign-in, in the header token',
  ])
})

test.each([
  ['of keys', forKeys],
  ['of all calls', all],
])('the schemas %s are those that are referred to, and answers stay open', (_, document) => {
  const text = JSON.stringify(document)
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
  const used = new Set(references.map(([, name]) => name!))
  expect([...used].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted())
  expect(text).not.toContain('"additionalProperties":false')
  expect(text).not.toContain('$defs')
})

test('what is sent has another schema than what comes back, where they differ', () => {
  const { schemas } = openApiDocument({ ...options, calls: 'all' }).components
  expect(schemas.Order!.required).toContain('tracking_number')
  expect(schemas).toHaveProperty('Sender')
  expect(schemas).not.toHaveProperty('OrderInput')
})

test('a field that the server refuses when it is empty is required', () => {
  const body = forKeys.paths['/api/orders/v2']!.post!.requestBody!
  const { schema } = body.content['application/json']!
  expect(schema.required).toEqual(['user_id', 'sender', 'receiver', 'package', 'service_name'])
  expect(forKeys.components.schemas.Receiver!.required).toContain('receiver_zip_postal')
})

/** Every property of every schema and of every body that is sent. */
function fieldsSent(document: typeof all): Map<string, JsonSchema> {
  const fields = new Map<string, JsonSchema>()
  const keep = (place: string, field: JsonSchema): void => void fields.set(place, field)
  for (const [name, schema] of Object.entries(document.components.schemas))
    eachProperty(schema, name, keep)
  for (const { operationId, requestBody } of operationsOf(document))
    for (const schema of schemasIn(requestBody)) eachProperty(schema, operationId, keep)
  return fields
}

test('a program that validates finds no default that the field itself forbids', () => {
  const forbidden = [...fieldsSent(all)].filter(
    ([, { default: given, minLength = 0 }]) =>
      typeof given === 'string' && given.length < minLength,
  )
  expect(forbidden.map(([place]) => place)).toEqual([])
})

test('the least that a call takes is the least that its description allows', () => {
  const fields = fieldsSent(all)
  expect([
    fields.get('ParcelToTotal.count')?.minimum,
    fields.get('applyAdjustments.firstRow')?.minimum,
    fields.get('addSkus.parsedData')?.minItems,
  ]).toEqual([1, 2, 1])
})

test('the messages of webhooks are described by type', () => {
  expect(Object.keys(forKeys.webhooks)).toEqual([...WEBHOOK_TYPES])
  const { schema } = forKeys.webhooks['label.bought']!.post.requestBody.content['application/json']!
  expect(schema.properties!.data!.required).toContain('trackingNumber')
})

test('a generator that writes a file for each tag keeps the calls that manage webhooks', () => {
  const ofCalls = operationsOf(all).flatMap(({ tags }) => tags)
  const ofMessages = Object.values(all.webhooks).flatMap(({ post }) => post.tags)
  expect(ofCalls).toContain('Webhooks')
  expect(ofCalls.filter(tag => ofMessages.includes(tag))).toEqual([])
})

test('rows of a bulk order are described', () => {
  const body = forKeys.paths['/api/orders/bulk/process/{userId}']!.post!.requestBody!
  const { schema } = body.content['application/json']!
  expect(schema.properties!.orderData!.items).toEqual({ $ref: '#/components/schemas/BulkRow' })
  expect(forKeys.components.schemas.BulkRow!.required).toEqual(
    expect.arrayContaining(['ServiceName', 'ToZipPostal', 'PackageWeight']),
  )
})

test('files are binary, with the name of the file in a header', () => {
  const { responses } = forKeys.paths['/api/orders/download/{kind}/{name}']!.get!
  const file = responses[200] as Response
  expect(file.content['application/pdf']!.schema).toEqual({
    type: 'string',
    format: 'binary',
  })
  expect(file.headers).toHaveProperty('Content-Disposition')
})

test('every code of a refusal is in the document', () => {
  const { code } = forKeys.components.schemas.Refused!.properties!
  expect(code!.enum).toEqual(expect.arrayContaining(['insufficient_balance', 'scope_missing']))
})

test('the codes of a refusal are those of its status, and of the call where it has a list', () => {
  const { responses } = forKeys.paths['/api/webhooks/{userId}/{webhookId}/deliveries']!.get!
  const codesOf = (response: Response) =>
    schemasIn(response)[0]!.allOf!.at(-1)!.properties!.code!.enum
  expect(codesOf(responses[404] as Response)).toEqual(['webhook_unknown'])
  expect((responses[404] as Response).description).toContain('Codes: webhook_unknown')
  expect(codesOf(forKeys.components.responses.Refused402!)).toEqual([
    'insufficient_balance',
    'daily_limit_reached',
  ])
})

test('every call for keys lists the codes of each of its statuses, and no other', () => {
  const names = new Set(ENDPOINTS.map(({ constant }) => constant))
  expect(Object.keys(CALL_CODES).filter(name => !names.has(name))).toEqual([])
  for (const { endpoint } of ENDPOINTS.filter(isForKeys)) {
    const listed = (CALL_CODES[endpoint.name] ?? []).map(code => REFUSALS[code].status)
    const declared = [404, 409, 422].filter(status => isDeclared(endpoint, status))
    expect([...new Set<number>(listed)].toSorted(), endpoint.name).toEqual(declared)
  }
})

test('no call lists a code twice, which generators of clients refuse', () => {
  const twice = Object.entries(CALL_CODES).filter(([, codes]) => new Set(codes).size < codes.length)
  expect(twice.map(([name]) => name)).toEqual([])
})

test('statuses are those of the call', () => {
  expect(isDeclared(placeOrder, 402)).toBe(true)
  expect(isDeclared(listOrders, 409)).toBe(false)
  const { responses } = forKeys.paths['/api/orders/v2']!.post!
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '202', '402', '422']))
})

test('the first sentence of a summary is the summary', () => {
  expect(splitSummary('List orders, newest first. At most 10,000 are counted')).toEqual([
    'List orders, newest first',
    'At most 10,000 are counted.',
  ])
  expect(splitSummary('Buy one label')).toEqual(['Buy one label', ''])
})

describe('examples', () => {
  const callsForKeys = ENDPOINTS.filter(isForKeys).map(
    ({ endpoint }) => [endpoint.name, endpoint] as const,
  )

  test.each(callsForKeys)('%s: request and answer have the described form', (name, endpoint) => {
    const example = EXAMPLES[name]!
    expect(example, 'an example').toBeDefined()
    const parts = [
      [endpoint.params, example.params],
      [endpoint.query, example.query ?? {}],
      [endpoint.body, example.body],
      ...(endpoint.fileTypes
        ? []
        : [[endpoint.pagedResponse ?? endpoint.response, example.response]]),
    ] as [z.ZodType | undefined, unknown][]
    for (const [schema, value] of parts) {
      if (schema) expect(schema.safeParse(value).error).toBeUndefined()
      else expect(value ?? {}).toEqual({})
    }
  })

  test('each belongs to a call', () => {
    const names = ENDPOINTS.map(({ constant }) => constant)
    expect(Object.keys(EXAMPLES).filter(name => !names.includes(name))).toEqual([])
  })
})

test('every note describes a field', () => {
  const places = new Set<string>()
  const visit = (place: string): void => {
    places.add(place)
    places.add(place.split('.').at(-1)!)
  }
  for (const [name, schema] of Object.entries(all.components.schemas))
    eachProperty(schema, name.replace(/Input$/, ''), visit)
  for (const { post } of Object.values(all.webhooks))
    for (const schema of schemasIn(post.requestBody)) eachProperty(schema, 'Message', visit)
  for (const { operationId, parameters = [], requestBody, responses } of operationsOf(all)) {
    for (const { name } of parameters) visit(`${operationId}.${name}`)
    for (const schema of schemasIn(requestBody, ...Object.values(responses)))
      eachProperty(schema, operationId, visit)
  }
  expect(Object.keys(FIELD_NOTES).filter(place => !places.has(place))).toEqual([])
})

test.each([
  ['of keys', forKeys],
  ['of all calls', all],
])('the document %s is valid by a public validator', async (_, document) => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
})
