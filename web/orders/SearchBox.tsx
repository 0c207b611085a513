import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { TextField } from '#web/ui/Field.tsx'
import styles from './Orders.module.css'
import { texts } from './texts.ts'

/** The search follows the typing when it rests for a moment, and Enter at once. */
const RESTS_MS = 300
/** As long as the contract takes. */
const MOST_LETTERS = 200

type Props = { search: string, onSearch: (words: string) => void, found: string }

/** Finds orders by tracking number, order id or name. `found` is said to those who listen. */
export function SearchBox({ search, onSearch, found }: Props) {
  const [draft, setDraft] = useState(search)
  const [known, setKnown] = useState(search)
  const [sent, setSent] = useState(search)
  // The search may change without typing: Back, or 'Show all orders'. What was typed while ours was on its way stays.
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
    const timer = setTimeout(go, RESTS_MS)
    return () => clearTimeout(timer)
  })
  return (
    <form role="search" className={styles.search} onSubmit={event => {
      event.preventDefault()
      go()
    }}>
      <TextField label={texts.search} hideLabel error={null} type="search" placeholder={texts.searchHint} maxLength={MOST_LETTERS}
        leftSection={<IconSearch aria-hidden="true" className={styles.glass} />}
        value={draft} onChange={event => setDraft(event.currentTarget.value)} />
      <span className="visually-hidden" role="status">{found}</span>
    </form>
  )
}
