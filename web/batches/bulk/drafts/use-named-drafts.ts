import { useEffect, useState } from 'react'
import { texts } from '#web/batches/bulk/texts.ts'
import { useBulk, withSubmission } from './bulk-store.ts'
import {
  deleteNamedDrafts,
  listNamedDrafts,
  MAX_NAMED_DRAFTS,
  readNamedDraft,
  readSubmission,
  saveNamedDraft,
} from './draft-storage.ts'
import type { NamedDraft } from './draft-storage.ts'
import type { BulkDraft } from './draft.ts'
import { EMPTY_BULK_DRAFT } from './draft.ts'

const t = texts.drafts

/** The drafts that the user named in this browser. `error`: why the last action failed. */
export type NamedDrafts = {
  list: readonly NamedDraft[]
  error: string | null
  /** The table under this name, in place of an older draft of the name. False if it failed. */
  save: (name: string) => Promise<boolean>
  /** Null if the draft is gone. */
  open: (name: string) => Promise<BulkDraft | null>
  remove: (name: string) => Promise<void>
}

export function useNamedDrafts(userId: string): NamedDrafts {
  const [list, setList] = useState<readonly NamedDraft[]>([])
  const [error, setError] = useState<string | null>(null)
  // An accepted table takes its drafts with it.
  const key = useBulk(bulk => bulk.draft.key)
  useEffect(() => {
    let isCurrent = true
    void listNamedDrafts(userId)
      .then(found => isCurrent && setList(found))
      .catch(() => isCurrent && setError(t.unread))
    return () => {
      isCurrent = false
    }
  }, [userId, key])

  const show = (next: readonly NamedDraft[] | null): boolean => {
    setError(next === null ? t.failed : null)
    if (next) setList(next)
    return next !== null
  }
  const save = async (name: string): Promise<boolean> => {
    const known = await listNamedDrafts(userId).catch(() => [])
    if (known.length >= MAX_NAMED_DRAFTS && !known.some(one => one.name === name)) {
      setError(t.tooMany(MAX_NAMED_DRAFTS))
      return false
    }
    return show(await saveNamedDraft(userId, name, useBulk.getState().draft))
  }
  const open = async (name: string): Promise<BulkDraft | null> => {
    try {
      const draft = await readNamedDraft(userId, name)
      if (draft) {
        const known = await readSubmission(userId, draft.key)
        return withSubmission({ ...EMPTY_BULK_DRAFT, ...draft }, known)
      }
      setError(t.gone(name))
      setList(await listNamedDrafts(userId))
    } catch {
      setError(t.unread)
    }
    return null
  }
  const remove = async (name: string): Promise<void> => {
    show(await deleteNamedDrafts(userId, one => one.name === name))
  }
  return { list, error, save, open, remove }
}
