import * as z from 'zod'

export const CSV_TYPE = 'text/csv'
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Of a table as a file: CSV, or a workbook whose names, ids and ZIPs are texts. */
export const TABLE_FORMATS = ['csv', 'xlsx'] as const
export type TableFormat = (typeof TABLE_FORMATS)[number]
export const TABLE_FILE_TYPES = [CSV_TYPE, XLSX_TYPE] as const
export const TableFormatQuery = z.object({ format: z.enum(TABLE_FORMATS).default('csv') })

/** The Content-Type header of a table. */
export const tableFileType = (format: TableFormat): string =>
  format === 'csv' ? `${CSV_TYPE}; charset=utf-8` : XLSX_TYPE
