import { setTimeout as wait } from 'node:timers/promises'
import { numberText } from '#contract/format.ts'
import { MAX_SCAN_FORM_LABELS } from '#contract/scan-forms.ts'
import { batchNotFound, getBatchFor } from '#server/batches/service.ts'
import {
  accountContexts,
  contextOfAccount,
  namesOfCarrierAccounts,
  namesOfOwnCarrierAccount,
} from '#server/carriers/service.ts'
import type { CarrierAccountNames } from '#server/carriers/service.ts'
import { mailingDay } from '#server/carriers/usps/request.ts'
import { orderNotFound } from '#server/orders/access.ts'
import type { LabelContext } from '#server/orders/context.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { Refusal, refuseField, refuseFields } from '#server/platform/http/refusal.ts'
import { actorIdOf } from '#server/platform/http/router.ts'
import type { Caller } from '#server/platform/http/router.ts'
import { processScanForms } from './making.ts'
import { chunksOf, countServices, senderKey } from './rules.ts'
import type { ScanFormRecord } from './rules.ts'
import {
  countOpenScanForms,
  findScanForms,
  insertScanForm,
  lockChosen,
  lockScanFormsOf,
  selectBatchCandidates,
  selectCandidates,
} from './scan-form-store.ts'
import type { CandidateGroup, ChosenLabel } from './scan-form-store.ts'

export {
  describeLabels,
  findScanFormOfKey,
  findScanFormOfLabels,
  findScanForms,
  lookUpAllScanForms,
  selectScanForms,
  selectTrackingNumbers,
} from './scan-form-store.ts'
export type { ScanFormRecord } from './rules.ts'

/** The workers make what the request does not wait for. */
const PATIENCE_MS = 10_000
const POLL_MS = 200
/** Labels can be mailed up to a week after they are bought. */
const MAX_DAYS_AHEAD = 7
const DAY_MS = 24 * 3600_000
const MAX_NAMED = 3
/** Of one request: each is a call to the carrier. */
const MAX_FORMS = 40
/** Of a user, whose outcome is open. */
const MAX_OPEN_FORMS = 100

/** Today in US Eastern time, by which carriers count mailing days. */
export const today = (): string => mailingDay(new Date())

export type SenderGroup = {
  sender: ChosenLabel['sender']
  services: { name: string; ids: number[] }[]
  ids: number[]
}

/** Labels by sender, the largest groups first. `more`: there are more than `limit`. */
export async function findCandidates(
  ctx: LabelContext,
  userId: number,
  day: string,
  limit: number,
): Promise<{ groups: SenderGroup[]; more: boolean }> {
  const accounts = namesWithForms(ctx)
  const found = await selectCandidates(ctx.database.db, accounts, userId, day, limit + 1)
  const many = found.reduce((sum, { ids }) => sum + ids.length, 0)
  const bySender = [...Map.groupBy(found, ({ sender }) => senderKey(sender)).values()]
  const groups = bySender
    .map(toSenderGroup)
    .sort((a, b) => b.ids.length - a.ids.length || a.ids[0]! - b.ids[0]!)
  return { groups, more: many > limit }
}

function toSenderGroup(parts: CandidateGroup[]): SenderGroup {
  const byService = Map.groupBy(parts, ({ service }) => service)
  return {
    sender: parts[0]!.sender,
    services: [...byService]
      .map(([name, ofService]) => ({ name, ids: sortedIds(ofService) }))
      .sort((a, b) => b.ids.length - a.ids.length),
    ids: sortedIds(parts),
  }
}

const sortedIds = (parts: readonly CandidateGroup[]): number[] =>
  parts.flatMap(({ ids }) => ids).sort((a, b) => a - b)

/**
 * `day`: of mailing, '2026-11-22'; today without it. One of `orderIds` and `batchId`. `isSingle`:
 * refused unless the labels fit on one form.
 */
export type ScanFormInput = {
  isSingle?: boolean
  orderIds?: readonly number[] | undefined
  batchId?: number | undefined
  day?: string | undefined
}

/**
 * The forms in the order of their senders' first labels; the carrier is waited for some seconds.
 * Throws Refusal: 404 for an unknown label, 409 for one that is on a form or not valid, 422 for a
 * wrong day, for labels of another carrier account, and if the carrier refuses every form.
 */
