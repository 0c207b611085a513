/** The columns that the user has matched before, with a way to delete them. */
import { IconBookmark } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteMapping } from '#contract/imports.ts'
import { SavedItem, SavedList } from '#web/batches/SavedList.tsx'
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

const t = texts.saved

/** A button that opens the list; nothing while no columns are saved. */
export function SavedColumns() {
  const { _id: userId } = useUser()
  const { data } = useQuery(importsQuery(userId))
  const [opened, setOpened] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [removing, setRemoving] = useState<readonly string[]>([])
  const mappings = data?.mappings ?? []
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
        {mappings.length > 0 && <p>{t.hint}</p>}
        <ErrorLine>{error}</ErrorLine>
        <SavedList name={t.title} count={mappings.length} empty={t.none}>
          {mappings.map(({ fingerprint, name, usedAt }) => (
            <SavedItem key={fingerprint} name={name} details={t.usedOn(dateText(usedAt))}>
              <Button
                size="small"
                kind="quiet"
                busy={removing.includes(fingerprint)}
                aria-label={t.removeName(name)}
                onClick={() => void remove(fingerprint, name)}
              >
                {t.remove}
              </Button>
            </SavedItem>
          ))}
        </SavedList>
      </Dialog>
    </>
  )
}
