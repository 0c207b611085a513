import * as z from 'zod'
import { defineEndpoint } from './endpoint.ts'

/** Kinds of a bulk order's files (specification, 7). */
export const BATCH_FILE_KINDS = ['pdf', 'result-csv', 'auto-csv'] as const
export type BatchFileKind = (typeof BATCH_FILE_KINDS)[number]

/**
 * How labels are printed: a 4x6 PDF page each, two on a Letter sheet, commands for a thermal printer (ZPL II, 203 dpi), or a picture
 * (203 dpi; one label only).
 */
export const LABEL_FORMATS = ['pdf', 'letter', 'zpl', 'png'] as const
export type LabelFormat = (typeof LABEL_FORMATS)[number]

/** The half of a Letter sheet where the first label goes: 1 is the upper. */
const FirstLabelPosition = z.coerce
  .number()
  .pipe(z.literal([1, 2]))
  .optional()

export const downloadFile = defineEndpoint({
  method: 'GET',
  path: '/api/orders/download/:kind/:name',
  access: 'signed-in',
  acceptsDownloadCookie: true,
  summary:
    'A label by version and pdfName (v2), or a file of a bulk order by type (pdf, result-csv, auto-csv) and order id. '
    + 'Labels come as 4x6 PDF, or as format says: letter (first: place of the first label), zpl, png (one label); '
    + 'rows of a bulk order: 3-7,12',
  params: z.object({ kind: z.string().max(40), name: z.string().max(300) }),
  query: z.object({
    format: z.enum(['txt', 'csv', ...LABEL_FORMATS]).optional(),
    first: FirstLabelPosition,
    rows: z.string().max(500).optional(),
  }),
  fileTypes: ['application/pdf', 'image/png', 'application/zpl', 'text/csv', 'text/plain'],
  response: z.any(),
})

export const downloadTestPage = defineEndpoint({
  method: 'GET',
  path: '/api/orders/file/test-page',
  access: 'signed-in',
  acceptsDownloadCookie: true,
  summary: 'A page to try a printer with: edges, a ruler and a barcode; it is no label',
  query: z.object({ format: z.enum(LABEL_FORMATS).default('pdf'), first: FirstLabelPosition }),
  fileTypes: ['application/pdf', 'image/png', 'application/zpl'],
  response: z.any(),
})

export const downloadBulkTemplate = defineEndpoint({
  method: 'GET',
  path: '/api/orders/file/template',
  access: 'anyone',
  summary: 'The template for bulk orders, a CSV file with its header line',
  fileTypes: ['text/csv'],
  response: z.any(),
})
