/** The columns that the user has matched before, with a way to delete them. */
import { IconBookmark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { deleteMapping } from '#contract/imports.ts'
import { queryClient } from '#web/client/query-client.ts'
import { messageOf, send } from '#web/client/send.ts'
import { useUser } from '#web/client/session.ts'
import { Button } from '#web/ui/Button.tsx'
import { dateText } from '#web/ui/date-text.ts'
import { Dialog } from '#web/ui/Dialog.tsx'
import { ErrorLine } from '#web/ui/ErrorLine.tsx'
import { toastSuccess } from '#web/ui/toasts.ts'
import { importsQuery } from './column-memory.ts'
import { texts } from './texts.ts'
import styles from './SavedColumns.module.css'

const t = texts.saved

/** A button that opens the list; nothing while no columns are saved. */
export function SavedColumns() {
  const { _id: userId } = useUser()
  const { data } = useQuery(importsQuery(userId))
  const [opened, setOpened] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [removing, setRemoving] = useState<readonly string[]>([])
  const hint = useRef<HTMLParagraphElement>(null)
  const mappings = data?.mappings ?? []
  // Deleted columns take their button away, with the focus.
  useEffect(() => {
    if (document.activeElement === document.body) hint.current?.focus({ preventScroll: true })
  }, [mappings.length])
  const remove = async (fingerprint: string, name: string) => {
    setError(null)
    setRemoving(now => [...now, fingerprint])
    try {
      await send(deleteMapping, { params: { userId, fingerprint } })
      toastSuccess(t.removed(name))
    } catch (reason) {
      setError(messageOf(reason, t.failed))
    }
    await queryClient.invalidateQueries({ queryKey: importsQuery(userId).queryKey })
    setRemoving(now => now.filter(one => one !== fingerprint))
  }
  if (mappings.length === 0 && !opened) return null
  return (
    <>
      <Button size="small" kind="quiet" icon={<IconBookmark />} onClick={() => setOpened(true)}>
        {t.button}
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={t.title}>
        <p ref={hint} tabIndex={-1}>
          {mappings.length > 0 ? t.hint : t.none}
        </p>
        <ErrorLine>{error}</ErrorLine>
        {mappings.length > 0 && (
          <ul className={styles.list}>
            {mappings.map(({ fingerprint, name, usedAt }) => (
              <li key={fingerprint} className={styles.item}>
                <span className={styles.text}>
                  <b>{name}</b>
                  <span>{t.usedOn(dateText(usedAt))}</span>
                </span>
                <Button
                  size="small"
                  kind="quiet"
                  busy={removing.includes(fingerprint)}
                  aria-label={t.removeName(name)}
                  onClick={() => void remove(fingerprint, name)}
                >
                  {t.remove}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Dialog>
    </>
  )
}
