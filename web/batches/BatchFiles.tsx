import { IconDownload } from '@tabler/icons-react'
import { Fragment } from 'react'
import type { ReactNode } from 'react'
import { download, FILE_KINDS } from '#contract/orders.ts'
import type { FileKind } from '#contract/orders.ts'
import type { BatchFiles as Names } from '#contract/progress.ts'
import { addressOf } from '#web/client/send.ts'
import { Button, ButtonLink } from '#web/ui/Button.tsx'

const NAME_OF: Record<FileKind, keyof Names> = {
  pdf: 'pdfName',
  'result-csv': 'resultCSVName',
  'auto-csv': 'autoConfirmCSVName',
}

/** Whether any file of the order has a name. */
export const hasFiles = (names: Names | null): names is Names =>
  names !== null && FILE_KINDS.some(kind => names[NAME_OF[kind]])

type Props = {
  orderId: string
  names: Names
  words: Record<FileKind, string>
  size?: 'small' | 'normal'
  missing?: string | null
  print?: ReactNode
}

/**
 * Download buttons, only for files that have names (specification, 2); each opens in a new tab. `words` are what they read;
 * small ones go without their icon, three of them stand in a row of a table. `missing`: why there is nothing behind the names.
 * `print`: other ways to print the labels, beside their PDF.
 */
export function BatchFiles({ orderId, names, words, size = 'normal', missing, print }: Props) {
  const icon = size === 'normal' && <IconDownload aria-hidden="true" />
  return FILE_KINDS.filter(kind => names[NAME_OF[kind]]).map(kind =>
    missing ? (
      <Button key={kind} size={size} icon={icon} disabledReason={missing}>
        {words[kind]}
      </Button>
    ) : (
      <Fragment key={kind}>
        <ButtonLink
          size={size}
          target="_blank"
          href={addressOf(download, { params: { kind, name: orderId } })}
          icon={icon}
        >
          {words[kind]}
        </ButtonLink>
        {kind === 'pdf' && print}
      </Fragment>
    ),
  )
}
