/** Reads one file with what this user's page knows: senders, SKUs, limits, remembered columns. */
import type { SavedAddress } from '#contract/addresses.ts'
import type { ColumnMapping } from '#contract/imports.ts'
import { preselectedSender } from '#web/addresses/sender.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { saveColumns, savedColumns } from '#web/batches/columns/column-memory.ts'
import type { GridRow } from '#web/batches/grid-row.ts'
import { fileHash, isOfSeveralSheets } from '#web/batches/import/file-hash.ts'
import type { SheetPreview } from '#web/batches/import/import-file.ts'
import { readFile } from '#web/batches/import/read-file.ts'
import type { FileResult, ReadContext } from '#web/batches/import/read-file.ts'
import { PUBLIC_SETTINGS_QUERY } from '#web/client/public-settings.ts'
import { addressesQuery, servicesQuery, skusQuery } from '#web/client/queries.ts'
import { queryClient } from '#web/client/query-client.ts'
import { unlessAborted } from '#web/client/unless-aborted.ts'
import type { FileRows } from './table-files.ts'

/** The address that fills rows without a sender: the chosen one, else the default, else the oldest. */
export const senderOf = (
  addresses: readonly SavedAddress[] | undefined,
  chosenId: string | null,
): SavedAddress | undefined =>
  addresses?.find(address => address._id === chosenId) ?? preselectedSender(addresses ?? [])

/**
 * `mapping`: the user's columns for this file. `askColumns`: answer with the columns alone. `sheet`:
 * of a workbook.
 */
export type ReadOptions = {
  mapping?: { fingerprint: string; mapping: ColumnMapping }
  askColumns?: boolean
  sheet?: string
  onProgress: (share: number) => void
  onFirstRows?: (rows: GridRow[]) => void
  signal: AbortSignal
}

/** Of a file whose columns are to be matched. `sheets`: names, of a workbook. */
export type FileColumns = { preview: SheetPreview; sheets: string[]; sheet: string | undefined }
export type TableFileAnswer =
  | { problem: string }
  | { columns: FileColumns }
  | { read: FileRows; result: FileResult }

/** Of the whole way to the table; the rest is checking the rows. */
export const READ_SHARE = 0.9

/** Rejects only with the signal's reason. */
export async function readTableFile(
  file: File,
  userId: string,
  senderId: string | null,
  options: ReadOptions,
): Promise<TableFileAnswer> {
  let context: ReadContext
  try {
    context = await unlessAborted(readContext(userId, senderId, options), options.signal)
  } catch {
    options.signal.throwIfAborted()
    return { problem: texts.dataFailed }
  }
  const read = (more: Partial<ReadContext> = {}) =>
    readFile(
      file,
      { ...context, ...more },
      {
        onProgress: ({ fraction }) => options.onProgress(READ_SHARE * fraction),
        onFirstRows: options.onFirstRows,
      },
      options.signal,
    )
  const started = performance.now()
  let answer = await read()
  let columnsAt: string | undefined
  const asked = options.mapping !== undefined || options.askColumns === true
  if (!asked && !('problem' in answer)) {
    const known = 'rows' in answer ? [answer.headerFingerprint] : answer.fingerprints
    const saved = await unlessAborted(savedColumns(userId, known), options.signal)
    if (saved) {
      answer = await read({ mappings: { [saved.fingerprint]: saved.mapping } })
      columnsAt = saved.usedAt
    }
  }
  if ('problem' in answer) return answer
  if ('unknownColumns' in answer) {
    const { unknownColumns: preview, sheets = [], sheet } = answer
    return { columns: { preview, sheets, sheet } }
  }
  const { source, rows, notices, leftOut, sheets, sheet } = answer
  return {
    result: answer,
    read: {
      file: {
        name: file.name,
        sha256: fileHash(answer),
        source,
        rows: rows.length,
        readMs: Math.round(performance.now() - started),
        leftOut,
        ...(columnsAt !== undefined && { columnsAt }),
        ...(isOfSeveralSheets(answer) && { sheets, sheet }),
      },
      rows,
      notices,
    },
  }
}

async function readContext(
  userId: string,
  senderId: string | null,
  { mapping, askColumns, sheet }: ReadOptions,
): Promise<ReadContext> {
  const [{ savedAddress }, { SkuData }, services, { bulkMaxRows }] = await Promise.all([
    queryClient.fetchQuery(addressesQuery(userId)),
    queryClient.fetchQuery(skusQuery(userId)),
    queryClient.fetchQuery(servicesQuery(userId)),
    queryClient.fetchQuery(PUBLIC_SETTINGS_QUERY),
  ])
  const sender = senderOf(savedAddress, senderId)
  return {
    ...(sender && { senderAddress: sender }),
    services: services.map(({ name, uid }) => ({ name, uid })),
    skus: SkuData,
    maxRows: bulkMaxRows,
    ...(mapping && { mappings: { [mapping.fingerprint]: mapping.mapping } }),
    ...(askColumns && { askColumns }),
    ...(sheet !== undefined && { sheet }),
  }
}

/** Remembers the columns for the next file with this header row. False if that failed. */
export async function rememberMapping(
  userId: string,
  name: string,
  { fingerprint, mapping }: { fingerprint: string; mapping: ColumnMapping },
): Promise<boolean> {
  try {
    await saveColumns(userId, fingerprint, name, mapping)
    return true
  } catch {
    return false
  }
}