export async function requestScanForms(
  ctx: LabelContext,
  caller: Caller,
  userId: number,
  input: ScanFormInput,
): Promise<ScanFormRecord[]> {
  if (accountsWithForms(ctx).length === 0) throw noForms()
  const day = checkedDay(input.day)
  await checkChoice(ctx, caller, userId, input)
  const ids = await ctx.database.tx(async tx => {
    await lockScanFormsOf(tx, userId)
    const chosen = await chosenLabels(ctx, tx, userId, input)
    const parts = partsOf(ctx, chosen)
    if (input.isSingle && parts.length > 1) throw severalForms(maxLabelsOf(parts[0]!.own))
    if (parts.length > MAX_FORMS) throw tooManyForms(input, parts.length)
    if ((await countOpenScanForms(tx, userId)) + parts.length > MAX_OPEN_FORMS)
      throw new Refusal('scan_form_refused', TOO_MANY_OPEN)
    return insertForms(tx, { caller, userId, day }, parts)
  })
  await waitUntilMade(ctx, ids)
  const made = await inOrder(ctx.database.db, ids)
  if (made.every(({ state }) => state === 'failed'))
    throw new Refusal(
      'scan_form_refused',
      `The carrier refused the SCAN form: ${made[0]!.problem ?? 'it named no reason'}`,
    )
  return made
}

async function inOrder(db: Db, ids: readonly number[]): Promise<ScanFormRecord[]> {
  const byId = new Map((await findScanForms(db, ids)).map(form => [form.id, form]))
  return ids.map(id => byId.get(id)!)
}

function checkedDay(day: string | undefined): string {
  const first = today()
  if (day === undefined) return first
  const last = new Date(Date.parse(first) + MAX_DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10)
  if (day < first || day > last)
    throw refuseField(
      'day',
      'mailing_day_out_of_range',
      `The mailing day ${day} must be from ${first} to ${last}`,
    )
  return day
}

/** Before the transaction, which must not wait for a second connection. */
async function checkChoice(
  ctx: LabelContext,
  caller: Caller,
  userId: number,
  { orderIds, batchId }: ScanFormInput,
): Promise<void> {
  if ((orderIds === undefined) === (batchId === undefined)) {
    const fault = { code: 'fields_exclusive', text: 'Send either orderIds or batchId' } as const
    throw refuseFields({ orderIds: fault, batchId: fault })
  }
  if (batchId === undefined) return
  const batch = await getBatchFor(ctx, caller, batchId)
  if (batch.userId !== userId) throw batchNotFound()
}

async function chosenLabels(
  ctx: LabelContext,
  tx: Tx,
  userId: number,
  { orderIds, batchId }: ScanFormInput,
): Promise<ChosenLabel[]> {
  const accounts = namesWithForms(ctx)
  if (batchId !== undefined) {
    const open = await selectBatchCandidates(tx, accounts, batchId, MAX_SCAN_FORM_LABELS + 1)
    if (open.length > MAX_SCAN_FORM_LABELS)
      throw refuseField(
        'batchId',
        'too_many',
        `This bulk order has more than ${numberText(MAX_SCAN_FORM_LABELS)} labels for SCAN forms. `
          + 'Choose at most that many labels at a time.',
      )
    const locked = await lockChosen(tx, accounts, userId, open)
    const free = locked.filter(one => one.state === 'purchased' && one.scanFormId === null)
    if (free.length > 0) return free
    throw new Refusal(
      'nothing_to_do',
      'This bulk order has no label that can be put on a SCAN form: they are on one, scanned, voided or not bought.',
    )
  }
  const wanted = [...new Set(orderIds)]
  const found = await lockChosen(tx, accounts, userId, wanted)
  if (found.length < wanted.length) throw orderNotFound()
  refuseUnfit(found)
  return found
}

function refuseUnfit(labels: readonly ChosenLabel[]): void {
  const named = (unfit: (label: ChosenLabel) => boolean): string | null => {
    const ids = labels.filter(unfit).map(({ id }) => `#${id}`)
    const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : ''
    return ids.length === 0 ? null : `${ids.slice(0, MAX_NAMED).join(', ')}${more}`
  }
  const onForm = named(({ scanFormId }) => scanFormId !== null)
  if (onForm !== null)
    throw new Refusal(
      'label_on_scan_form',
      `A label can be on one SCAN form only. Already on one: ${onForm}. Leave them out and try again.`,
    )
  const invalid = named(({ state }) => state !== 'purchased')
  if (invalid !== null)
    throw new Refusal(
      'labels_not_valid',
      `Some of these orders have no valid label: ${invalid}. Leave them out and try again.`,
    )
  const scanned = named(({ isUnseen }) => !isUnseen)
  if (scanned !== null)
    throw new Refusal(
      'labels_not_valid',
      `The carrier has these parcels already: ${scanned}. Leave them out and try again.`,
    )
  const foreign = named(({ isInAccount }) => !isInAccount)
  if (foreign !== null)
    throw new Refusal(
      'carrier_account_missing',
      `These labels were bought with another carrier account that is not connected now: ${foreign}.`,
    )
}

