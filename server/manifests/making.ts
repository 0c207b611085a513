/**
 * Forms that are asked for: claimed with a lease, made or looked up at the carrier outside any
 * transaction, and settled under the claim's fence (docs/decisions/0057-scan-forms.md).
 */
import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { callLookUpScanForm, callMakeScanForm } from '#server/carriers/calls.ts'
import type {
  PurchasedLabel,
  ScanFormLookupResult,
  ScanFormRequest,
  ScanForms,
} from '#server/carriers/port.ts'
import { applyBackoff, claimWithBudget, recordCalls } from '#server/carriers/rate-limit.ts'
import { namesOfOwnCarrierAccount } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import {
  scanFormFileName,
  verdictOnFile,
  verdictOnLookup,
  verdictOnMake,
  verdictWithoutAnswer,
} from './rules.ts'
import type { ScanFormVerdict } from './rules.ts'
import {
  claimScanForms,
  dropInvalidLabels,
  freeLabels,
  selectLabelsOf,
  writeVerdict,
} from './scan-form-store.ts'
import type { ScanFormClaim } from './scan-form-store.ts'

/** A form of thousands of labels takes longer than a label. */
const TIMEOUT_MS = 30_000
/** Longer than the time-out and the writing of the files. */
const LEASE_MS = 45_000
/**
 * Where the carrier tells of a form only once: longer than the call and all retries of reading its
 * labels and of storing what was answered. Only then is the answer given up.
 */
const LEASE_WITHOUT_LOOKUP_MS = 10 * 60_000
const AT_ONCE = 4
const RETRY_FOR_MS = 120_000
/** Within the time that a process has to stop (docs/operations.md). */
const RETRY_FOR_AT_SHUTDOWN_MS = 8_000
const RETRY_EVERY_MS = 1_000

/** Calls of this process whose answers are not stored, by database. */
const underWay = new WeakMap<object, Set<Promise<unknown>>>()

/** Waits until the answer of every call that this process has begun is stored. */
export async function scanFormsSettled({ database }: LabelContext): Promise<void> {
  await Promise.allSettled(underWay.get(database) ?? [])
}

/**
 * Returns how many were claimed: due ones, or those among `only`. None at shutdown. A caller that
 * stops waiting leaves the call to `scanFormsSettled`.
 */
export function processScanForms(ctx: LabelContext, only?: readonly number[]): Promise<number> {
  const work = claimAndProcess(ctx, only)
  const all = underWay.get(ctx.database) ?? new Set()
  underWay.set(ctx.database, all.add(work))
  const remove = (): void => void all.delete(work)
  work.then(remove, remove)
  return work
}

async function claimAndProcess(ctx: LabelContext, only?: readonly number[]): Promise<number> {
  const { carrier, database } = ctx
  const forms = carrier.scanForms
  if (!forms || ctx.closing.aborted) return 0
  const leaseMs = forms.lookup === null ? LEASE_WITHOUT_LOOKUP_MS : LEASE_MS
  const claims = await database.tx(async tx => {
    const claimed = await claimWithBudget(tx, carrier, 'document', AT_ONCE, available =>
      claimScanForms(tx, namesOfOwnCarrierAccount(ctx), available, leaseMs, only),
    )
    await dropInvalidLabels(
      tx,
      claimed.filter(({ isCallOpen }) => !isCallOpen).map(({ id }) => id),
    )
    // One call of each is counted by its claim.
    const more = claimed.reduce((sum, claim) => sum + callsOf(forms, claim) - 1, 0)
    await recordCalls(tx, carrier, 'document', more)
    return claimed
  })
  await Promise.all(
    claims.map(claim =>
      processClaim(ctx, forms, claim).catch((error: unknown) =>
        ctx.log.error(
          { err: error, scanFormId: claim.id },
          'a SCAN form could not be settled; its claim ends and another follows',
        ),
      ),
    ),
  )
  return claims.length
}

const callsOf = ({ lookupCalls }: ScanForms, claim: ScanFormClaim): number =>
  isNewRequest(claim) ? 1 : (lookupCalls?.(claim.labels) ?? 1)

/** A form that no call was made for. */
const isNewRequest = ({ state, isCallOpen }: ScanFormClaim): boolean =>
  state === 'asked' && !isCallOpen

type Outcome = { verdict: ScanFormVerdict; answer?: ScanFormLookupResult }

