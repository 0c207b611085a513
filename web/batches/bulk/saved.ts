/**
 * The table as this browser keeps it over a reload: one record for each user in IndexedDB, because 10,000 rows are too many
 * for local storage. Where storage is closed (private windows) the table lives as long as the page.
 */
import { useSession, whenSessionEnds } from '#web/client/session.ts'
import type { Draft } from './draft.ts'

const NAME = 'evenpost-bulk'
const STORE = 'drafts'

let opening: Promise<IDBDatabase> | null = null

const answered = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('storage failed'))
  })

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(NAME, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  return answered(request)
}

const completed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('storage failed'))
  })

async function act<T>(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    opening ??= open()
    const transaction = (await opening).transaction(STORE, mode)
    const done = completed(transaction)
    const request = answered(ask(transaction.objectStore(STORE)))
    // At once: left to itself it would wait for another turn of a page that may be closing.
    transaction.commit()
    const [result] = await Promise.all([request, done])
    return result
  } catch {
    opening = null
    return undefined
  }
}

/** The table this user left here, if any. */
export const readDraft = (userId: string): Promise<Draft | undefined> =>
  act<Draft | undefined>('readonly', store => store.get(userId))

/** Resolves when the table is kept, or cannot be. */
export const writeDraft = async (userId: string, draft: Draft): Promise<void> =>
  void (await act('readwrite', store => store.put(draft, userId)))

export const dropDraft = async (userId: string): Promise<void> =>
  void (await act('readwrite', store => store.delete(userId)))

/**
 * Whoever logs out leaves nothing behind in a shared browser. A sign-in that merely ran out keeps the table for the same user.
 * Called where it runs even when the bulk page was never opened.
 */
export function forgetDraftsOnLogout(): void {
  let last: string | null = null
  useSession.subscribe(({ user }) => {
    last = user?._id ?? last
  })
  whenSessionEnds(() => {
    if (last !== null && useSession.getState().departure === 'logout') void dropDraft(last)
  })
}
