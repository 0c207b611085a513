import { IconCopy } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { TextField } from './Field.tsx'
import { texts } from './texts.ts'
import styles from './CopyText.module.css'

/** How long 'Copied!' stands (specification, 9). */
const COPIED_MESSAGE_MS = 1500

type CopyTextProps = {
  value: string
  children?: ReactNode
  copied?: string
  /** Where the visible text alone would not say what it is. Must contain it. */
  name?: string
}

/** Copies `value` when asked, and holds for a moment what there is to say about it. */
function useCopy(value: string, copied: string) {
  const [said, setSaid] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async () => {
    setSaid((await copyToClipboard(value)) ? copied : texts.copyByHand)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setSaid(null), COPIED_MESSAGE_MS)
  }
  /** A polite live region, so it is seen and heard once. Stands in an element that is `position: relative`. */
  const bubble = (
    <span role="status" className={styles.said} data-shown={said !== null || undefined}>
      {said}
    </span>
  )
  return { copy, bubble }
}

/**
 * A text in mono that copies itself on click. `children` may show the text differently (in groups, shortened); `value` is what is
 * copied. The visible text is the button's name.
 */
export function CopyText({ value, children, copied = texts.copied, name }: CopyTextProps) {
  const { copy, bubble } = useCopy(value, copied)
  return (
    <span className={styles.whole}>
      <button
        type="button"
        className={styles.text}
        onClick={copy}
        aria-label={name}
        title={texts.copy(value)}
      >
        {children ?? value}
      </button>
      {bubble}
    </span>
  )
}

type CopyFieldProps = {
  label: string
  /** Null while it is not known yet. */
  value: string | null
}

/** A text to hand on: a field that cannot be changed, selected by a click into it, and a button beside it that copies it. */
export function CopyField({ label, value }: CopyFieldProps) {
  const { copy, bubble } = useCopy(value ?? '', texts.copied)
  return (
    <div className={styles.field}>
      <TextField
        label={label}
        error={null}
        readOnly
        value={value ?? ''}
        placeholder={texts.loading}
        className={styles.value}
        onFocus={event => event.currentTarget.select()}
      />
      <span className={styles.whole}>
        <Button
          size="large"
          icon={<IconCopy />}
          onClick={copy}
          disabledReason={value === null ? texts.loading : null}
          aria-label={texts.copy(label)}
        >
          {texts.copyIt}
        </Button>
        {bubble}
      </span>
    </div>
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
