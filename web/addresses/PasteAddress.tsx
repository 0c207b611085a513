/** A pasted address fills the fields of one side. Read in the page; nothing is sent. */
import { useEffect, useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { loadPlaces } from '#contract/zip-places.ts'
import { Button } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/ErrorLine.tsx'
import { MAX_PASTED_LENGTH, parseAddress } from './parse-address.ts'
import type { PastedAddress } from './parse-address.ts'
import { texts } from './texts.ts'
import styles from './PasteAddress.module.css'

const t = texts.paste

type PasteState = 'closed' | 'open' | 'unread' | { address: PastedAddress }

export type PasteAddress = {
  /** Opens the box. */
  button: ReactNode
  /** The box, or what was read. */
  box: ReactNode
  /** Closes the box: the fields show another address. */
  forget: () => void
  /** Fills the fields and returns true if the text has lines of an address. */
  fillFromLines: (text: string) => boolean
}

/** `isShown`: whether the fields still have this address; its result is hidden after any change. */
export function usePasteAddress(
  fill: (address: PastedAddress) => void,
  isShown: (address: PastedAddress) => boolean,
): PasteAddress {
  const [state, setState] = useState<PasteState>('closed')
  const buttonId = useId()
  /** Counts readings: a late result is ignored once the box was closed or another text was typed. */
  const reading = useRef(0)
  // The box had the focus and is gone.
  const focusButton = () => requestAnimationFrame(() => document.getElementById(buttonId)?.focus())
  const use = (address: PastedAddress) => {
    fill(address)
    setState({ address })
    focusButton()
  }
  const show = (next: 'closed' | 'open') => {
    reading.current++
    setState(next)
  }
  const close = () => {
    show('closed')
    focusButton()
  }
  const missing = typeof state === 'object' ? missingParts(state.address) : []
  const read = async (text: string) => {
    const mine = ++reading.current
    // The table of ZIPs loads only for a text that does not tell its parts apart.
    const plain = parseAddress(text)
    const address =
      plain && missingParts(plain).length === 0
        ? plain
        : parseAddress(text, await loadPlaces().catch(() => undefined))
    if (reading.current !== mine) return
    if (address) use(address)
    else setState('unread')
  }
  const open = state === 'open' || state === 'unread'
  return {
    button: (
      <Button
        size="small"
        id={buttonId}
        aria-expanded={open}
        onClick={() => show(open ? 'closed' : 'open')}
      >
        {t.open}
      </Button>
    ),
    box: open ? (
      <PasteBox
        unread={state === 'unread'}
        onType={() => void reading.current++}
        onRead={read}
        onEscape={close}
      />
    ) : typeof state === 'object' && isShown(state.address) ? (
      <div className={styles.result}>
        <Notice tone={missing.length > 0 ? 'yellow' : 'green'}>
          {missing.length > 0 ? t.partly(missing) : t.done}
        </Notice>
      </div>
    ) : null,
    forget: () => show('closed'),
    fillFromLines: text => {
      if (!/\S\s*[\r\n]+\s*\S/.test(text)) return false
      const address = parseAddress(text)
      if (!address || address.street === '' || address.zip === '') return false
      use(address)
      return true
    },
  }
}

/** The fields that a label needs and the text does not name. */
const missingParts = (address: PastedAddress): string[] =>
  (['name', 'street', 'city', 'state', 'zip'] as const)
    .filter(part => address[part] === '')
    .map(part => texts.fields[part])

function PasteBox({
  unread,
  onType,
  onRead,
  onEscape,
}: {
  unread: boolean
  onType: () => void
  onRead: (text: string) => Promise<void>
  onEscape: () => void
}) {
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <div className={styles.box}>
      <textarea
        ref={field}
        className={styles.text}
        aria-label={t.label}
        aria-invalid={unread || undefined}
        placeholder={t.example}
        rows={4}
        maxLength={MAX_PASTED_LENGTH}
        value={text}
        onChange={event => {
          onType()
          setText(event.currentTarget.value)
        }}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          // The row or form around it stays open.
          event.stopPropagation()
          onEscape()
        }}
        onPaste={event => {
          const pasted = event.clipboardData.getData('text')
          if (text !== '' || pasted.length > MAX_PASTED_LENGTH) return
          event.preventDefault()
          setText(pasted)
          void onRead(pasted)
        }}
      />
      {unread && <Notice tone="red">{t.unread}</Notice>}
      <Button disabledReason={text.trim() === '' ? t.empty : null} onClick={() => onRead(text)}>
        {t.use}
      </Button>
    </div>
  )
}
