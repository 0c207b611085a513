import { IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { IconButton } from '#web/ui/Button.tsx'
import type { Printable } from './print-options.ts'
import { PrintDialog } from './PrintDialog.tsx'
import { texts } from './texts.ts'

type PrintControls = {
  /** Placed beside the link to the PDF. */
  button: (printable: Printable, large?: boolean, quiet?: boolean) => ReactNode
  /** Shows the dialog, from a menu. */
  open: (printable: Printable) => void
  /** Placed anywhere in the page except in a row: a refreshed list may remove the row. */
  dialog: ReactNode
}

/** The print options of labels and bulk orders, beside the PDF of their link. */
export function usePrinting(): PrintControls {
  const [printable, setPrintable] = useState<Printable | null>(null)
  return {
    open: setPrintable,
    button: (one, large = false, quiet = false) => (
      <IconButton
        name={texts.options(one.name)}
        tooltip={false}
        large={large}
        outline={!quiet}
        aria-haspopup="dialog"
        onClick={() => setPrintable(one)}
      >
        <IconPrinter aria-hidden="true" />
      </IconButton>
    ),
    dialog: <PrintDialog printable={printable} onClose={() => setPrintable(null)} />,
  }
}
