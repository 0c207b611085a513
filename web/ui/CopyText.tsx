import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import styles from './CopyText.module.css'
import { texts } from './texts.ts'

/** How long 'Copied!' stands (specification, 9). */
const SAID_FOR_MS = 1500

type CopyTextProps = {
  value: string
  children?: ReactNode
  copied?: string
  /** Where the visible text alone would not say what it is. Must contain it. */
  name?: string
}

/**
 * A text in mono that copies itself on click. The bubble is a polite live region, so it is seen and heard once.
 * `children` may show the text differently (in groups, shortened); `value` is what is copied. The visible text is the button's name.
 */
export function CopyText({ value, children, copied = texts.copied, name }: CopyTextProps) {
  const [said, setSaid] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const say = (text: string) => {
    setSaid(text)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setSaid(null), SAID_FOR_MS)
  }
  const copy = async () => say((await copyToClipboard(value)) ? copied : texts.copyByHand)
  return (
    <span className={styles.whole}>
      <button type="button" className={styles.text} onClick={copy} aria-label={name} title={texts.copy(value)}>{children ?? value}</button>
      <span role="status" className={styles.said} data-shown={said !== null || undefined}>{said}</span>
    </span>
  )
}

/** Copies; over plain http the clipboard is closed to pages, so a selected field does it there. */
async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    const opener = document.activeElement as HTMLElement | null
    field.value = text
    field.className = 'visually-hidden'
    document.body.append(field)
    field.select()
    const done = document.execCommand('copy')
    field.remove()
    opener?.focus()
    return done
  }
}
