/**
 * Saves the table in IndexedDB, because 10,000 rows exceed local storage: one record per user, and
 * one for each draft that the user named. Without storage (private windows) the table lasts as long
 * as the page.
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

/** A draft in the list. `key`: of its table, see `BulkDraft`. `savedAt`: milliseconds since 1970. */
export type NamedDraft = { name: string; key: string; rows: number; savedAt: number }

/** 50,000 rows take some 40 MB. */
export const MAX_NAMED_DRAFTS = 20

const listKey = (userId: string) => `${userId}/names`
const namedKey = (userId: string, name: string) => `${userId}/named/${name}`

/**
 * Changes the list and its drafts at once: other tabs may change them too. `change` gets the list
 * and returns the next one. Null if this browser can't store.
 */
async function changeNamed(
  userId: string,
  change: (list: NamedDraft[], store: IDBObjectStore) => NamedDraft[],
): Promise<NamedDraft[] | null> {
  try {
    databasePromise ??= openDraftDatabase()
    const transaction = (await databasePromise).transaction(DRAFT_STORE, 'readwrite')
    const done = transactionEnd(transaction)
    const store = transaction.objectStore(DRAFT_STORE)
    const list = await requestResult<NamedDraft[] | undefined>(store.get(listKey(userId)))
    const next = change(list ?? [], store)
    store.put(next, listKey(userId))
    await done
    return next
  } catch {
    databasePromise = null
    return null
  }
}

/** Newest first. */
export const listNamedDrafts = async (userId: string): Promise<NamedDraft[]> =>
  (await withStore<NamedDraft[] | undefined>('readonly', store => store.get(listKey(userId)))) ?? []

/** Replaces a draft of the same name. Null if this browser can't store it. */
export const saveNamedDraft = (
  userId: string,
  name: string,
  draft: BulkDraft,
): Promise<NamedDraft[] | null> =>
  changeNamed(userId, (list, store) => {
    store.put(draft, namedKey(userId, name))
    const entry = { name, key: draft.key, rows: draft.rows.length, savedAt: Date.now() }
    return [entry, ...list.filter(one => one.name !== name)]
  })

export const readNamedDraft = (userId: string, name: string): Promise<BulkDraft | undefined> =>
  withStore<BulkDraft | undefined>('readonly', store => store.get(namedKey(userId, name)))

/** Deletes those that `matches`. Null if this browser can't store. */
export const deleteNamedDrafts = (
  userId: string,
  matches: (draft: NamedDraft) => boolean,
): Promise<NamedDraft[] | null> =>
  changeNamed(userId, (list, store) => {
    for (const one of list.filter(matches)) store.delete(namedKey(userId, one.name))
    return list.filter(one => !matches(one))
  })

export const readBulkDraft = (userId: string): Promise<BulkDraft | undefined> =>
  withStore<BulkDraft | undefined>('readonly', store => store.get(userId))

/** Resolves when the table is saved, or can't be. */
export const writeBulkDraft = async (userId: string, draft: BulkDraft): Promise<void> =>
  void (await withStore('readwrite', store => store.put(draft, userId)))

export const deleteBulkDraft = async (userId: string): Promise<void> =>
  void (await withStore('readwrite', store => store.delete(userId)))

/**
 * Logging out deletes the table and the named drafts, because browsers are shared. After an expired
 * session they stay for the same user. Registered at startup, even if the bulk page was never opened.
 */
export function deleteDraftsOnLogout(): void {
  let lastUserId: string | null = null
  useSession.subscribe(({ user }) => {
    lastUserId = user?._id ?? lastUserId
  })
  onSessionEnd(() => {
    if (lastUserId !== null && useSession.getState().endReason === 'logout')
      void Promise.all([deleteBulkDraft(lastUserId), deleteNamedDrafts(lastUserId, () => true)])
  })
}
