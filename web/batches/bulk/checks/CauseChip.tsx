import type { ReactNode } from 'react'
import { Button } from '#web/ui/Button.tsx'
import { warningTexts as texts } from './texts.ts'
import styles from './WarningChips.module.css'

type CauseChipProps = {
  /** How many rows, and why. */
  text: string
  /** The table shows its rows alone. */
  isShown: boolean
  /** Shows its rows alone, or all rows again. */
  onShow: () => void
  /** Remedies. */
  children: ReactNode
}

/** One cause of errors or warnings in a list of chips. */
export function CauseChip({ text, isShown, onShow, children }: CauseChipProps) {
  const show = isShown ? texts.showAll : texts.show
  return (
    <li className={styles.chip} data-shown={isShown || undefined}>
      <span>{text}</span>
      <Button
        size="small"
        kind="quiet"
        aria-pressed={isShown}
        aria-label={`${show}: ${text}`}
        onClick={onShow}
      >
        {show}
      </Button>
      {children}
    </li>
  )
}
