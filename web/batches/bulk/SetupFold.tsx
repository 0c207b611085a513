import { useState } from 'react'
import type { ReactNode } from 'react'
import { countText } from '#contract/format.ts'
import { useIsPhone } from '#web/ui/use-viewport.ts'
import type { BulkDraft } from './drafts/draft.ts'
import { texts } from './texts.ts'
import styles from './Bulk.module.css'

type SetupFoldProps = {
  draft: BulkDraft
  /** Something in it must be decided, as a missing service. */
  isNeeded: boolean
  children: ReactNode
}

/** Service, sender and files of the table. On phones they are one line once there are rows. */
export function SetupFold({ draft, isNeeded, children }: SetupFoldProps) {
  const { key, rows, service, files } = draft
  const phone = useIsPhone()
  const [state, setState] = useState({ key, opened: isNeeded })
  if (!phone || rows.length === 0) return children
  const opened = state.key === key && state.opened
  const facts = [
    service || texts.noServiceYet,
    files.length > 1 ? countText(files.length, 'file') : files[0]?.name,
    countText(rows.length, 'row'),
  ]
  return (
    <details
      className={styles.fold}
      open={opened || isNeeded}
      onToggle={event => setState({ key, opened: event.currentTarget.open })}
    >
      <summary aria-label={texts.setup(facts.filter(Boolean).join(', '))} data-first-focus>
        <span>{facts.filter(Boolean).join(' · ')}</span>
      </summary>
      <div>{children}</div>
    </details>
  )
}
