/**
 * Saves the table in IndexedDB, because 10,000 rows exceed local storage: one record per user, and
 * one for each draft that the user named. Without storage (private windows) the table lasts as long
 * as the page.
 */
import { useSession, onSessionEnd } from '#web/client/session.ts'
import type { BulkDraft } from './draft.ts'
import { sharedLines, withoutAccepted } from './draft.ts'

const DRAFT_DATABASE = 'evenpost-bulk'
const DRAFT_STORE = 'drafts'

let databasePromise: Promise<IDBDatabase> | null = null

const requestResult = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('storage failed'))
  })

/** Safari at times never answers. */
const OPEN_TIMEOUT_MS = 10_000
/** Then it is not asked again: a table begun without the saved one would replace it. */
let isUnanswered = false

async function openDraftDatabase(): Promise<IDBDatabase> {
  if (isUnanswered) throw new Error('storage does not answer')
  const request = indexedDB.open(DRAFT_DATABASE, 1)
  request.onupgradeneeded = () => request.result.createObjectStore(DRAFT_STORE)
  const timeLimit = new Promise<never>((_resolve, reject) =>
    setTimeout(() => {
      if (request.readyState === 'pending') isUnanswered = true
      reject(new Error('storage does not answer'))
    }, OPEN_TIMEOUT_MS),
  )
  const database = await Promise.race([requestResult(request), timeLimit])
  // Such as when site data is cleared.
  database.onclose = () => (databasePromise = null)
  return database
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
 * Changes the list under a key, and other records, at once: other tabs may change them too. `change`
 * gets the list and returns the next one. Null if this browser can't store.
 */
async function changeList<T>(
  key: string,
  change: (list: T[], store: IDBObjectStore) => T[] | Promise<T[]>,
): Promise<T[] | null> {
  try {
    databasePromise ??= openDraftDatabase()
    const transaction = (await databasePromise).transaction(DRAFT_STORE, 'readwrite')
    const done = transactionEnd(transaction)
    const store = transaction.objectStore(DRAFT_STORE)
    const list = await requestResult<T[] | undefined>(store.get(key))
    const next = await change(list ?? [], store)
    store.put(next, key)
    await done
    return next
  } catch {
    databasePromise = null
    return null
  }
}

const changeNamed = (
  userId: string,
  change: (list: NamedDraft[], store: IDBObjectStore) => NamedDraft[] | Promise<NamedDraft[]>,
): Promise<NamedDraft[] | null> => changeList(listKey(userId), change)

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

/**
 * After `sent` was accepted as `orderId`: the drafts of its table lose these lines and get the key of
 * the rest; one without other lines is deleted.
 */
export const takeOutOfNamedDrafts = (
  userId: string,
  sent: Pick<BulkDraft, 'key' | 'rows' | 'files'>,
  orderId: string,
  restKey: string,
): Promise<NamedDraft[] | null> =>
  changeNamed(userId, async (list, store) => {
    const next: NamedDraft[] = []
    for (const entry of list) {
      const key = namedKey(userId, entry.name)
      const draft =
        entry.key === sent.key
          ? await requestResult<BulkDraft | undefined>(store.get(key))
          : undefined
      if (!draft) {
        next.push(entry)
        continue
      }
      const rest = withoutAccepted(draft, sharedLines(draft, sent), orderId)
      if (rest.rows.length === 0) store.delete(key)
      else {
        store.put({ ...rest, key: restKey }, key)
        next.push({ ...entry, key: restKey, rows: rest.rows.length })
      }
    }
    return next
  })

/** What is known of the submission of a table. `accepted`: the lines of `part` are bought. */
export type Submission = Pick<BulkDraft, 'orderId' | 'lost' | 'part'> & { accepted?: boolean }
type KeyedSubmission = Submission & { key: string }

/** Kept apart from the table, because drafts and tabs with the same table share it. */
const MAX_SUBMISSIONS = 20
const submissionsKey = (userId: string) => `${userId}/submissions`

export const readSubmission = async (
  userId: string,
  key: string,
): Promise<Submission | undefined> => {
  const list = await withStore<KeyedSubmission[] | undefined>('readonly', store =>
    store.get(submissionsKey(userId)),
  )
  return list?.find(one => one.key === key)
}

/**
 * `change` gets what is known and returns what is then. Resolves with that once it is saved; null if
 * this browser can't store.
 */
export async function changeSubmission(
  userId: string,
  key: string,
  change: (known: Submission | undefined) => Submission,
): Promise<Submission | null> {
  const list = await changeList<KeyedSubmission>(submissionsKey(userId), known =>
    [
      { ...change(known.find(one => one.key === key)), key },
      ...known.filter(one => one.key !== key),
    ].slice(0, MAX_SUBMISSIONS),
  )
  return list?.[0] ?? null
}

const deleteSubmissions = (userId: string): Promise<unknown> =>
  withStore('readwrite', store => store.delete(submissionsKey(userId)))

export const readBulkDraft = (userId: string): Promise<BulkDraft | undefined> =>
  withStore<BulkDraft | undefined>('readonly', store => store.get(userId))

/** False if this browser can't store it. */
export const writeBulkDraft = async (userId: string, draft: BulkDraft): Promise<boolean> =>
  (await withStore('readwrite', store => store.put(draft, userId))) !== undefined

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
      void Promise.all([
        deleteBulkDraft(lastUserId),
        deleteNamedDrafts(lastUserId, () => true),
        deleteSubmissions(lastUserId),
      ])
  })
}
