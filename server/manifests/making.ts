/**
 * Forms that are asked for: claimed with a lease, made or looked up at the carrier outside any
 * transaction, and settled under the claim's fence (docs/decisions/0057-scan-forms.md).
 */
import { createHash } from 'node:crypto'
import { callLookUpScanForm, callMakeScanForm } from '#server/carriers/calls.ts'
import type { ScanFormLookupResult, ScanFormRequest, ScanForms } from '#server/carriers/port.ts'
import { applyBackoff, claimWithBudget } from '#server/carriers/rate-limit.ts'
import { namesOfOwnCarrierAccount } from '#server/carriers/service.ts'
import type { LabelContext } from '#server/orders/context.ts'
import {
  CALL_LOST,
  scanFormFileName,
  verdictOnFile,
  verdictOnLookup,
  verdictOnMake,
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
const AT_ONCE = 4

/** Returns how many were claimed: due ones, or those among `only`. */
export async function processScanForms(
  ctx: LabelContext,
  only?: readonly number[],
): Promise<number> {
  const { carrier, database } = ctx
  const forms = carrier.scanForms
  if (!forms) return 0
  const claims = await database.tx(async tx => {
    const claimed = await claimWithBudget(tx, carrier, 'paper', AT_ONCE, available =>
      claimScanForms(tx, namesOfOwnCarrierAccount(ctx), available, LEASE_MS, only),
    )
    await dropInvalidLabels(
      tx,
      claimed.filter(({ isCallOpen }) => !isCallOpen).map(({ id }) => id),
    )
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

type Outcome = { verdict: ScanFormVerdict; answer?: ScanFormLookupResult }

async function processClaim(
  ctx: LabelContext,
  forms: ScanForms,
  claim: ScanFormClaim,
): Promise<void> {
  const labels = await selectLabelsOf(ctx.database.db, claim.id)
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
  await settle(ctx, claim, verdict, answer)
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
  const { ref, state, isCallOpen } = claim
  if (state === 'asked' && !isCallOpen) {
    const answer = await callMakeScanForm(forms, request, TIMEOUT_MS)
    return { answer, verdict: verdictOnMake(answer, claim, forms.lookup !== null) }
  }
  if (forms.lookup === null) return { verdict: CALL_LOST }
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
  const delivered = answer?.kind === 'made' && Array.isArray(answer.files) ? answer.files : null
  const names = delivered && (await writeFiles(ctx, claim.id, delivered as Uint8Array[]))
  await ctx.database.tx(async tx => {
    const isCurrent = await writeVerdict(tx, claim, verdict, names)
    if (isCurrent && verdict.state === 'failed') await freeLabels(tx, claim.id)
  })
  if (verdict.state === 'unknown')
    ctx.log.error({ scanFormId: claim.id }, 'the carrier does not tell whether it made a SCAN form')
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
