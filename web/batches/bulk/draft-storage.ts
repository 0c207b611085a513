/**
 * Saves the table in IndexedDB, one record per user, because 10,000 rows exceed local storage.
 * Without storage (private windows) the table lasts as long as the page.
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
    // Commit now: an automatic commit would wait for another task of a page that may be closing.
    transaction.commit()
    const [result] = await Promise.all([request, done])
    return result
  } catch {
    databasePromise = null
    return undefined
  }
}

export const readBulkDraft = (userId: string): Promise<BulkDraft | undefined> =>
  withStore<BulkDraft | undefined>('readonly', store => store.get(userId))

/** Resolves when the table is saved, or can't be. */
export const writeBulkDraft = async (userId: string, draft: BulkDraft): Promise<void> =>
  void (await withStore('readwrite', store => store.put(draft, userId)))

export const deleteBulkDraft = async (userId: string): Promise<void> =>
  void (await withStore('readwrite', store => store.delete(userId)))

/**
 * Logging out deletes the table, because browsers are shared. After an expired session the table
 * stays for the same user. Registered at startup, even if the bulk page was never opened.
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
