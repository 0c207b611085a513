import { useState } from 'react'
import { listAddresses } from '#contract/addresses.ts'
import { importFile, NO_SENDER } from '#contract/import.ts'
import type { ImportContext } from '#contract/import.ts'
import { listSkus } from '#contract/skus.ts'
import { house } from '#contract/system.ts'
import { keys } from '#web/client/keys.ts'
import { queries } from '#web/client/query.ts'
import { send } from '#web/client/send.ts'
import { toastSuccess } from '#web/ui/toasts.ts'
import { draftOf } from './draft.ts'
import type { Draft } from './draft.ts'
import { withPrintNotices } from './print-notices.ts'
import { replaceTable, useBulk } from './store.ts'
import { texts } from './texts.ts'

/** What the page loads for every table, for its queries and for the upload. Kept as answered: other screens know the same keys. */
export const addressesQuery = (userId: string) => ({
  queryKey: keys.addresses(userId),
  queryFn: () => send(listAddresses, { params: { userId } }),
})
export const skusQuery = (userId: string) => ({
  queryKey: keys.skus(userId),
  queryFn: () => send(listSkus, { params: { userId } }),
})
export const houseQuery = () => ({
  queryKey: keys.house(),
  queryFn: () => send(house, {}),
  staleTime: Infinity,
})

/** The server takes no larger body. */
const MOST_BYTES = 64 * 1024 * 1024

export type Problem = { text: string; needsAddress: boolean }
export type Upload = {
  busy: boolean
  problem: Problem | null
  /** A table out of a file, waiting for a yes because changed rows would be lost. */
  waiting: Draft | null
  take: (files: File[]) => Promise<void>
  /** Puts a table in place of the one there is; asks first when changes would be lost. */
  offer: (draft: Draft) => void
  answer: (replace: boolean) => void
}

/** Reads files into the table. What was in the table stays when a file cannot be read. */
export function useUpload(userId: string, senderId: string | null): Upload {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [waiting, setWaiting] = useState<Draft | null>(null)
  const fail = (text: string) => setProblem({ text, needsAddress: text === NO_SENDER })

  const open = (draft: Draft) => {
    replaceTable(draft)
    if (Object.keys(draft.replaces).length === 0) toastSuccess(texts.uploaded)
  }
  const offer = (next: Draft) => {
    const { draft } = useBulk.getState()
    if (draft.rows.length > 0 && (draft.edited || draft.lost)) setWaiting(next)
    else open(next)
  }
  const take = async (files: File[]) => {
    const [file, ...others] = files
    if (!file || busy) return
    if (others.length > 0) return fail(texts.oneFile)
    if (file.size > MOST_BYTES) return fail(texts.tooLarge)
    setBusy(true)
    setProblem(null)
    try {
      const read = await readTable(file, userId, senderId)
      if ('problem' in read) return fail(read.problem)
      offer(read)
    } finally {
      setBusy(false)
    }
  }
  const answer = (replace: boolean) => {
    if (replace && waiting) open(waiting)
    setWaiting(null)
  }
  return { busy, problem, waiting, take, offer, answer }
}

async function readTable(
  file: File,
  userId: string,
  senderId: string | null,
): Promise<Draft | { problem: string }> {
  let bytes: Uint8Array
  let context: ImportContext
  try {
    bytes = new Uint8Array(await file.arrayBuffer())
  } catch {
    return { problem: texts.fileFailed }
  }
  try {
    const [{ savedAddress }, { SkuData }, { bulkMaxRows }] = await Promise.all([
      queries.fetchQuery(addressesQuery(userId)),
      queries.fetchQuery(skusQuery(userId)),
      queries.fetchQuery(houseQuery()),
    ])
    const sender = savedAddress.find(address => address._id === senderId) ?? savedAddress[0]
    context = { ...(sender && { senderAddress: sender }), skus: SkuData, maxRows: bulkMaxRows }
  } catch {
    return { problem: texts.dataFailed }
  }
  try {
    const imported = importFile(bytes, file.name, context)
    if ('problem' in imported) return imported
    return draftOf(
      { ...imported, rows: await withPrintNotices(imported.rows) },
      useBulk.getState().draft.service,
    )
  } catch {
    return { problem: texts.parseFailed }
  }
}
