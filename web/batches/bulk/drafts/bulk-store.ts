/**
 * The one table of the bulk page. It survives a change of page, and by draft-storage.ts a reload.
 */
import { create } from 'zustand'
import { NO_SERVER_ERRORS } from '#web/batches/bulk/checks/validation.ts'
import type { ServerRowErrors } from '#web/batches/bulk/checks/validation.ts'
import { redoChange, tableChange, undoChange } from '#web/batches/bulk/grid/history.ts'
import type { TableChange } from '#web/batches/bulk/grid/history.ts'
import { gridTexts } from '#web/batches/bulk/grid/texts.ts'
import { texts } from '#web/batches/bulk/texts.ts'
import { onSessionEnd, refreshUser, useSession } from '#web/client/session.ts'
import { notifyPage } from '#web/ui/toasts.ts'
import {
  changeSubmission,
  deleteBulkDraft,
  goOnWithoutStorage,
  readBulkDraft,
  readSubmission,
  takeOutOfNamedDrafts,
  writeBulkDraft,
} from './draft-storage.ts'
import type { Submission } from './draft-storage.ts'
import type { BulkDraft } from './draft.ts'
import { EMPTY_BULK_DRAFT, lineIdsOf, withoutAccepted } from './draft.ts'

/** Why a submission was not accepted. `canRetry` offers to send the same order again. */
export type SubmitProblem = { text: string; canRetry: boolean; conflict: boolean }

type BulkStore = {
  /** The owner of the table; null until the saved table is loaded. */
  userId: string | null
  /** The saved table could not be read. */
  loadFailed: boolean
  draft: BulkDraft
  /** Changes that can be undone, newest last. */
  history: TableChange[]
  /** Changes that were undone and can be done again, the next one last. */
  future: TableChange[]
  serverErrors: ServerRowErrors
  /** This browser can't save the table: a reload loses it. */
  unsaved: boolean
  submitting: boolean
  problem: SubmitProblem | null
}

const INITIAL_BULK_STORE: BulkStore = {
  userId: null,
  loadFailed: false,
  draft: EMPTY_BULK_DRAFT,
  history: [],
  future: [],
  serverErrors: NO_SERVER_ERRORS,
  unsaved: false,
  submitting: false,
  problem: null,
}
/** A new large table is drawn and checked before it is stored. Others are saved at once. */
const LARGE_TABLE_ROWS = 2000
const LARGE_TABLE_SAVE_DELAY_MS = 400

export const useBulk = create<BulkStore>(() => INITIAL_BULK_STORE)

/** The key of a table that was accepted, or of one of which a part was. */
type TabMessage = string | { replaced: string }

/** Null where the browser has none, or refuses it as it refuses storage. */
function openTabChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel('evenpost-bulk')
  } catch {
    return null
  }
}
const tabChannel = typeof window === 'undefined' ? null : openTabChannel()

let saveTimer: ReturnType<typeof setTimeout> | undefined
let openSaves = 0

function scheduleSave(): void {
  clearTimeout(saveTimer)
  const { length } = useBulk.getState().draft.rows
  saveTimer = setTimeout(
    () => void saveDraftNow(),
    length > LARGE_TABLE_ROWS ? LARGE_TABLE_SAVE_DELAY_MS : 0,
  )
}

/** Saves without waiting for a pause. */
async function saveDraftNow(isClosing = false): Promise<void> {
  clearTimeout(saveTimer)
  saveTimer = undefined
  const { userId, draft } = useBulk.getState()
  if (userId === null) return
  if (draft.rows.length === 0 && draft.orderId === null) return deleteBulkDraft(userId)
  openSaves += 1
  const isSaved = await writeBulkDraft(userId, draft, isClosing)
  openSaves -= 1
  const now = useBulk.getState()
  if (now.userId === userId && now.unsaved === isSaved) useBulk.setState({ unsaved: !isSaved })
}