const noForms = (): Refusal =>
  new Refusal('scan_form_refused', 'The carrier of these labels has no SCAN forms.')

/** The most labels of one form; 0 for an account without SCAN forms. */
const maxLabelsOf = ({ carrier }: LabelContext): number => carrier.scanForms?.maxLabels ?? 0

const accountsWithForms = (ctx: LabelContext): LabelContext[] =>
  accountContexts(ctx).filter(own => maxLabelsOf(own) > 0)

/** The most labels that a form of any account takes; 0 if none makes SCAN forms. */
export const mostFormLabels = (ctx: LabelContext): number =>
  Math.max(0, ...accountContexts(ctx).map(maxLabelsOf))

/** Names of the accounts that make SCAN forms; of all, if none does. */
function namesWithForms(ctx: LabelContext): CarrierAccountNames {
  const [first, ...names] = accountsWithForms(ctx).flatMap(namesOfOwnCarrierAccount)
  return first === undefined ? namesOfCarrierAccounts(ctx) : [first, ...names]
}

/** Labels of one form; `own`: the context of the account that sold them. */
type FormPart = { own: LabelContext; labels: ChosenLabel[] }

/** Of one account, by its present or former name, and one sender; as many as the account's forms take. */
const partsOf = (ctx: LabelContext, labels: readonly ChosenLabel[]): FormPart[] => {
  const ownOf = (account: string | null): LabelContext =>
    (account !== null && contextOfAccount(ctx, account)) || ctx
  const byAccount = Map.groupBy(labels, ({ account }) => ownOf(account).carrier.account)
  return [...byAccount].flatMap(([account, ofAccount]) => {
    const own = ownOf(account)
    if (maxLabelsOf(own) === 0) throw noForms()
    return [...Map.groupBy(ofAccount, ({ sender }) => senderKey(sender)).values()].flatMap(group =>
      chunksOf(group, maxLabelsOf(own)).map(part => ({ own, labels: part })),
    )
  })
}

const severalForms = (maxLabels: number): Refusal =>
  new Refusal(
    'scan_form_refused',
    `All labels of a SCAN form must have the same sender address, and it takes at most ${numberText(maxLabels)} of them.`,
  )

const tooManyForms = ({ batchId }: ScanFormInput, many: number): Refusal =>
  refuseField(
    batchId === undefined ? 'orderIds' : 'batchId',
    'too_many',
    `These labels would need ${numberText(many)} SCAN forms, because each sender address has its own. `
      + `At most ${MAX_FORMS} are made at a time: choose labels of fewer senders.`,
  )

const TOO_MANY_OPEN = `At most ${MAX_OPEN_FORMS} SCAN forms can wait for the carrier at a time. Try again when some of yours are made.`

type NewForms = { caller: Caller; userId: number; day: string }

async function insertForms(
  tx: Tx,
  { caller, userId, day }: NewForms,
  parts: readonly FormPart[],
): Promise<number[]> {
  const ids: number[] = []
  for (const { own, labels } of parts)
    ids.push(
      await insertScanForm(tx, {
        userId,
        requestedBy: actorIdOf(caller),
        sender: labels[0]!.sender,
        day,
        services: countServices(labels.map(({ service }) => service)),
        account: own.carrier.account,
        ids: labels.map(({ id }) => id),
      }),
    )
  return ids
}

/** What is not made after PATIENCE_MS, or at shutdown, is left to the workers. */
async function waitUntilMade(ctx: LabelContext, ids: readonly number[]): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  let claimed: Promise<unknown> | undefined
  for (;;) {
    // A form can be made long before its file is stored.
    claimed ??= Promise.all(accountContexts(ctx).map(own => processScanForms(own, ids)))
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'SCAN forms are left to the workers'))
      .finally(() => (claimed = undefined))
    await Promise.race([claimed, wait(POLL_MS)])
    const forms = await findScanForms(ctx.database.db, ids)
    if (forms.every(({ state }) => state !== 'asked')) return
    if (ctx.closing.aborted || performance.now() >= until) return
    if (claimed === undefined) await wait(POLL_MS)
  }
}