async function processClaim(
  ctx: LabelContext,
  forms: ScanForms,
  claim: ScanFormClaim,
): Promise<void> {
  const isToldOnce = forms.lookup === null
  // A call is noted already: only its answer, or proof that none was made, frees the labels.
  const read = (): Promise<PurchasedLabel[]> => selectLabelsOf(ctx.database.db, claim.id)
  const labels = await (isToldOnce ? keepTrying(ctx, claim.id, read) : read())
  const { verdict, answer } =
    labels.length === 0
      ? { verdict: ALL_VOIDED, answer: undefined }
      : await askCarrier(forms, claim, {
          name: claim.key,
          sender: claim.sender,
          day: claim.day,
          labels,
        })
  if (answer?.kind === 'retryable') await applyBackoff(ctx, answer)
  if (isToldOnce) await settleOnlyAnswer(ctx, claim, verdict, answer)
  else await settle(ctx, claim, verdict, answer)
}

const ALL_VOIDED: ScanFormVerdict = {
  state: 'failed',
  problem: 'All labels of this form were voided before it was made',
}

async function askCarrier(
  forms: ScanForms,
  claim: ScanFormClaim,
  request: ScanFormRequest,
): Promise<Outcome> {
  const { ref, state } = claim
  if (isNewRequest(claim)) {
    const answer = await callMakeScanForm(forms, request, TIMEOUT_MS)
    return { answer, verdict: verdictOnMake(answer, claim, forms.lookup !== null) }
  }
  if (forms.lookup === null) return { verdict: verdictWithoutAnswer(claim) }
  const answer = await callLookUpScanForm(forms, request, ref, TIMEOUT_MS)
  const verdict =
    state === 'made'
      ? verdictOnFile(answer, ref!, claim)
      : verdictOnLookup(answer, ref, claim, forms.quarantineMs)
  return { answer, verdict }
}

/** The bytes are written before the record, so a recorded file is there. */
async function settle(
  ctx: LabelContext,
  claim: ScanFormClaim,
  verdict: ScanFormVerdict,
  answer: ScanFormLookupResult | undefined,
): Promise<void> {
  const delivered = deliveredBy(answer)
  const names = delivered && (await writeFiles(ctx, claim.id, delivered))
  await record(ctx, claim, verdict, names)
}

async function record(
  ctx: LabelContext,
  claim: ScanFormClaim,
  verdict: ScanFormVerdict,
  names: readonly string[] | null,
): Promise<void> {
  await ctx.database.tx(async tx => {
    const isCurrent = await writeVerdict(tx, claim, verdict, names)
    if (isCurrent && verdict.state === 'failed') await freeLabels(tx, claim.id)
  })
  if (verdict.state === 'unknown')
    ctx.log.error({ scanFormId: claim.id }, 'the carrier does not tell whether it made a SCAN form')
}

/**
 * An answer that no call can ask for again: the form's number is recorded first, then its file, each
 * with retries. A claim that follows the lease gives the file up.
 */
async function settleOnlyAnswer(
  ctx: LabelContext,
  claim: ScanFormClaim,
  verdict: ScanFormVerdict,
  answer: ScanFormLookupResult | undefined,
): Promise<void> {
  const delivered = deliveredBy(answer)
  if (verdict.state !== 'made' || delivered === null)
    return keepTrying(ctx, claim.id, () => record(ctx, claim, verdict, null))
  const open = { ...verdict, awaitsFile: true, waitMs: LEASE_WITHOUT_LOOKUP_MS }
  await keepTrying(ctx, claim.id, () => record(ctx, claim, open, null))
  const names = await keepTrying(ctx, claim.id, () => writeFiles(ctx, claim.id, delivered))
  await keepTrying(ctx, claim.id, () => record(ctx, claim, verdict, names))
}

const deliveredBy = (answer: ScanFormLookupResult | undefined): readonly Uint8Array[] | null =>
  answer?.kind === 'made' && typeof answer.files !== 'string' ? answer.files : null

async function keepTrying<Result>(
  ctx: LabelContext,
  id: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const begun = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const patience = ctx.closing.aborted ? RETRY_FOR_AT_SHUTDOWN_MS : RETRY_FOR_MS
      if (performance.now() - begun > patience) throw error
      ctx.log.warn({ err: error, scanFormId: id }, 'the answer for a SCAN form is not stored yet')
      await wait(RETRY_EVERY_MS)
    }
  }
}

async function writeFiles(
  { files }: LabelContext,
  id: number,
  delivered: readonly Uint8Array[],
): Promise<string[]> {
  const names: string[] = []
  for (const bytes of delivered) {
    const name = scanFormFileName(id, createHash('sha256').update(bytes).digest('hex'))
    await files.write(name, async sink => void (await sink.write(bytes)))
    names.push(name)
  }
  return names
}
