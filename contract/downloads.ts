import * as z from 'zod'
import { defineEndpoint, Id } from './endpoint.ts'
import { idList } from './id-list.ts'
import { TABLE_FILE_TYPES, TableFormatQuery } from './table-files.ts'

export const BATCH_FILE_KINDS = ['pdf', 'result-csv', 'auto-csv'] as const
export type BatchFileKind = (typeof BATCH_FILE_KINDS)[number]

/**
 * One 4x6 PDF page each, two on a Letter sheet, ZPL II for thermal printers (203 dpi), or one label
 * as an image (203 dpi).
 */
export const LABEL_FORMATS = ['pdf', 'letter', 'zpl', 'png'] as const
export type LabelFormat = (typeof LABEL_FORMATS)[number]

/** The half of a Letter sheet where the first label goes: 1 upper, 2 lower. */
const FirstLabelPosition = z.coerce
  .number()
  .pipe(z.literal([1, 2]))
  .optional()

const downloadCall = {
  method: 'GET',
  access: 'signed-in',
  scope: 'labels:read',
  acceptsDownloadCookie: true,
  response: z.any(),
} as const

export const downloadFile = defineEndpoint({
  name: 'downloadFile',
  ...downloadCall,
  path: '/api/orders/download/:kind/:name',
  refusals: [404, 409, 422],
  summary:
    'Download a label by version (v2) and pdfName, or a file of a bulk order by type (pdf, result-csv, auto-csv) and order id. '
    + 'format: 4x6 PDF by default, letter (first: position of the first label), zpl, png (one label). '
    + 'rows selects rows of a bulk order: 3-7,12',
  params: z.object({ kind: z.string().max(40), name: z.string().max(300) }),
  query: z.object({
    format: z.enum(['txt', 'csv', 'xlsx', ...LABEL_FORMATS]).optional(),
    first: FirstLabelPosition,
    rows: z.string().max(500).optional(),
  }),
  fileTypes: [
    'application/pdf',
    'image/png',
    'application/zpl',
    'text/csv',
    'text/plain',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ],
})

/** Labels that are chosen one by one for one file. */
export const MAX_LABELS_IN_FILE = 200

const IdsQuery = idList(MAX_LABELS_IN_FILE)

export const downloadLabels = defineEndpoint({
  name: 'downloadLabels',
  ...downloadCall,
  path: '/api/orders/file/labels',
  refusals: [404, 409, 422],
  summary:
    'Download the caller’s labels with these ids as one file, in this order. ids: 81,79,12; at most 200. '
    + '409 if one of them cannot be printed. format and first as for a single label',
  query: z.object({
    ids: IdsQuery,
    format: z.enum(['pdf', 'letter', 'zpl']).default('pdf'),
    first: FirstLabelPosition,
  }),
  fileTypes: ['application/pdf', 'application/zpl'],
})

/** Of packing slips and pick lists: Letter, or 4x6 for label printers (`pdf`, as for labels). */
export const PACKING_FORMATS = ['letter', 'pdf'] as const
export type PackingFormat = (typeof PACKING_FORMATS)[number]
const PackingQuery = z.object({ format: z.enum(PACKING_FORMATS).default('letter') })

/** Before the id of the bulk order. */
export const PACKING_SLIPS_PATH = '/api/orders/bulk/packing-slips'
export const PICK_LIST_PATH = '/api/orders/bulk/pick-list'

const packingCall = { ...downloadCall, fileTypes: ['application/pdf'] } as const

export const downloadPackingSlips = defineEndpoint({
  name: 'downloadPackingSlips',
  ...packingCall,
  path: `${PACKING_SLIPS_PATH}/:orderId`,
  refusals: [404],
  summary: 'Download the packing slips of a bulk order, sorted by SKU: one for each valid label',
  params: z.object({ orderId: Id }),
  query: PackingQuery,
})

export const downloadPickList = defineEndpoint({
  name: 'downloadPickList',
  ...packingCall,
  path: `${PICK_LIST_PATH}/:orderId`,
  refusals: [404],
  summary: 'Download the pick list of a bulk order: each SKU with its quantity and orders',
  params: z.object({ orderId: Id }),
  query: PackingQuery,
})

export const downloadSelectedPackingSlips = defineEndpoint({
  name: 'downloadSelectedPackingSlips',
  ...packingCall,
  path: '/api/orders/file/packing-slips',
  refusals: [404, 409],
  summary:
    'Download packing slips of the caller’s labels with these ids, sorted by SKU. ids: 81,79,12; at most 200. '
    + '409 if one of them has no valid label',
  query: PackingQuery.extend({ ids: IdsQuery }),
})

export const downloadSelectedPickList = defineEndpoint({
  name: 'downloadSelectedPickList',
  ...packingCall,
  path: '/api/orders/file/pick-list',
  refusals: [404, 409],
  summary: 'Download the pick list of the caller’s labels with these ids, as for packing slips',
  query: PackingQuery.extend({ ids: IdsQuery }),
})

export const downloadTestPage = defineEndpoint({
  name: 'downloadTestPage',
  ...downloadCall,
  path: '/api/orders/file/test-page',
  summary: 'Download a printer test page with edges, a ruler and a barcode',
  query: z.object({ format: z.enum(LABEL_FORMATS).default('pdf'), first: FirstLabelPosition }),
  fileTypes: ['application/pdf', 'image/png', 'application/zpl'],
})

export const downloadBulkTemplate = defineEndpoint({
  name: 'downloadBulkTemplate',
  method: 'GET',
  path: '/api/orders/file/template',
  access: 'anyone',
  summary: 'Download the bulk order template, a CSV header line',
  fileTypes: ['text/csv'],
  response: z.any(),
})

/** Before the id of the bulk order. */
export const FAILED_ROWS_PATH = '/api/orders/bulk/failed-rows'

export const downloadFailedRows = defineEndpoint({
  name: 'downloadFailedRows',
  ...downloadCall,
  path: `${FAILED_ROWS_PATH}/:orderId/file`,
  refusals: [404],
  summary: 'Download failed rows as a file to correct and upload again',
  params: z.object({ orderId: Id }),
  query: TableFormatQuery,
  fileTypes: TABLE_FILE_TYPES,
})
