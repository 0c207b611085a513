import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { countText } from '#contract/format.ts'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import type { BulkDraft } from './drafts/draft.ts'
import { gridTexts } from './grid/texts.ts'
import { sharedSender } from './grid/use-grid-columns.ts'
import { texts } from './texts.ts'
import styles from './Bulk.module.css'
import folds from './Fold.module.css'

type SetupFoldProps = { draft: BulkDraft; children: ReactNode }

/** Sender and files of the table. On phones they are one line once there are rows. */
export function SetupFold({ draft, children }: SetupFoldProps) {
  const { key, rows, files } = draft
  const phone = useIsPhone()
  const [state, setState] = useState({ key, opened: false })
  const sender = useMemo(() => (phone ? sharedSender(rows) : null), [phone, rows])
  // The same box with and without rows: a list that is open when rows arrive stays open.
  if (!phone) return <div className={styles.setup}>{children}</div>
  if (rows.length === 0) return children
  const opened = state.key === key && state.opened
  const facts = [
    files.length > 1 ? countText(files.length, 'file') : files[0]?.name,
    countText(rows.length, 'row'),
  ]
  return (
    <details
      className={folds.fold}
      open={opened}
      onToggle={event => setState({ key, opened: event.currentTarget.open })}
    >
      <summary aria-label={texts.setup(facts.filter(Boolean).join(', '))} data-first-focus>
        <span>{facts.filter(Boolean).join(' · ')}</span>
      </summary>
      <div>
        {sender !== null && (
          <p>
            {gridTexts.from} <b>{sender}</b>
          </p>
        )}
        {children}
      </div>
    </details>
  )
}
