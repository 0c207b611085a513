import { Tooltip } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { texts } from '#web/batches/texts.ts'
import { overlayViewFor } from './overlay-view.ts'
import type { ProgressState } from './progress-state.ts'
import { maximize } from './progress-store.ts'
import styles from './Progress.module.css'

const t = texts.overlay
/** '278/412', from 10,000 on '8.4K/10K', because the card is 80 px wide. */
const COMPACT_NUMBER = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumFractionDigits: 1,
})
const compactCountText = (n: number, total: number) =>
  total < 10_000 ? String(n) : COMPACT_NUMBER.format(n)

/**
 * The accessible name has this text. On focus, which a closing dialog hands over, the tooltip would
 * be in the way.
 */
const TOOLTIP_EVENTS = { hover: true, focus: false, touch: false }

/** The small card in the corner: one button that opens the overlay. */
export function ProgressCard({
  state,
  takesFocus,
  children,
}: {
  state: ProgressState
  takesFocus: boolean
  children: ReactNode
}) {
  const button = useRef<HTMLButtonElement>(null)
  // The focus was in the dialog that became this card.
  useEffect(() => {
    if (takesFocus) button.current?.focus({ preventScroll: true })
  }, [takesFocus])
  const view = overlayViewFor(state)
  const { processedCount, totalCount } = state
  const figures = `${compactCountText(processedCount, totalCount)}/${compactCountText(totalCount, totalCount)}`
  const percentTitle = view.percentText ? `${view.title} ${view.percentText}` : view.title
  return (
    <aside className={styles.dock} aria-label={t.name}>
      {children}
      <Tooltip
        label={view.eta ? `${view.title}: ${view.eta}` : view.title}
        position="left"
        withinPortal={false}
        events={TOOLTIP_EVENTS}
      >
        <button
          ref={button}
          type="button"
          className={styles.card}
          data-tone={view.tone}
          onClick={maximize}
          aria-label={`${t.expand}: ${[percentTitle, figures, view.eta].filter(Boolean).join(', ')}`}
        >
          <span className={styles.ring}>
            <svg viewBox="0 0 52 52" aria-hidden="true">
              <circle className={styles.track} cx="26" cy="26" r="23" />
              <circle
                className={styles.arc}
                cx="26"
                cy="26"
                r="23"
                pathLength="100"
                strokeDasharray={`${view.percentage} 100`}
              />
            </svg>
            <span className={styles.ringText}>
              {view.percentText ?? <IconAlertCircle aria-hidden="true" />}
            </span>
          </span>
          <span className={styles.figures}>{figures}</span>
        </button>
      </Tooltip>
    </aside>
  )
}
