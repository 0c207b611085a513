import { expect, test } from 'vitest'
import * as z from 'zod'
import { boundedRecord } from '#contract/bounded-record.ts'
import { CreateBatchBody, CreateShipmentBody, lenientQuery } from '#contract/easypost-bodies.ts'
import { DollarsInput, Id, PageQuery } from '#contract/endpoint.ts'
import { textsOf } from '#contract/fault-texts.ts'
import type { FieldFault } from '#contract/faults.ts'
import { validateShape } from './request-validation.ts'

const Form = z.object({
  id: Id,
  name: z.string().max(5),
  role: z.enum(['user', 'friend', 'admin']),
  at: z.iso.datetime(),
  weight: z.union([z.number(), z.string()]),
  amount: DollarsInput,
  list: z
    .array(z.object({ n: z.int() }))
    .min(1)
    .max(3),
  password: z.string(),
  ok: z.boolean(),
})
const GOOD = {
  id: '17',
  name: 'Ana',
  role: 'user',
  at: '2026-11-21T09:30:00Z',
  weight: 1,
  amount: 12.5,
  list: [{ n: 1 }],
  password: 'x',
  ok: true,
}

type FieldFaults = Record<string, FieldFault>

const refused = (
  change: object,
  schema: z.ZodType = Form,
  data: unknown = { ...GOOD, ...change },
) => {
  const checked = validateShape(schema, data, 'body')
  return 'error' in checked
    ? { message: checked.error.message, fields: textsOf(checked.error.fields as FieldFaults) }
    : null
}

test('valid input is accepted', () => {
  expect(validateShape(Form, GOOD)).toEqual({ value: GOOD })
})

const WRONG: [change: object, message: string][] = [
  [{ id: 'abc' }, 'id must be an id, not "abc"'],
  [{ id: undefined }, 'id is missing'],
  [{ name: 'Anastasia' }, 'name must have at most 5 characters, not 9'],
  [{ name: null }, 'name must be a text, not null'],
  [{ role: 'king' }, 'role must be user, friend or admin, not "king"'],
  [{ at: 'yesterday' }, 'at must be a time such as 2026-11-21T09:30:00Z, not "yesterday"'],
  [{ weight: [] }, 'weight must be a number or a text, not a list'],
  [{ amount: 0.001 }, 'amount must have at most two decimals, not 0.001'],
  [{ amount: 1e9 }, 'amount must be at most 10,000,000, not 1000000000'],
  [{ amount: Infinity }, 'amount must be a number, not Infinity'],
  [{ list: [] }, 'list must have at least 1 entry, not 0'],
  [{ list: {} }, 'list must be a list, not an object'],
  [{ list: [{ n: 1 }, { n: 1.5 }] }, 'list.1.n must be a whole number, not 1.5'],
  [{ password: 123_456 }, 'password must be a text'],
  [{ ok: 'yes' }, 'ok must be true or false, not "yes"'],
  [{ id: 'x'.repeat(5_000) }, `id must be an id, not "${'x'.repeat(40)}…"`],
]
test.each(WRONG)(
  'a field that is wrong is named with its rule and what stood there: %o',
  (change, message) => {
    expect(refused(change)?.message).toBe(message)
  },
)

test('a rule of several fields is told as it is, without the object that holds them', () => {
  const range = z
    .object({ from: z.number(), to: z.number() })
    .refine(({ from, to }) => from < to, { path: ['to'], message: 'must be above from' })
  expect(refused({}, range, { from: 2, to: 1 })?.message).toBe('to must be above from')
})

const query = (data: object, schema: z.ZodType = PageQuery) => {
  const checked = validateShape(schema, data, 'querystring')
  return 'error' in checked ? checked.error : checked.value
}

