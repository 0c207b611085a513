/** SCAN forms of /v2, in EasyPost's shapes (contract/easypost.ts). */
import * as z from 'zod'
import { EASYPOST_BODY_DEPTH, lenientQuery, ListQuery, ScanFormBody } from './easypost-bodies.ts'
import { EasypostBatch, EasypostScanForm } from './easypost-objects.ts'
import { defineEndpoint } from './endpoint.ts'

const Params = z.object({ id: z.string().max(100) })
const call = {
  access: 'signed-in',
  scope: 'labels:buy',
  query: lenientQuery(z.object({})),
  bodyDepth: EASYPOST_BODY_DEPTH,
} as const

export const easypostBatchScanForm = defineEndpoint({
  ...call,
  name: 'easypostBatchScanForm',
  method: 'POST',
  path: '/v2/batches/:id/scan_form',
  summary: 'Make a SCAN form of the labels of a batch, which have one sender',
  params: Params,
  response: EasypostBatch,
})

export const easypostCreateScanForm = defineEndpoint({
  ...call,
  name: 'easypostCreateScanForm',
  method: 'POST',
  path: '/v2/scan_forms',
  summary: 'Make a SCAN form of bought shipments, which have one sender',
  body: ScanFormBody,
  response: EasypostScanForm,
  status: 201,
})

export const easypostScanForms = defineEndpoint({
  ...call,
  name: 'easypostScanForms',
  method: 'GET',
  path: '/v2/scan_forms',
  summary: 'List SCAN forms, newest first',
  query: ListQuery,
  response: z.object({ scan_forms: z.array(EasypostScanForm), has_more: z.boolean() }),
})

export const easypostScanForm = defineEndpoint({
  ...call,
  name: 'easypostScanForm',
  method: 'GET',
  path: '/v2/scan_forms/:id',
  summary: 'A SCAN form by its id',
  params: Params,
  response: EasypostScanForm,
})
