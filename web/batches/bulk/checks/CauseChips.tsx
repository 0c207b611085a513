/** Causes of errors or warnings, each with how many rows it has, its rows alone, and its remedies. */
import { useState } from 'react'
import type { ReactNode } from 'react'
import { texts } from '#web/batches/bulk/texts.ts'
import { Button } from '#web/ui/Button.tsx'
import { fadeAtEdges } from '#web/ui/fade-at-edges.ts'
import { warningTexts } from './texts.ts'
import styles from './CauseChips.module.css'

/** More in one line would never be seen. */
const MAX_CHIPS = 4

type CauseChipsProps = {
  name: string
  tone: 'red' | 'yellow'
  before?: ReactNode
  after?: ReactNode
  children: readonly ReactNode[]
}

/** One line, which is moved sideways; all causes are shown on demand. */
export function CauseChips({ name, tone, before, after, children }: CauseChipsProps) {
  const [all, setAll] = useState(false)
  const listed = all ? children : children.slice(0, MAX_CHIPS)
  const hidden = children.length - listed.length
  return (
    <section
      className={styles.causes}
      data-tone={tone}
      data-all={all || undefined}
      aria-label={name}
    >
      {before}
      <ul ref={fadeAtEdges} className={styles.chips}>
        {listed}
        {children.length > MAX_CHIPS && (
          <li>
            <Button size="small" kind="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? texts.causes.fewer : texts.causes.more(hidden)}
            </Button>
          </li>
        )}
      </ul>
      {after}
    </section>
  )
}

type CauseChipProps = {
  text: string
  isShown: boolean
  onShow: () => void
  children: ReactNode
}

export function CauseChip({ text, isShown, onShow, children }: CauseChipProps) {
  const show = isShown ? warningTexts.showAll : warningTexts.show
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
