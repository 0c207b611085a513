/**
 * The one table of the bulk page. It survives a change of page, and by draft-storage.ts a reload.
 */
import { create } from 'zustand'
import { onSessionEnd } from '#web/client/session.ts'
import { notifyPage } from '#web/ui/toasts.ts'
import { deleteBulkDraft, readBulkDraft, writeBulkDraft } from './draft-storage.ts'
import type { BulkDraft } from './draft.ts'
import { EMPTY_BULK_DRAFT } from './draft.ts'
import { texts } from './texts.ts'
import { NO_SERVER_ERRORS } from './validation.ts'
import type { ServerRowErrors } from './validation.ts'

/** Why a submission was not accepted. `canRetry` offers to send the same order again. */
export type SubmitProblem = { text: string; canRetry: boolean; conflict: boolean }

type BulkStore = {
  /** The owner of the table; null until the saved table is loaded. */
  userId: string | null
  draft: BulkDraft
  /** Earlier tables, newest last. */
  history: BulkDraft[]
  serverErrors: ServerRowErrors
  submitting: boolean
  problem: SubmitProblem | null
}

const INITIAL_BULK_STORE: BulkStore = {
  userId: null,
  draft: EMPTY_BULK_DRAFT,
  history: [],
  serverErrors: NO_SERVER_ERRORS,
  submitting: false,
  problem: null,
}
const MAX_UNDO_STEPS = 20
/**
 * 10,000 rows take about 40 ms to store, so a large table waits for a pause. Others are saved at
 * once.
 */
const LARGE_TABLE_ROWS = 2000
const LARGE_TABLE_SAVE_DELAY_MS = 400

export const useBulk = create<BulkStore>(() => INITIAL_BULK_STORE)

const tabChannel = typeof window === 'undefined' ? null : new BroadcastChannel('evenpost-bulk')

let saveTimer: ReturnType<typeof setTimeout> | undefined

function scheduleSave(): void {
  clearTimeout(saveTimer)
  const { length } = useBulk.getState().draft.rows
  saveTimer = setTimeout(
    () => void saveDraftNow(),
    length > LARGE_TABLE_ROWS ? LARGE_TABLE_SAVE_DELAY_MS : 0,
  )
}

/** Saves without waiting for a pause. */
export async function saveDraftNow(): Promise<void> {
  clearTimeout(saveTimer)
  saveTimer = undefined
  const { userId, draft } = useBulk.getState()
  if (userId === null) return
  await (draft.rows.length > 0 || draft.orderId !== null
    ? writeBulkDraft(userId, draft)
    : deleteBulkDraft(userId))
}

/** Loads the table that this user left in this browser. Safe to call twice. */
export async function loadBulkTable(userId: string): Promise<void> {
  if (useBulk.getState().userId === userId) return
  const draft = await readBulkDraft(userId)
  if (useBulk.getState().userId === userId) return
  useBulk.setState({
    ...INITIAL_BULK_STORE,
    userId,
    draft: draft ? { ...EMPTY_BULK_DRAFT, ...draft } : EMPTY_BULK_DRAFT,
  })
}

/** Makes `draft` the current table. It can be undone until the table is submitted. */
export function commitDraft(draft: BulkDraft): void {
  const { draft: before, history } = useBulk.getState()
  if (draft === before) return
  const steps = before.rows.length > 0 ? [...history, before].slice(-MAX_UNDO_STEPS) : history
  useBulk.setState({ draft, history: steps, problem: null })
  scheduleSave()
}

/** Without rows there is nothing to undo. */
export function chooseService(draft: BulkDraft): void {
  if (draft.rows.length > 0) return commitDraft(draft)
  useBulk.setState({ draft })
}

/** False if there is nothing to undo. */
export function undoLastStep(): boolean {
  const { history, draft } = useBulk.getState()
  const before = history.at(-1)
  if (!before) return false
  // A submission may have arrived under this id, so undo keeps it.
  const { orderId, lost } = draft
  useBulk.setState({
    draft: { ...before, orderId, lost },
    history: history.slice(0, -1),
    problem: null,
  })
  scheduleSave()
  return true
}

/** Empties the table after a submit or a reset; the service stays. */
export function clearTable(): void {
  const { draft } = useBulk.getState()
  useBulk.setState({
    draft: { ...EMPTY_BULK_DRAFT, service: draft.service },
    history: [],
    serverErrors: NO_SERVER_ERRORS,
    problem: null,
  })
  void saveDraftNow()
}

/** A new table, from a file or from failed rows, without history. */
export function replaceTable(draft: BulkDraft): void {
  const key = `${Date.now()}-${Math.random()}`
  useBulk.setState({
    draft: { ...draft, key },
    history: [],
    serverErrors: NO_SERVER_ERRORS,
    problem: null,
  })
  scheduleSave()
}

/**
 * If the same table is open in another tab, its order id must be reused. Call before requesting a
 * new id.
 */
export async function orderIdFromOtherTab(): Promise<string | null> {
  const { userId, draft } = useBulk.getState()
  if (userId === null) return null
  const saved = await readBulkDraft(userId)
  return saved && saved.key !== '' && saved.key === draft.key ? saved.orderId : null
}

/** Tells other tabs that the table was accepted. Call before it is cleared here. */
export function notifyTabsAccepted(): void {
  tabChannel?.postMessage(useBulk.getState().draft.key)
}

/** Facts about a submission are not undoable. Saved before anything is sent. */
export async function saveSubmission(
  submission: Partial<Pick<BulkDraft, 'orderId' | 'lost'>>,
): Promise<void> {
  useBulk.setState(({ draft }) => ({ draft: { ...draft, ...submission } }))
  await saveDraftNow()
}

onSessionEnd(() => {
  clearTimeout(saveTimer)
  useBulk.setState({ ...INITIAL_BULK_STORE })
})

// A closing page can't wait for a pause. The browser may still skip the write.
if (typeof window !== 'undefined') {
  tabChannel?.addEventListener('message', ({ data }) => {
    const { draft, submitting } = useBulk.getState()
    if (submitting || draft.key === '' || draft.key !== data) return
    clearTable()
    notifyPage('blue', texts.submittedElsewhere)
  })
  window.addEventListener('pagehide', () => {
    if (saveTimer !== undefined) void saveDraftNow()
  })
}
