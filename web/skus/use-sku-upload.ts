import { useState } from 'react'
import { messageOf } from '#web/client/send.ts'
import { toastError, toastSuccess } from '#web/ui/toasts.ts'
import { readSkuFile, countReplaced } from './sku-file.ts'
import type { SkuFileProblem } from './sku-file.ts'
import { texts } from './texts.ts'
import type { Skus } from './use-skus.ts'

/** The server accepts no larger body (contract/skus.ts). */
const MAX_UPLOAD_BYTES = 8 * 1024 * 1024

export type SkuUploadResult = { file: string } & (
  | { problem: SkuFileProblem }
  | { sentences: string[] }
)

export function useSkuUpload(skus: Skus) {
  const [busy, setBusy] = useState(false)
  const [result, setResult] = useState<SkuUploadResult | null>(null)

  const uploadFile = async (file: File) => {
    if (busy) return
    setBusy(true)
    setResult(null)
    try {
      const outcome = await uploadSkuFile(file, skus)
      setResult({ file: file.name, ...outcome })
      if ('problem' in outcome) toastError(texts.failed.upload)
      else toastSuccess(texts.done.upload)
    } finally {
      setBusy(false)
    }
  }
  return { busy, result, uploadFile, dismiss: () => setResult(null) }
}

async function uploadSkuFile(
  file: File,
  skus: Skus,
): Promise<{ problem: SkuFileProblem } | { sentences: string[] }> {
  const refuse = (text: string) => ({ problem: { text, invalid: [] } })
  if (file.size > MAX_UPLOAD_BYTES) return refuse(texts.file.tooLarge)
  const bytes = await file.arrayBuffer().catch(() => null)
  if (!bytes) return refuse(texts.file.unreadable)
  const read = readSkuFile(new Uint8Array(bytes), file.name)
  if ('invalid' in read) return { problem: read }
  const replaced = countReplaced(read.records, skus.list ?? [])
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
