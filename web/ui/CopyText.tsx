import { IconCopy } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { ComponentProps, ReactNode } from 'react'
import { Button } from './Button.tsx'
import { TextAreaField, TextField } from './Field.tsx'
import { texts } from './texts.ts'
import styles from './CopyText.module.css'

const COPIED_MESSAGE_MS = 1500

type CopyTextProps = {
  value: string
  children?: ReactNode
  /** Accessible name where the visible text is not clear enough. It must contain the visible text. */
  name?: string
}

/** `bubble` shows the result of `copy` for a moment. */
function useCopy(value: string) {
  const [message, setMessage] = useState<string | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const copy = async () => {
    setMessage((await copyToClipboard(value)) ? texts.copied : texts.copyByHand)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setMessage(null), COPIED_MESSAGE_MS)
  }
  /** A polite live region. Its parent needs `position: relative`. */
  const bubble = (
    <span role="status" className={styles.message} data-shown={message !== null || undefined}>
      {message}
    </span>
  )
  return { copy, bubble }
}

/** Text in mono that copies `value` on click. `children` may show it differently, for example in groups. */
export function CopyText({ value, children, name }: CopyTextProps) {
  const { copy, bubble } = useCopy(value)
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

type CopyButtonProps = {
  value: string
  children: ReactNode
  /** Accessible name. It must contain the visible text. */
  name: string
  size?: ComponentProps<typeof Button>['size']
}

/** Copies text that stands elsewhere. */
export function CopyButton({ value, children, name, size }: CopyButtonProps) {
  const { copy, bubble } = useCopy(value)
  return (
    <span className={styles.whole}>
      <Button size={size} icon={<IconCopy />} onClick={copy} aria-label={name}>
        {children}
      </Button>
      {bubble}
    </span>
  )
}

type CopyFieldProps = {
  label: string
  /** Null while loading. */
  value: string | null
  /** Of the button: `ink` where copying is the main action of the page. */
  kind?: ComponentProps<typeof Button>['kind']
  /** A long value takes several lines instead of being cut, and on phones the whole width. */
  wraps?: boolean
}

/** A read-only field that selects its text on focus, with a Copy button. */
export function CopyField({ label, value, kind, wraps = false }: CopyFieldProps) {
  const { copy, bubble } = useCopy(value ?? '')
  const field = {
    label,
    error: null,
    readOnly: true,
    value: value ?? '',
    placeholder: texts.loading,
    className: styles.value,
  }
  return (
    <div className={styles.field} data-long={wraps || undefined}>
      {wraps ? (
        <TextAreaField {...field} rows={1} onFocus={event => event.currentTarget.select()} />
      ) : (
        <TextField {...field} onFocus={event => event.currentTarget.select()} />
      )}
      <span className={styles.whole}>
        <Button
          kind={kind}
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

/**
 * Returns whether it worked. Over plain http the Clipboard API is unavailable; there a selected text
 * area is copied.
 */
export async function copyToClipboard(text: string): Promise<boolean> {
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
