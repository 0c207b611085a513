/** A switch that acts at once. Where the server may refuse, change `checked` only after its response. */
import { Tooltip } from '@mantine/core'
import { Spinner } from './Button.tsx'
import styles from './Switch.module.css'

type SwitchProps = {
  /** The same in both states. */
  label: string
  /** Accessible name where several switches share a label; begins with the label. */
  name?: string
  checked: boolean
  onChange: (checked: boolean) => void
  busy?: boolean
  /** Why it cannot be switched now; it stays focusable and says so. */
  disabledReason?: string | null
}

export function Switch({
  label,
  name,
  checked,
  onChange,
  busy = false,
  disabledReason,
}: SwitchProps) {
  const closed = Boolean(disabledReason)
  const description = { 'aria-description': disabledReason ?? undefined }
  return (
    <Tooltip label={disabledReason} disabled={!closed} withinPortal={false}>
      <button
        {...description}
        type="button"
        role="switch"
        aria-checked={checked}
        aria-label={name}
        className={styles.switch}
        aria-disabled={closed || busy || undefined}
        aria-busy={busy || undefined}
        data-closed={closed || undefined}
        onClick={() => busy || closed || onChange(!checked)}
      >
        <span className={styles.track} aria-hidden="true">
          <span className={styles.thumb}>{busy && <Spinner />}</span>
        </span>
        <span>{label}</span>
      </button>
    </Tooltip>
  )
}
