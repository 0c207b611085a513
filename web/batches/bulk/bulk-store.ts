/** The one table of the bulk page while the page runs: it outlives going to another screen, and by saved.ts a reload. */
import { create } from 'zustand'
import { onSessionEnd } from '#web/client/session.ts'
import { notifyPage } from '#web/ui/toasts.ts'
import { deleteBulkDraft, readBulkDraft, writeBulkDraft } from './draft-storage.ts'
import type { BulkDraft } from './draft.ts'
import { EMPTY_BULK_DRAFT } from './draft.ts'
import { texts } from './texts.ts'
import { NO_SERVER_ERRORS } from './validation.ts'
import type { ServerRowErrors } from './validation.ts'

/** A sentence about a submission that was not accepted; `again` offers to send the same order once more. */
export type SubmitProblem = { text: string; canRetry: boolean; conflict: boolean }

type BulkStore = {
  /** Whose table this is; null until it was looked for. */
  userId: string | null
  draft: BulkDraft
  /** Earlier tables, the newest last. */
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
/** 10,000 rows take about 40 ms to store: so large a table waits for a pause. Others are kept at once. */
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

/** Writes the table down at once. */
export async function saveDraftNow(): Promise<void> {
  clearTimeout(saveTimer)
  saveTimer = undefined
  const { userId, draft } = useBulk.getState()
  if (userId === null) return
  await (draft.rows.length > 0 || draft.orderId !== null
    ? writeBulkDraft(userId, draft)
    : deleteBulkDraft(userId))
}

/** Finds the table that this user left in this browser. Safe to call twice. */
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

/** The next table. The step can be undone until the table is submitted. */
export function commitDraft(draft: BulkDraft): void {
  const { draft: before, history } = useBulk.getState()
  if (draft === before) return
  const steps = before.rows.length > 0 ? [...history, before].slice(-MAX_UNDO_STEPS) : history
  useBulk.setState({ draft, history: steps, problem: null })
  scheduleSave()
}

/** Choosing a service before there are rows is nothing to undo. */
export function chooseService(draft: BulkDraft): void {
  if (draft.rows.length > 0) return commitDraft(draft)
  useBulk.setState({ draft })
}

/** Takes back the last step; false when there is none. */
export function undoLastStep(): boolean {
  const { history, draft } = useBulk.getState()
  const before = history.at(-1)
  if (!before) return false
  // The key of a submission that may have arrived stays, whatever is undone.
  const { orderId, lost } = draft
  useBulk.setState({
    draft: { ...before, orderId, lost },
    history: history.slice(0, -1),
    problem: null,
  })
  scheduleSave()
  return true
}

/** An empty table with the same service: after a submit or a reset. */
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

/** A table that has nothing to do with the one before: a file, or failed rows. */
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
 * The same table may be open in another tab: the id that it was sent under there is the one to use here. Asked before a new id is.
 */
export async function orderIdFromOtherTab(): Promise<string | null> {
  const { userId, draft } = useBulk.getState()
  if (userId === null) return null
  const saved = await readBulkDraft(userId)
  return saved && saved.key !== '' && saved.key === draft.key ? saved.orderId : null
}

/** Tells other tabs that this table has been accepted, before it is cleared here. */
export function notifyTabsAccepted(): void {
  tabChannel?.postMessage(useBulk.getState().draft.key)
}

/** Facts about a submission: no step of the table, so never undone. Written down before anything is sent. */
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

// A closing page has no time for a pause; whether the browser still writes then is its own choice.
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
