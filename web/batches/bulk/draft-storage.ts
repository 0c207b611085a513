/**
 * The table as this browser keeps it over a reload: one record for each user in IndexedDB, because 10,000 rows are too many
 * for local storage. Where storage is closed (private windows) the table lives as long as the page.
 */
import { useSession, onSessionEnd } from '#web/client/session.ts'
import type { BulkDraft } from './draft.ts'

const DRAFT_DATABASE = 'evenpost-bulk'
const DRAFT_STORE = 'drafts'

let databasePromise: Promise<IDBDatabase> | null = null

const requestResult = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('storage failed'))
  })

function openDraftDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open(DRAFT_DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(DRAFT_STORE)
  return requestResult(request)
}

const transactionEnd = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new Error('storage failed'))
  })

async function withStore<T>(
  mode: IDBTransactionMode,
  makeRequest: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    databasePromise ??= openDraftDatabase()
    const transaction = (await databasePromise).transaction(DRAFT_STORE, mode)
    const done = transactionEnd(transaction)
    const request = requestResult(makeRequest(transaction.objectStore(DRAFT_STORE)))
    // At once: left to itself it would wait for another turn of a page that may be closing.
    transaction.commit()
    const [result] = await Promise.all([request, done])
    return result
  } catch {
    databasePromise = null
    return undefined
  }
}

/** The table this user left here, if any. */
export const readBulkDraft = (userId: string): Promise<BulkDraft | undefined> =>
  withStore<BulkDraft | undefined>('readonly', store => store.get(userId))

/** Resolves when the table is kept, or cannot be. */
export const writeBulkDraft = async (userId: string, draft: BulkDraft): Promise<void> =>
  void (await withStore('readwrite', store => store.put(draft, userId)))

export const deleteBulkDraft = async (userId: string): Promise<void> =>
  void (await withStore('readwrite', store => store.delete(userId)))

/**
 * Whoever logs out leaves nothing behind in a shared browser. A sign-in that merely ran out keeps the table for the same user.
 * Called where it runs even when the bulk page was never opened.
 */
export function deleteDraftsOnLogout(): void {
  let lastUserId: string | null = null
  useSession.subscribe(({ user }) => {
    lastUserId = user?._id ?? lastUserId
  })
  onSessionEnd(() => {
    if (lastUserId !== null && useSession.getState().endReason === 'logout')
      void deleteBulkDraft(lastUserId)
  })
}
