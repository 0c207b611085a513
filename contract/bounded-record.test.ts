import { expect, test } from 'vitest'
import * as z from 'zod'
import { boundedRecord } from './bounded-record.ts'
import * as easypostScanForms from './easypost-scan-forms.ts'
import * as easypostWebhooks from './easypost-webhooks.ts'
import * as easypost from './easypost.ts'
import type { Endpoint } from './endpoint.ts'
import { ENDPOINTS } from './openapi/calls.ts'

type Definition = Record<string, unknown> & {
  type: string
  checks?: { _zod: { def: { params?: { maximum?: number } } } }[]
}

/** Paths of records in a schema that have no limit of entries. */
function unboundedRecords(schema: z.core.$ZodType, path = ''): string[] {
  const def = schema._zod.def as unknown as Definition
  const isBounded = def.checks?.some(check => check._zod.def.params?.maximum !== undefined)
  const own = def.type === 'record' && !isBounded ? [path] : []
  const parts = Object.entries(def.type === 'object' ? (def.shape as object) : def)
  const inner = parts.flatMap(([name, part]: [string, unknown]) =>
    (Array.isArray(part) ? part : [part])
      .filter(
        (one): one is z.core.$ZodType => one !== null && typeof one === 'object' && '_zod' in one,
      )
      .filter(one => 'def' in one._zod && 'type' in one._zod.def)
      .flatMap(one => unboundedRecords(one, def.type === 'object' ? `${path}.${name}` : path)),
  )
  return [...own, ...inner]
}

test('a record without a limit is found inside lists, choices and other records', () => {
  const open = z.record(z.string(), z.string())
  const schema = z.object({
    a: z.array(z.union([z.string(), z.object({ b: open.nullish() })])),
    c: boundedRecord(z.string(), open, 5),
    d: z.string().pipe(z.string()),
    e: z.preprocess(given => given, open),
    f: boundedRecord(z.string(), z.string(), 5).optional(),
  })
  expect(unboundedRecords(schema)).toEqual(['.a.b', '.c', '.e'])
})

test('each body of the contract limits the entries of its records', () => {
  const ofV2 = [easypost, easypostScanForms, easypostWebhooks].flatMap(module =>
    Object.values(module as Record<string, unknown>).filter(
      (value): value is Endpoint =>
        typeof value === 'object' && value !== null && 'access' in value,
    ),
  )
  expect(ofV2.length).toBeGreaterThan(30)
  const found = [...ENDPOINTS.map(({ endpoint }) => endpoint), ...ofV2].flatMap(({ name, body }) =>
    body ? unboundedRecords(body).map(path => name + path) : [],
  )
  expect(found).toEqual([])
})