/** Loads the table that this user left in this browser. Safe to call twice. */
export async function loadBulkTable(userId: string): Promise<void> {
  const isLoaded = () => useBulk.getState().userId === userId
  if (isLoaded()) return
  useBulk.setState({ loadFailed: false })
  try {
    const draft = await readBulkDraft(userId)
    const known = draft && (await readSubmission(userId, draft.key))
    if (!isLoaded()) showSaved(userId, draft && withSubmission(draft, known))
  } catch {
    // A table begun without the saved one would replace it.
    if (!isLoaded()) useBulk.setState({ loadFailed: true })
  }
}

/** Begins a table that is not saved, because the saved one can't be read. */
export function beginUnsaved(userId: string): Promise<void> {
  goOnWithoutStorage()
  return loadBulkTable(userId)
}

/** Another tab has submitted a part of this table. */
async function reloadTable(userId: string): Promise<void> {
  try {
    showSaved(userId, await readBulkDraft(userId))
  } catch {
    useBulk.setState({ ...INITIAL_BULK_STORE, loadFailed: true })
  }
  sayBoughtElsewhere(texts.partSubmittedElsewhere)
}

/** The balance has changed, too. */
function sayBoughtElsewhere(text: string): void {
  notifyPage('blue', text)
  void refreshUser()
}

function showSaved(userId: string, draft: BulkDraft | undefined): void {
  useBulk.setState({
    ...INITIAL_BULK_STORE,
    userId,
    draft: draft ? { ...EMPTY_BULK_DRAFT, ...draft } : EMPTY_BULK_DRAFT,
  })
}

/**
 * Makes `draft` the current table. It can be undone until the table is submitted. `name` follows
 * Undo: 'paste of 12 cells'.
 */
export function commitDraft(draft: BulkDraft, name: string = gridTexts.changes.other): void {
  const { draft: before, history } = useBulk.getState()
  if (draft === before) return
  const steps = before.rows.length > 0 ? [...history, tableChange(before, draft, name)] : history
  useBulk.setState({ draft, history: steps, future: [], problem: null })
  scheduleSave()
}

/** Without rows there is nothing to undo. */
export function chooseService(draft: BulkDraft): void {
  if (draft.rows.length > 0) return commitDraft(draft, gridTexts.changes.service)
  useBulk.setState({ draft })
}

/** The name of the change that was undone; null if there is none. */
export function undoLastStep(): string | null {
  const { history, future, draft } = useBulk.getState()
  const change = history.at(-1)
  if (!change) return null
  useBulk.setState({
    draft: undoChange(change, draft),
    history: history.slice(0, -1),
    future: [...future, change],
    problem: null,
  })
  scheduleSave()
  return change.name
}

/** The name of the change that was done again; null if there is none. */
export function redoNextStep(): string | null {
  const { history, future, draft } = useBulk.getState()
  const change = future.at(-1)
  if (!change) return null
  useBulk.setState({
    draft: redoChange(change, draft),
    history: [...history, change],
    future: future.slice(0, -1),
    problem: null,
  })
  scheduleSave()
  return change.name
}

/** Empties the table after a submit or a reset; the service stays. */
export function clearTable(): void {
  const { draft } = useBulk.getState()
  useBulk.setState({
    draft: { ...EMPTY_BULK_DRAFT, service: draft.service },
    history: [],
    future: [],
    serverErrors: NO_SERVER_ERRORS,
    problem: null,
  })
  void saveDraftNow()
}

/**
 * Removes lines of the table `sent` that were accepted as `orderId`, here, in its named drafts and in
 * other tabs; the others stay, as another table. An undo would bring rows back that are bought.
 */