const CODES: [change: object, code: string][] = [
  [{ id: 'abc' }, 'malformed'],
  [{ id: undefined }, 'required'],
  [{ name: 'Anastasia' }, 'too_long'],
  [{ name: null }, 'wrong_type'],
  [{ role: 'king' }, 'not_a_choice'],
  [{ weight: [] }, 'wrong_type'],
  [{ amount: 1e9 }, 'above_limit'],
  [{ amount: -1 }, 'below_limit'],
  [{ amount: '5' }, 'not_a_number'],
  [{ list: [] }, 'too_few'],
  [{ list: [1, 2, 3, 4].map(n => ({ n })) }, 'too_many'],
]
test.each(CODES)(
  'a wrong field has a code that tells what is wrong with it: %o',
  (change, code) => {
    const checked = validateShape(Form, { ...GOOD, ...change })
    const [field] = Object.keys(change)
    expect(checked).toMatchObject({
      error: { code: 'request_invalid', status: 400, fields: { [field!]: { code } } },
    })
  },
)

test('a number in a query is digits and at most one point', () => {
  const Amounts = z.object({
    amount: z.coerce.number('must be dollars').pipe(z.number().max(50)).optional(),
    first: z.coerce
      .number()
      .pipe(z.literal([1, 2]))
      .optional(),
  })
  expect(query({ amount: '12.50', first: '2' }, Amounts)).toEqual({ amount: 12.5, first: 2 })
  expect(query({ amount: '-0.5' }, Amounts)).toEqual({ amount: -0.5 })
  for (const amount of ['0x10', '1e2', '1e1', '', ' 5', '5 ', '+5', '1_0', 'Infinity', '5.', '.5'])
    expect(query({ amount }, Amounts)).toMatchObject({
      fields: { amount: { code: 'not_a_number', text: `must be dollars, not "${amount}"` } },
    })
  expect(query({ page: ['1', '2'] })).toMatchObject({ fields: { page: { code: 'wrong_type' } } })
})

test('a query field that the call does not know is named with those that it knows', () => {
  expect(query({ page: '1', limti: '5' })).toMatchObject({
    code: 'query_field_unknown',
    status: 400,
    message: 'The query field limti is not known; this call has page and limit',
    fields: { limti: { code: 'query_field_unknown' } },
  })
  expect(query({ a: '1' }, z.object({}))).toMatchObject({
    message: 'The query field a is not known; this call has no query fields',
  })
  expect(query({ a: '1' }, z.looseObject({}))).toEqual({ a: '1' })
})

test('a call that takes any query field takes those named like parts of every object', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'valueOf']) {
    const data = Object.fromEntries([[name, '1']])
    expect(query(data, lenientQuery(z.object({ page_size: z.string().optional() })))).toEqual({})
  }
})

test('every wrong field has its own text, and the strictest rule of a field is named', () => {
  expect(query({ page: '2000000', limit: 'ten' })).toMatchObject({
    code: 'request_invalid',
    message: 'page must be at most 1,000,000, not 2000000',
    fields: {
      page: { code: 'above_limit', text: 'must be at most 1,000,000, not 2000000' },
      limit: { code: 'not_a_number', text: 'must be a number, not "ten"' },
    },
  })
  expect(refused({}, Form, [])).toMatchObject({ message: 'body must be an object, not a list' })
  expect(validateShape(Form, undefined, 'body')).toMatchObject({
    error: { message: 'body is missing' },
  })
})

test('of very many wrong fields the first are named and the others counted', () => {
  const Lists = z.object({
    of: z.string(),
    ids: z.array(Id.transform(Number)).max(50_000).nullish(),
  })
  const wrong = (ids: unknown[]) => refused({}, Lists, { of: 'Ana', ids })!
  const few = wrong([...Array(150).fill('7'), 'x', ...Array(50).fill('7'), 'y'])
  expect(few).toEqual({
    message: 'ids.150 must be an id, not "x"',
    fields: { 'ids.150': 'must be an id, not "x"', 'ids.201': 'must be an id, not "y"' },
  })
  const all = wrong(Array(20_000).fill('x'))
  expect(Object.keys(all.fields)).toEqual(Array.from({ length: 100 }, (_, n) => `ids.${n}`))
  const late = wrong([...Array(1_000).fill('7'), ...Array(20_000).fill('x')])
  expect(late.message).toBe(
    'ids.1000 must be an id, not "x" (at least 1 more fields are wrong and not listed)',
  )
  expect(Object.keys(late.fields)).toHaveLength(100)
  expect(refused({}, z.object({ a: z.array(Id) }), { a: Array(150).fill('x') })!.message).toContain(
    '(50 more fields are wrong',
  )
})

