import Papa from 'papaparse'
import { TEMPLATE_FIELDS, TEMPLATE_HEADERS } from '#contract/rows.ts'
import type { BulkRow } from '#contract/rows.ts'

/** A filled-in bulk template. */
export const csvOf = (rows: readonly BulkRow[]): string =>
  Papa.unparse({
    fields: [...TEMPLATE_HEADERS],
    data: rows.map(row => TEMPLATE_FIELDS.map(field => row[field])),
  })
