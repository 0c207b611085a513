import { useState } from 'react'
import { messageOf } from '#web/client/send.ts'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { texts } from './texts.ts'
import { readUpload, replacedBy } from './upload.ts'
import type { Problem } from './upload.ts'
import type { Skus } from './use-skus.ts'

/** The server takes no larger body (contract/skus.ts). */
const MOST_BYTES = 8 * 1024 * 1024

/** What became of the last file. */
export type Outcome = { file: string } & ({ problem: Problem } | { sentences: string[] })

export function useUpload(skus: Skus) {
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)

  const take = async (file: File) => {
    if (busy) return
    setBusy(true)
    setOutcome(null)
    try {
      const ended = await upload(file, skus)
      setOutcome({ file: file.name, ...ended })
      if ('problem' in ended) toastError(texts.failed.upload)
      else toastSuccess(texts.done.upload)
    } finally {
      setBusy(false)
    }
  }
  return { busy, outcome, take, dismiss: () => setOutcome(null) }
}

async function upload(
  file: File,
  skus: Skus,
): Promise<{ problem: Problem } | { sentences: string[] }> {
  const refuse = (text: string) => ({ problem: { text, invalid: [] } })
  if (file.size > MOST_BYTES) return refuse(texts.file.tooLarge)
  const bytes = await file.arrayBuffer().catch(() => null)
  if (!bytes) return refuse(texts.file.unreadable)
  const read = readUpload(new Uint8Array(bytes), file.name)
  if ('invalid' in read) return { problem: read }
  const replaced = replacedBy(read.records, skus.list ?? [])
  try {
    await skus.add(read.records)
  } catch (reason) {
    return refuse(messageOf(reason, texts.failed.upload))
  }
  return {
    sentences: [
      texts.file.taken(file.name, read.records.length - replaced, replaced),
      ...read.notices,
    ],
  }
}
