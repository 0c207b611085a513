import { IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from './Button.tsx'
import { TONE_ICON } from './ErrorLine.tsx'
import { texts } from './texts.ts'
import type { ToastItem } from './toasts.ts'
import { dismissToast, useToasts } from './toasts.ts'
import styles from './Toasts.module.css'

const EXIT_MS = 300

/**
 * In the header's middle, at the bottom of a small screen, above an open dialog: it covers no button. A live region, so it is
 * always mounted.
 */
export function Toasts() {
  const items = useToasts(store => store.items)
  return (
    <div
      className={styles.corner}
      role="status"
      aria-live="polite"
      aria-relevant="additions text"
      aria-atomic="false"
    >
      {items.map(item => (
        <Toast key={item.id} item={item} />
      ))}
    </div>
  )
}

/** Its timer pauses while it is hovered or focused. */
function Toast({ item }: { item: ToastItem }) {
  const [held, setHeld] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const left = useRef(item.lifeMs)

  useEffect(() => {
    if (held || leaving) return
    const started = Date.now()
    const timer = setTimeout(() => setLeaving(true), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= Date.now() - started
    }
  }, [held, leaving])

  useEffect(() => {
    if (!leaving) return
    const timer = setTimeout(() => dismissToast(item.id), EXIT_MS)
    return () => clearTimeout(timer)
  }, [leaving, item.id])

  const Icon = TONE_ICON[item.tone]
  return (
    <div
      className={styles.toast}
      data-tone={item.tone}
      data-leaving={leaving || undefined}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon aria-hidden="true" className={styles.icon} />
      <span className={styles.text}>{item.text}</span>
      <IconButton name={texts.dismiss} tooltip={false} onClick={() => setLeaving(true)}>
        <IconX aria-hidden="true" />
      </IconButton>
    </div>
  )
}
