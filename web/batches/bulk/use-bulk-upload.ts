import { useState } from 'react'
import { listAddresses } from '#contract/addresses.ts'
import { listSkus } from '#contract/skus.ts'
import { publicSettings } from '#contract/system.ts'
import { importFile, NO_SENDER_PROBLEM } from '#web/batches/import/import-file.ts'
import type { ImportContext } from '#web/batches/import/import-file.ts'
import { texts as importTexts } from '#web/batches/import/texts.ts'
import { queryClient } from '#web/client/query-client.ts'
import { queryKeys } from '#web/client/query-keys.ts'
import { send } from '#web/client/send.ts'
import { toastSuccess } from '#web/ui/toasts.ts'
import { replaceTable, useBulk } from './bulk-store.ts'
import { draftFromImport } from './draft.ts'
import type { BulkDraft } from './draft.ts'
import { withPrintNotices } from './print-notices.ts'
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

export type FileProblem = { text: string; needsAddress: boolean }
export type BulkUpload = {
  busy: boolean
  problem: FileProblem | null
  /** A new table that waits for confirmation, because it would replace changed rows. */
  pendingDraft: BulkDraft | null
  importFiles: (files: File[]) => Promise<void>
  /** Replaces the table; asks first if changes would be lost. */
  replaceDraft: (draft: BulkDraft) => void
  confirmReplace: (replace: boolean) => void
}

/** Imports files. The table is unchanged if a file can't be read. */
export function useBulkUpload(userId: string, senderId: string | null): BulkUpload {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<FileProblem | null>(null)
  const [pendingDraft, setPendingDraft] = useState<BulkDraft | null>(null)
  const fail = (text: string) => setProblem({ text, needsAddress: text === NO_SENDER_PROBLEM })

  const load = (draft: BulkDraft) => {
    replaceTable(draft)
    if (Object.keys(draft.replaces).length === 0) toastSuccess(texts.uploaded)
  }
  const replaceDraft = (next: BulkDraft) => {
    const { draft } = useBulk.getState()
    if (draft.rows.length > 0 && (draft.edited || draft.lost)) setPendingDraft(next)
    else load(next)
  }
  const importFiles = async (files: File[]) => {
    const [file, ...others] = files
    if (!file || busy) return
    if (others.length > 0) return fail(texts.oneFile)
    if (file.size > MAX_FILE_BYTES) return fail(texts.tooLarge)
    setBusy(true)
    setProblem(null)
    try {
      const read = await importDraft(file, userId, senderId)
      if ('problem' in read) return fail(read.problem)
      replaceDraft(read)
    } finally {
      setBusy(false)
    }
  }
  const confirmReplace = (replace: boolean) => {
    if (replace && pendingDraft) load(pendingDraft)
    setPendingDraft(null)
  }
  return {
    busy,
    problem,
    pendingDraft: pendingDraft,
    importFiles: importFiles,
    replaceDraft: replaceDraft,
    confirmReplace: confirmReplace,
  }
}

async function importDraft(
  file: File,
  userId: string,
  senderId: string | null,
): Promise<BulkDraft | { problem: string }> {
  let bytes: Uint8Array
  let context: ImportContext
  try {
    bytes = new Uint8Array(await file.arrayBuffer())
  } catch {
    return { problem: texts.fileFailed }
  }
  try {
    const [{ savedAddress }, { SkuData }, { bulkMaxRows }] = await Promise.all([
      queryClient.fetchQuery(addressesQuery(userId)),
      queryClient.fetchQuery(skusQuery(userId)),
      queryClient.fetchQuery(systemInfoQuery()),
    ])
    const sender = savedAddress.find(address => address._id === senderId) ?? savedAddress[0]
    context = { ...(sender && { senderAddress: sender }), skus: SkuData, maxRows: bulkMaxRows }
  } catch {
    return { problem: texts.dataFailed }
  }
  try {
    const imported = importFile(bytes, file.name, context)
    if ('problem' in imported) return imported
    if ('unknownColumns' in imported) return { problem: importTexts.unknownColumns(file.name) }
    return draftFromImport(
      { ...imported, rows: await withPrintNotices(imported.rows) },
      useBulk.getState().draft.service,
    )
  } catch {
    return { problem: texts.parseFailed }
  }
}
