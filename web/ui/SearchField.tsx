import type { TextInputProps } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { cx } from './cx.ts'
import { TextField } from './Field.tsx'
import type { FieldError } from './Field.tsx'
import styles from './SearchField.module.css'

/** The search follows the typing when it rests for a moment, and Enter at once. */
const TYPING_PAUSE_MS = 300
/** As long as any list's search may be. */
const MAX_SEARCH_LENGTH = 200

type SearchFieldProps = Pick<TextInputProps, 'inputMode' | 'className'> & {
  label: string
  /** What can be found, as the placeholder. */
  hint?: string
  /** What the list is narrowed to now. */
  search: string
  onSearch: (words: string) => void
  /** Said to those who listen: how much was found; '' while nothing is searched. */
  foundText?: string
  /** False: the label stands above, as in a row of fields. */
  hideLabel?: boolean
  /** Why nothing can be found by these words. */
  error?: FieldError
}

/** Narrows a list by typed words. */
export function SearchField({
  label,
  hint,
  search,
  onSearch,
  foundText = '',
  hideLabel = true,
  error,
  inputMode,
  className,
}: SearchFieldProps) {
  const [draft, setDraft] = useState(search)
  const [known, setKnown] = useState(search)
  const [sent, setSent] = useState(search)
  // The search may change without typing: Back, or a button that shows all. What was typed while ours was on its way stays.
  if (search !== known) {
    setKnown(search)
    setSent(search)
    if (search !== sent) setDraft(search)
  }
  const words = draft.trim()
  const go = () => {
    setSent(words)
    onSearch(words)
  }
  useEffect(() => {
    if (words === sent) return
    const timer = setTimeout(go, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  })
  return (
    <form
      role="search"
      aria-label={label}
      className={cx(styles.search, className)}
      onSubmit={event => {
        event.preventDefault()
        go()
      }}
    >
      <TextField
        label={label}
        hideLabel={hideLabel}
        error={error}
        type="search"
        placeholder={hint}
        maxLength={MAX_SEARCH_LENGTH}
        inputMode={inputMode}
        leftSection={<IconSearch aria-hidden="true" className={styles.glass} />}
        value={draft}
        onChange={event => setDraft(event.currentTarget.value)}
      />
      <span className="visually-hidden" role="status">
        {foundText}
      </span>
    </form>
  )
}
