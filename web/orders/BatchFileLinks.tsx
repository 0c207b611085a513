import { IconDownload } from '@tabler/icons-react'
import { Fragment } from 'react'
import type { ReactNode } from 'react'
import type { BatchFileNames } from '#contract/batches.ts'
import { downloadFile, BATCH_FILE_KINDS } from '#contract/downloads.ts'
import type { BatchFileKind } from '#contract/downloads.ts'
import { urlFor } from '#web/client/send.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'
import type { ButtonKind, ButtonSize } from '#web/ui/Button.tsx'

const NAME_FIELD: Record<BatchFileKind, keyof BatchFileNames> = {
  pdf: 'pdfName',
  'result-csv': 'resultCSVName',
  'auto-csv': 'autoConfirmCSVName',
}

export const hasBatchFiles = (names: BatchFileNames | null): names is BatchFileNames =>
  names !== null && BATCH_FILE_KINDS.some(kind => names[NAME_FIELD[kind]])

export const batchFileUrls = (orderId: string, names: BatchFileNames) =>
  BATCH_FILE_KINDS.filter(kind => names[NAME_FIELD[kind]]).map(kind => ({
    kind,
    url: urlFor(downloadFile, { params: { kind, name: orderId } }),
  }))

type BatchFileLinksProps = {
  orderId: string
  names: BatchFileNames
  texts: Record<BatchFileKind, string>
  /** A table row, which holds three of them, has no room for icons. */
  icons?: boolean
  size?: ButtonSize
  /** Default: that of a button. */
  kind?: ButtonKind
  /** `ink` where opening the PDF is the main action. */
  pdfKind?: ButtonKind
  unavailableReason?: string | null
  print?: ReactNode
  /** For screen readers: whose files they are. */
  owner?: string
}

/**
 * Download links for the files that have names; each opens in a new tab. `unavailableReason`: why the
 * files can't be opened. `print`: print options, beside the PDF.
 */
export function BatchFileLinks({
  orderId,
  names,
  texts,
  icons = false,
  size = 'small',
  kind: otherKind,
  pdfKind = otherKind,
  unavailableReason,
  print,
  owner,
}: BatchFileLinksProps) {
  const icon = icons && <IconDownload aria-hidden="true" />
  return batchFileUrls(orderId, names).map(({ kind, url }) =>
    unavailableReason ? (
      <Button key={kind} size={size} icon={icon} disabledReason={unavailableReason}>
        {texts[kind]}
      </Button>
    ) : (
      <Fragment key={kind}>
        <ButtonLink
          kind={kind === 'pdf' ? pdfKind : otherKind}
          size={size}
          target="_blank"
          href={url}
          icon={icon}
          aria-description={owner}
        >
          {texts[kind]}
        </ButtonLink>
        {kind === 'pdf' && print}
      </Fragment>
    ),
  )
}
