import * as z from 'zod'
import { AfterQuery, NextId, defineEndpoint, Id, UserParams } from './endpoint.ts'

const MeasureInput = z.union([z.number(), z.string().max(100)]).nullish()

/**
 * A SKU record as typed or read: numbers or numeric text; the server validates it and names each
 * invalid field.
 */
export const SkuForm = z.object({
  sku: z.string().max(1000).default(''),
  maxQty: MeasureInput,
  weight: MeasureInput,
  length: MeasureInput,
  width: MeasureInput,
  height: MeasureInput,
  description: z.string().max(1000).nullish(),
})
export type SkuForm = z.output<typeof SkuForm>

/** Weight in pounds, measures in inches. */
export const SkuRecord = z.object({
  _id: Id,
  sku: z.string(),
  maxQty: z.number(),
  weight: z.number(),
  length: z.number(),
  width: z.number(),
  height: z.number(),
  description: z.string(),
})
export type SkuRecord = z.output<typeof SkuRecord>

export const listSkus = defineEndpoint({
  name: 'listSkus',
  method: 'GET',
  path: '/api/auth/get-sku/:userId',
  access: 'self',
  isPersonal: true,
  scope: 'books',
  summary: 'List SKU records, sorted by SKU',
  params: UserParams,
  query: AfterQuery,
  refusals: [409],
  response: z.object({ SkuData: z.array(SkuRecord), next: NextId }),
})

/** In one request. */
export const MAX_ADDED_SKUS = 20_000

export const addSkus = defineEndpoint({
  name: 'addSkus',
  method: 'POST',
  path: '/api/auth/add-sku/:userId',
  access: 'self',
  scope: 'books',
  refusals: [404, 422],
  summary: 'Add SKU records. An existing SKU is replaced; one invalid record refuses all',
  params: UserParams,
  body: z.object({ parsedData: z.array(SkuForm).max(MAX_ADDED_SKUS) }),
  streamedList: 'parsedData',
  bodyLimit: 8 * 1024 * 1024,
  response: z.object({ ok: z.literal(true), message: z.string(), SkuData: z.array(SkuRecord) }),
})

export const updateSku = defineEndpoint({
  name: 'updateSku',
  method: 'POST',
  path: '/api/auth/update-sku/:userId/:skuId',
  access: 'self',
  scope: 'books',
  refusals: [404, 409, 422],
  summary: 'Update a SKU record',
  params: UserParams.extend({ skuId: Id }),
  body: z.object({ skuData: SkuForm }),
  response: z.object({ ok: z.literal(true), message: z.string(), sku: SkuRecord }),
})

export const deleteSku = defineEndpoint({
  name: 'deleteSku',
  method: 'POST',
  path: '/api/auth/delete-sku/:skuId',
  access: 'signed-in',
  scope: 'books',
  refusals: [404],
  summary: 'Delete a SKU record',
  params: z.object({ skuId: Id }),
  response: z.object({ ok: z.literal(true), message: z.string(), id: Id }),
})
