import type { TextInputProps } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { IconButton } from './Button.tsx'
import { cx } from './cx.ts'
import { TextField } from './Field.tsx'
import type { FieldError } from './Field.tsx'
import { onFiltersCleared } from './filters-cleared.ts'
import { texts } from './texts.ts'
import styles from './SearchField.module.css'

/** The search runs after this pause in typing, or at once on Enter. */
const TYPING_PAUSE_MS = 300
/** The longest search that any list accepts. */
const MAX_SEARCH_LENGTH = 200

type SearchFieldProps = Pick<TextInputProps, 'id' | 'inputMode' | 'className' | 'onFocus'> & {
  label: string
  /** Placeholder that says what can be found. */
  hint?: string
  /** The list's current search. */
  search: string
  onSearch: (words: string) => void
  /** Announced to screen readers: the number of results; '' without a search. */
  foundText?: string
  /** False shows the label above, as in a row of fields. */
  hideLabel?: boolean
  /** With a button that empties the field. */
  clearable?: boolean
  /** Why this search cannot find anything. */
  error?: FieldError
}

export function SearchField({
  label,
  hint,
  search,
  onSearch,
  foundText = '',
  hideLabel = true,
  clearable = false,
  error,
  id,
  inputMode,
  className,
  onFocus,
}: SearchFieldProps) {
  const [draft, setDraft] = useState(search)
  const [known, setKnown] = useState(search)
  const [sent, setSent] = useState(search)
  // The search can change without typing, by Back or a reset button. Text typed while our own search is pending stays.
  if (search !== known) {
    setKnown(search)
    setSent(search)
    if (search !== sent) setDraft(search)
  }
  const words = draft.trim()
  const run = (search: string) => {
    setSent(search)
    onSearch(search)
  }
  const go = () => run(words)
  const input = useRef<HTMLInputElement>(null)
  const empty = () => {
    setDraft('')
    run('')
    input.current?.focus()
  }
  useEffect(() => {
    if (words === sent) return
    const timer = setTimeout(go, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  })
  useEffect(
    () =>
      onFiltersCleared(() => {
        setDraft('')
        setSent('')
      }),
    [],
  )
  return (
    <form
      role="search"
      aria-label={label}
      className={cx(styles.search, className)}
      data-clearable={clearable || undefined}
      onSubmit={event => {
        event.preventDefault()
        go()
      }}
    >
      <TextField
        ref={input}
        id={id}
        label={label}
        hideLabel={hideLabel}
        error={error}
        type="search"
        placeholder={hint}
        maxLength={MAX_SEARCH_LENGTH}
        inputMode={inputMode}
        onFocus={onFocus}
        leftSection={<IconSearch aria-hidden="true" className={styles.glass} />}
        rightSection={
          clearable
          && draft !== '' && (
            <IconButton name={texts.clearSearch} tooltip={false} onClick={empty}>
              <IconX aria-hidden="true" />
            </IconButton>
          )
        }
        value={draft}
        onChange={event => setDraft(event.currentTarget.value)}
      />
      <span className="visually-hidden" role="status">
        {foundText}
      </span>
    </form>
  )
}
