import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { priceTableFile } from '#contract/price-tables.ts'
import type { TableFormat } from '#contract/table-files.ts'
import { saveApiFile } from '#web/client/api-files.ts'
import { messageOf } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import { toastError } from '#web/ui/toasts.ts'
import { texts } from './texts.ts'

type DownloadButtonProps = {
  userId: string | undefined
  format: TableFormat
  content?: 'prices' | 'costs'
}

/** Saves the prices, or the costs, of all services as a file. */
export function DownloadButton({ userId, format, content = 'prices' }: DownloadButtonProps) {
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const query = { userId, format, content }
      await saveApiFile(priceTableFile, { query }, new AbortController().signal)
    } catch (reason) {
      toastError(messageOf(reason, texts.downloadFailed))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      size="small"
      busy={busy}
      icon={<IconDownload aria-hidden="true" />}
      onClick={() => void download()}
    >
      {content === 'costs'
        ? texts.costs.download
        : format === 'csv'
          ? texts.downloadCsv
          : texts.downloadXlsx}
    </Button>
  )
}
