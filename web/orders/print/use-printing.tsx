import { IconPrinter } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { IconButton } from '#web/ui/Button.tsx'
import type { Printable } from './print-options.ts'
import { PrintDialog } from './PrintDialog.tsx'
import { texts } from './texts.ts'

type PrintControls = {
  /** Beside the link to a thing's PDF. */
  button: (thing: Printable, large?: boolean) => ReactNode
  /** Has its place anywhere in the page, but not within a row: rows come and go while one chooses. */
  dialog: ReactNode
}

/** The ways to print a label or a bulk order other than the PDF of its link. */
export function usePrinting(): PrintControls {
  const [thing, setThing] = useState<Printable | null>(null)
  return {
    button: (one, large) => (
      <IconButton
        name={texts.options(one.name)}
        tooltip={false}
        large={large}
        aria-haspopup="dialog"
        onClick={() => setThing(one)}
      >
        <IconPrinter aria-hidden="true" />
      </IconButton>
    ),
    dialog: <PrintDialog thing={thing} onClose={() => setThing(null)} />,
  }
}
