/**
 * Saves the table in IndexedDB, because 10,000 rows exceed local storage: one record per user with its
 * rows in parts, and one for each draft that the user named. Without storage (private windows) the table
 * lasts as long as the page.
 */
import type { GridRow } from '#web/batches/grid-row.ts'
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
/** The user goes on without what could not be read. Nothing may replace it. */
let isGivenUp = false
export function goOnWithoutStorage(): void {
  isGivenUp = true
  databasePromise = null
}

/** The browser refuses storage for this site: nothing can be in it. */
class NoStorage extends Error {}

function askToOpen(): IDBOpenDBRequest {
  try {
    return indexedDB.open(DRAFT_DATABASE, 1)
  } catch {
    throw new NoStorage()
  }
}

async function openDraftDatabase(): Promise<IDBDatabase> {
  if (isGivenUp) throw new NoStorage()
  const request = askToOpen()
  request.onupgradeneeded = () => request.result.createObjectStore(DRAFT_STORE)
  const timeLimit = new Promise<never>((_resolve, reject) =>
    setTimeout(() => reject(new Error('storage does not answer')), OPEN_TIMEOUT_MS),
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

/** All of `work` is stored, or nothing. Throws why it failed. */
async function inStore<T>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => Promise<T>,
): Promise<T> {
  try {
    databasePromise ??= openDraftDatabase()
    const transaction = (await databasePromise).transaction(DRAFT_STORE, mode)
    const done = transactionEnd(transaction)
    const undo = (error: unknown): never => {
      transaction.abort()
      throw error
    }
    const [result] = await Promise.all([
      work(transaction.objectStore(DRAFT_STORE)).catch(undo),
      done,
    ])
    return result
  } catch (error) {
    databasePromise = null
    throw error
  }
}

/** Undefined where nothing is under the key, or the browser has no storage. Throws if it can't be read. */
async function read<T>(key: string): Promise<T | undefined> {
  try {
    return await inStore('readonly', store => requestResult<T | undefined>(store.get(key)))
  } catch (error) {
    if (error instanceof NoStorage) return undefined
    throw error
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
    return await inStore('readwrite', async store => {
      const list = await requestResult<T[] | undefined>(store.get(key))
      const next = await change(list ?? [], store)
      store.put(next, key)
      return next
    })
  } catch {
    return null
  }
}

const changeNamed = (
  userId: string,
  change: (list: NamedDraft[], store: IDBObjectStore) => NamedDraft[] | Promise<NamedDraft[]>,
): Promise<NamedDraft[] | null> => changeList(listKey(userId), change)

/** Newest first. Throws if the list can't be read. */
export const listNamedDrafts = async (userId: string): Promise<NamedDraft[]> =>
  (await read<NamedDraft[]>(listKey(userId))) ?? []

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

/** Undefined if it is gone. Throws if it can't be read. */
export const readNamedDraft = (userId: string, name: string): Promise<BulkDraft | undefined> =>
  read(namedKey(userId, name))

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

/** Throws if it can't be read. */
export const readSubmission = async (
  userId: string,
  key: string,
): Promise<Submission | undefined> => {
  const list = await read<KeyedSubmission[]>(submissionsKey(userId))
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

/** Cloning 50,000 rows takes half a second, and an edit changes one part. */
const PART_ROWS = 1000
/** The table without its rows, which are in `parts` records. `save` is a new text with each save. */
type StoredTable = Omit<BulkDraft, 'rows'> & { parts: number; save: string }

/** The rows as this tab has stored them last, or read them. */
let stored: { save: string; rows: readonly GridRow[] } | null = null
/** Saves that are not committed yet, which a closing page would not end. */
const running = new Set<IDBTransaction>()

const partsFrom = (userId: string, part: number): IDBKeyRange =>
  IDBKeyRange.bound([userId, 'rows', part], [userId, 'rows', Infinity])

/** Throws if it can't be read. */
export async function readBulkDraft(userId: string): Promise<BulkDraft | undefined> {
  try {
    return await inStore('readonly', async store => {
      const table = await requestResult<StoredTable | BulkDraft | undefined>(store.get(userId))
      // The version before kept the rows in it.
      if (!table || 'rows' in table) return table
      const { parts: _parts, save, ...rest } = table
      const parts = await requestResult<GridRow[][]>(store.getAll(partsFrom(userId, 0)))
      const rows = parts.flat()
      stored = { save, rows }
      return { ...rest, rows }
    })
  } catch (error) {
    if (error instanceof NoStorage) return undefined
    throw error
  }
}

/**
 * Stores the parts that have changed since this tab's last save, one after another, so that the page can
 * draw between them. All parts where another tab has saved since, and at once while the page closes.
 * False if this browser can't store it.
 */
export async function writeBulkDraft(
  userId: string,
  { rows, ...rest }: BulkDraft,
  isClosing = false,
): Promise<boolean> {
  const parts = Math.ceil(rows.length / PART_ROWS)
  const table: StoredTable = { ...rest, parts, save: `${Date.now()}-${Math.random()}` }
  const isAtOnce = isClosing || parts <= 1
  if (isClosing) for (const save of running) save.abort()
  try {
    await inStore('readwrite', async store => {
      const { transaction } = store
      running.add(transaction)
      transaction.addEventListener('abort', () => running.delete(transaction))
      const before = isAtOnce
        ? undefined
        : await requestResult<Partial<StoredTable> | undefined>(store.get(userId))
      const known = before && before.save === stored?.save ? (stored?.rows ?? []) : []
      for (let part = 0; part < parts; part += 1) {
        const start = part * PART_ROWS
        const some = rows.slice(start, start + PART_ROWS)
        const isKnown = some.length === Math.min(known.length - start, PART_ROWS)
        if (isKnown && some.every((row, index) => row === known[start + index])) continue
        const put = store.put(some, [userId, 'rows', part])
        if (!isAtOnce) await requestResult(put)
      }
      store.delete(partsFrom(userId, parts))
      store.put(table, userId)
      running.delete(transaction)
      // An automatic commit would wait for another task of a page that may be closing.
      transaction.commit()
    })
  } catch {
    return false
  }
  stored = { save: table.save, rows }
  return true
}

/** Nothing is left to do where the browser can't delete: it couldn't store either. */
export const deleteBulkDraft = (userId: string): Promise<void> =>
  inStore('readwrite', async store => {
    store.delete(userId)
    store.delete(partsFrom(userId, 0))
    store.transaction.commit()
  }).catch(() => {})

const deleteSubmissions = (userId: string): Promise<void> =>
  inStore('readwrite', async store => void store.delete(submissionsKey(userId))).catch(() => {})

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
    isGivenUp = false
    if (lastUserId !== null && useSession.getState().endReason === 'logout')
      void Promise.all([
        deleteBulkDraft(lastUserId),
        deleteNamedDrafts(lastUserId, () => true),
        deleteSubmissions(lastUserId),
      ])
  })
}
