import { IconDownload } from '@tabler/icons-react'
import { priceTableFile } from '#contract/price-tables.ts'
import type { TableFormat } from '#contract/table-files.ts'
import { saveApiFile } from '#web/client/api-files.ts'
import { useToastedAction } from '#web/client/use-action.ts'
import { Button } from '#web/ui/Button.tsx'
import { texts } from './texts.ts'

type DownloadButtonProps = {
  userId: string | undefined
  format: TableFormat
  content?: 'prices' | 'costs'
}

/** Saves the prices, or the costs, of all services as a file. */
export function DownloadButton({ userId, format, content = 'prices' }: DownloadButtonProps) {
  const [busy, run] = useToastedAction(texts.downloadFailed)
  const query = { userId, format, content }
  return (
    <Button
      size="small"
      busy={busy}
      icon={<IconDownload aria-hidden="true" />}
      onClick={() =>
        run(() => saveApiFile(priceTableFile, { query }, new AbortController().signal))
      }
    >
      {content === 'costs'
        ? texts.costs.download
        : format === 'csv'
          ? texts.downloadCsv
          : texts.downloadXlsx}
    </Button>
  )
}
