/** Reads one file with what this user's page knows: senders, SKUs, limits. */
import { listAddresses } from '#contract/addresses.ts'
import type { ColumnMapping } from '#contract/imports.ts'
import { listSkus } from '#contract/skus.ts'
import { publicSettings } from '#contract/system.ts'
import { importFile } from '#web/batches/import/import-file.ts'
import type { ImportAnswer, ImportContext, ImportResult } from '#web/batches/import/import-file.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { sha256 } from '#web/client/sha256.ts'
import { withPrintNotices } from './print-notices.ts'
import type { FileRows } from './table-files.ts'
import { texts } from './texts.ts'

/** Data for every table. Cached unchanged, because other pages use the same keys. */
export const addressesQuery = (userId: string) => ({
  queryKey: queryKeys.addresses(userId),
  queryFn: () => send(listAddresses, { params: { userId } }),
})
export const skusQuery = (userId: string) => ({
  queryKey: queryKeys.skus(userId),
  queryFn: () => send(listSkus, { params: { userId } }),
})
export const systemInfoQuery = () => ({
  queryKey: queryKeys.publicSettings(),
  queryFn: () => send(publicSettings, {}),
  staleTime: Infinity,
})

/** The server's body limit. */
const MAX_FILE_BYTES = 64 * 1024 * 1024

/** `mapping`: the user's columns for this file. `askColumns`: answer with the columns alone. */
export type ReadOptions = {
  mapping?: ColumnMapping
  askColumns?: boolean
  onProgress: (share: number) => void
}

/** `known`: what a file was read as, null for unknown columns. */
export type TableFileAnswer =
  | { problem: string }
  | { unknownColumns: Extract<ImportAnswer, { unknownColumns: unknown }>['unknownColumns'] }
  | { read: FileRows; result: ImportResult }

export async function readTableFile(
  file: File,
  userId: string,
  senderId: string | null,
  options: ReadOptions,
): Promise<TableFileAnswer> {
  if (file.size > MAX_FILE_BYTES) return { problem: texts.tooLarge }
  const started = performance.now()
  let context: ImportContext
  try {
    context = await importContext(userId, senderId, options)
  } catch {
    return { problem: texts.dataFailed }
  }
  let bytes: Uint8Array<ArrayBuffer>
  try {
    bytes = new Uint8Array(await file.arrayBuffer())
  } catch {
    return { problem: texts.fileFailed }
  }
  try {
    const answer = importFile(bytes, file.name, context)
    if (!('rows' in answer)) return answer
    const rows = await withPrintNotices(answer.rows)
    return {
      result: answer,
      read: {
        file: {
          name: file.name,
          sha256: answer.sha256 ?? sha256(bytes),
          source: answer.source,
          rows: rows.length,
          readMs: Math.round(performance.now() - started),
          leftOut: answer.leftOut,
        },
        rows,
        notices: answer.notices,
      },
    }
  } catch {
    return { problem: texts.parseFailed }
  }
}

async function importContext(
  userId: string,
  senderId: string | null,
  { mapping, askColumns }: ReadOptions,
): Promise<ImportContext> {
  const [{ savedAddress }, { SkuData }, { bulkMaxRows }] = await Promise.all([
    queryClient.fetchQuery(addressesQuery(userId)),
    queryClient.fetchQuery(skusQuery(userId)),
    queryClient.fetchQuery(systemInfoQuery()),
  ])
  const sender = savedAddress.find(address => address._id === senderId) ?? savedAddress[0]
  return {
    ...(sender && { senderAddress: sender }),
    skus: SkuData,
    maxRows: bulkMaxRows,
    ...(mapping && { mapping: () => mapping }),
    ...(askColumns && { askColumns }),
  }
}
