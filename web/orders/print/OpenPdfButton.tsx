import { IconFileTypePdf } from '@tabler/icons-react'
import { downloadFile } from '#contract/downloads.ts'
import { urlFor } from '#web/client/send.ts'
import { Button } from '#web/ui/Button.tsx'
import type { ButtonKind, ButtonSize } from '#web/ui/Button.tsx'

type OpenPdfButtonProps = {
  /** The bulk order. */
  orderId: string
  children: string
  kind: ButtonKind
  size: ButtonSize
}

/** Opens the 4x6 PDF of a bulk order in a new tab. */
export function OpenPdfButton({ orderId, children, kind, size }: OpenPdfButtonProps) {
  const open = () =>
    window.open(
      urlFor(downloadFile, { params: { kind: 'pdf', name: orderId } }),
      '_blank',
      'noopener',
    )
  return (
    <Button
      kind={kind}
      size={size}
      icon={size !== 'small' && <IconFileTypePdf aria-hidden="true" />}
      onClick={open}
    >
      {children}
    </Button>
  )
}
