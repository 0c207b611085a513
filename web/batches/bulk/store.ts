/** The one table of the bulk page while the page runs: it outlives going to another screen, and by saved.ts a reload. */
import { create } from 'zustand'
import { whenSessionEnds } from '#web/client/session.ts'
import { notifyPage } from '#web/ui/toasts.ts'
import type { Draft } from './draft.ts'
import { EMPTY_DRAFT } from './draft.ts'
import { NONE_REFUSED } from './judge.ts'
import type { Refused } from './judge.ts'
import { dropDraft, readDraft, writeDraft } from './saved.ts'
import { texts } from './texts.ts'

/** A sentence about a submission that was not accepted; `again` offers to send the same order once more. */
export type Trouble = { text: string; again: boolean; conflict: boolean }

type BulkStore = {
  /** Whose table this is; null until it was looked for. */
  userId: string | null
  draft: Draft
  /** Earlier tables, the newest last. */
  history: Draft[]
  refused: Refused
  submitting: boolean
  trouble: Trouble | null
}

const INITIAL: BulkStore = {
  userId: null,
  draft: EMPTY_DRAFT,
  history: [],
  refused: NONE_REFUSED,
  submitting: false,
  trouble: null,
}
const STEPS = 20
/** 10,000 rows take about 40 ms to store: so large a table waits for a pause. Others are kept at once. */
const LARGE = 2000
const PAUSE_MS = 400

export const useBulk = create<BulkStore>(() => INITIAL)

const tabs = typeof window === 'undefined' ? null : new BroadcastChannel('evenpost-bulk')

let timer: ReturnType<typeof setTimeout> | undefined

function keep(): void {
  clearTimeout(timer)
  const { length } = useBulk.getState().draft.rows
  timer = setTimeout(() => void keepNow(), length > LARGE ? PAUSE_MS : 0)
}

/** Writes the table down at once. */
export async function keepNow(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  const { userId, draft } = useBulk.getState()
  if (userId === null) return
  await (draft.rows.length > 0 || draft.orderId !== null
    ? writeDraft(userId, draft)
    : dropDraft(userId))
}

/** Finds the table that this user left in this browser. Safe to call twice. */
export async function openBulk(userId: string): Promise<void> {
  if (useBulk.getState().userId === userId) return
  const draft = await readDraft(userId)
  if (useBulk.getState().userId === userId) return
  useBulk.setState({
    ...INITIAL,
    userId,
    draft: draft ? { ...EMPTY_DRAFT, ...draft } : EMPTY_DRAFT,
  })
}

/** The next table. The step can be undone until the table is submitted. */
export function commit(draft: Draft): void {
  const { draft: before, history } = useBulk.getState()
  if (draft === before) return
  const steps = before.rows.length > 0 ? [...history, before].slice(-STEPS) : history
  useBulk.setState({ draft, history: steps, trouble: null })
  keep()
}

/** Choosing a service before there are rows is nothing to undo. */
export function chooseService(draft: Draft): void {
  if (draft.rows.length > 0) return commit(draft)
  useBulk.setState({ draft })
}

/** Takes back the last step; false when there is none. */
export function undo(): boolean {
  const { history, draft } = useBulk.getState()
  const before = history.at(-1)
  if (!before) return false
  // The key of a submission that may have arrived stays, whatever is undone.
  const { orderId, lost } = draft
  useBulk.setState({
    draft: { ...before, orderId, lost },
    history: history.slice(0, -1),
    trouble: null,
  })
  keep()
  return true
}

/** An empty table with the same service: after a submit or a reset. */
export function clearTable(): void {
  const { draft } = useBulk.getState()
  useBulk.setState({
    draft: { ...EMPTY_DRAFT, service: draft.service },
    history: [],
    refused: NONE_REFUSED,
    trouble: null,
  })
  void keepNow()
}

/** A table that has nothing to do with the one before: a file, or failed rows. */
export function replaceTable(draft: Draft): void {
  const key = `${Date.now()}-${Math.random()}`
  useBulk.setState({ draft: { ...draft, key }, history: [], refused: NONE_REFUSED, trouble: null })
  keep()
}

/**
 * The same table may be open in another tab: the id that it was sent under there is the one to use here. Asked before a new id is.
 */
export async function idFromOtherTab(): Promise<string | null> {
  const { userId, draft } = useBulk.getState()
  if (userId === null) return null
  const kept = await readDraft(userId)
  return kept && kept.key !== '' && kept.key === draft.key ? kept.orderId : null
}

/** Tells other tabs that this table has been accepted, before it is cleared here. */
export function tellAccepted(): void {
  tabs?.postMessage(useBulk.getState().draft.key)
}

/** Facts about a submission: no step of the table, so never undone. Written down before anything is sent. */
export async function noteSubmission(
  facts: Partial<Pick<Draft, 'orderId' | 'lost'>>,
): Promise<void> {
  useBulk.setState(({ draft }) => ({ draft: { ...draft, ...facts } }))
  await keepNow()
}

whenSessionEnds(() => {
  clearTimeout(timer)
  useBulk.setState({ ...INITIAL })
})

// A closing page has no time for a pause; whether the browser still writes then is its own choice.
if (typeof window !== 'undefined') {
  tabs?.addEventListener('message', ({ data }) => {
    const { draft, submitting } = useBulk.getState()
    if (submitting || draft.key === '' || draft.key !== data) return
    clearTable()
    notifyPage('blue', texts.elsewhere)
  })
  window.addEventListener('pagehide', () => {
    if (timer !== undefined) void keepNow()
  })
}