test('a valid long list is accepted like a short one', () => {
  const Deep = z.object({ ids: z.array(Id.transform(Number)).min(1).max(50_000) })
  const Lists = z.object({ of: z.string(), deep: Deep, ns: z.array(z.int()).max(999) })
  const numbers = Array.from({ length: 900 }, (_, n) => n + 1)
  const data = { of: 'Ana', deep: { ids: numbers.map(String) }, ns: numbers, more: 'dropped' }
  expect(validateShape(Lists, data)).toEqual({
    value: { of: 'Ana', deep: { ids: numbers }, ns: numbers },
  })
  expect(data.ns).toHaveLength(900)
})

test('a list that is too long is refused before its entries are validated', () => {
  let looked = 0
  const Entry = z.unknown().transform(() => ++looked)
  const Lists = z.object({ one: z.object({ entries: z.array(Entry).max(3).nullish() }) })
  expect(refused({}, Lists, { one: { entries: [1, 2, 3, 4] } })?.message).toBe(
    'one.entries must have at most 3 entries, not 4',
  )
  expect(looked).toBe(0)
  expect(refused({}, Lists, { one: { entries: [1, 2, 3] } })).toBeNull()
})

test('the entries of a record are counted before one is read, also of records in lists', () => {
  let read = 0
  const Entry = z.string().refine(() => ++read < 0)
  const Names = boundedRecord(z.string(), Entry, 3)
  const Body = z.object({
    names: Names.nullish(),
    rows: z.array(z.union([z.string(), z.object({ names: Names })])).max(500),
  })
  const names = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [n, '']))
  const textsIn = (body: object) => refused({}, Body, body)!.fields
  expect(textsIn({ names: names(4), rows: [] })).toEqual({ names: 'must have at most 3 entries' })
  const rows = [...Array(200).fill('x'), { names: names(4) }]
  expect(textsIn({ rows })).toEqual({ 'rows.200.names': 'must have at most 3 entries' })
  expect(read).toBe(0)
  expect(Object.keys(textsIn({ names: names(3), rows: [] }))).toHaveLength(3)
})

test('options of shipments are at most 50, and what is wrong in one of them is one fault', () => {
  const options = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`o${n}`, value]))
  const payment = { type: 'SENDER', account: null, limit: 5 }
  const body = (given: object) => ({ shipment: { options: given } })
  const good = body({ payment, label_format: 'PDF', ...options(48, 1) })
  expect(validateShape(CreateShipmentBody, good)).toEqual({ value: good })
  const fieldsOf = (given: object) => refused({}, CreateShipmentBody, body(given))!.fields
  expect(fieldsOf(options(51, []))).toEqual({
    'shipment.options': 'must have at most 50 entries',
  })
  for (const wrong of [
    options(51, 1),
    { a: 'x'.repeat(201) },
    { ['x'.repeat(61)]: 1 },
    { a: Infinity },
  ])
    expect(Object.keys(fieldsOf({ payment: wrong }))).toEqual(['shipment.options.payment'])
  // What an object of EasyPost's client has beside the text of an option counts for nothing.
  const sentBack = body({ payment: { ...payment, _params: payment, more: [] } })
  expect(validateShape(CreateShipmentBody, sentBack)).toEqual({ value: body({ payment }) })
  const shipments = ['shp_1', { options: options(51, []) }]
  expect(refused({}, CreateBatchBody, { batch: { shipments } })!.fields).toEqual({
    'batch.shipments.1.options': 'must have at most 50 entries',
  })
})