export async function removeAccepted(
  userId: string,
  sent: Pick<BulkDraft, 'key' | 'rows' | 'files'>,
  orderId: string,
): Promise<void> {
  const part = lineIdsOf(sent.rows)
  await changeSubmission(userId, sent.key, () => ({ orderId, lost: false, part, accepted: true }))
  const restKey = restKeyOf(sent.key, orderId)
  void takeOutOfNamedDrafts(userId, sent, orderId, restKey)
  const { draft } = useBulk.getState()
  // Another table was opened meanwhile, or another user has signed in.
  if (draft.key !== sent.key || useBulk.getState().userId !== userId) return
  const rest = withoutAccepted(draft, part, orderId)
  if (rest.rows.length === 0) {
    tabChannel?.postMessage(sent.key)
    return clearTable()
  }
  useBulk.setState({
    draft: { ...rest, key: restKey },
    history: [],
    future: [],
    serverErrors: NO_SERVER_ERRORS,
    problem: null,
  })
  await saveDraftNow()
  tabChannel?.postMessage({ replaced: sent.key })
}

/** The same in every tab and draft, so that the rest is bought once. */
const restKeyOf = (key: string, orderId: string): string => `${key}/${orderId}`

const newTableKey = (): string => `${Date.now()}-${Math.random()}`

/**
 * A new table, from a file, failed rows or a named draft, without history. A named draft keeps its
 * key, by which it is deleted when it is submitted.
 */
export function replaceTable(draft: BulkDraft): void {
  useBulk.setState({
    draft: { ...draft, key: draft.key || newTableKey() },
    history: [],
    future: [],
    serverErrors: NO_SERVER_ERRORS,
    problem: null,
  })
  scheduleSave()
}

/** A draft with what is known of its table's submission; without the lines that are bought. */
export function withSubmission(draft: BulkDraft, known: Submission | undefined): BulkDraft {
  if (!known) return draft
  const { orderId, lost, part, accepted } = known
  if (accepted && orderId !== null)
    return {
      ...withoutAccepted(draft, part ?? [], orderId),
      key: restKeyOf(draft.key, orderId),
    }
  return { ...draft, orderId, lost, part }
}

/**
 * Takes over what another tab or draft of the same table has submitted. Call before a new id is
 * requested. Returns it.
 */
export async function takeOverSubmission(userId: string): Promise<Submission | undefined> {
  const { key } = useBulk.getState().draft
  const known = await readSubmission(userId, key)
  if (known && !known.accepted)
    useBulk.setState(({ draft }) =>
      draft.key === key ? { draft: withSubmission(draft, known) } : {},
    )
  return known
}

/**
 * Facts about a submission are not undoable. Saved before anything is sent: what is saved then is
 * returned, with another tab's id if that was first.
 */
export async function saveSubmission(
  userId: string,
  key: BulkDraft['key'],
  submission: Submission,
): Promise<Submission> {
  const isOther = (known: Submission | undefined) =>
    submission.lost
    && known !== undefined
    && known.orderId !== null
    && known.orderId !== submission.orderId
    && (known.lost || known.accepted === true)
  const saved =
    (await changeSubmission(userId, key, known => (isOther(known) ? known! : submission)))
    ?? submission
  const { orderId, lost, part } = saved
  useBulk.setState(({ draft }) =>
    draft.key === key ? { draft: { ...draft, orderId, lost, part } } : {},
  )
  await saveDraftNow()
  return saved
}

onSessionEnd(() => {
  // A large table waits before it is stored. After a sign-out, also in another tab, nothing stays in the browser.
  if (saveTimer !== undefined && useSession.getState().endReason === 'expired') void saveDraftNow()
  clearTimeout(saveTimer)
  useBulk.setState({ ...INITIAL_BULK_STORE })
})

// A closing page can't wait for a pause. The browser may still skip the write.
if (typeof window !== 'undefined') {
  tabChannel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    const { draft, submitting, userId } = useBulk.getState()
    if (submitting || draft.key === '') return
    if (typeof data !== 'string') {
      if (draft.key === data.replaced && userId !== null) void reloadTable(userId)
      return
    }
    if (draft.key !== data) return
    clearTable()
    sayBoughtElsewhere(texts.submittedElsewhere)
  })
  window.addEventListener('pagehide', () => {
    if (saveTimer !== undefined || openSaves > 0) void saveDraftNow(true)
  })
  window.addEventListener('beforeunload', event => {
    const { unsaved, draft } = useBulk.getState()
    if (unsaved && draft.rows.length > 0) event.preventDefault()
  })
}
