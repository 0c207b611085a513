/** How long the balance of each carrier account lasts. */
import type { Cents } from '#contract/money.ts'
import { PACE_DAYS } from '#contract/reports.ts'
import type { AccountRunway } from '#contract/reports.ts'
import {
  carrierAccounts,
  fetchCarrierBalance,
  namesOfOwnCarrierAccount,
} from '#server/carriers/service.ts'
import type { CarrierAccount, CarrierContext } from '#server/carriers/service.ts'
import { inSnapshot } from '#server/ledger/service.ts'
import { DAY_MS } from '#server/platform/local-days.ts'
import { selectAccountSpending } from './account-sums-store.ts'
import { paceOf, quarterOf } from './rules.ts'
import type { Pace } from './rules.ts'
import { selectReportView } from './sums-store.ts'
import type { ReportView } from './sums-store.ts'
import { readReport } from './sums.ts'
import { selectCarrierSpending } from './trade-store.ts'

/** How long an answer of the carrier about its account counts; a problem is asked about sooner. */
const BALANCE_MS = 5 * 60_000
const PROBLEM_MS = 30_000

type Balance = {
  balance: Cents | null
  reason: AccountRunway['reason']
  askedAt: number
}

/** `name`: in the configuration. `pace`: of the account's own charges. */
export type Runway = Balance & { name: string; pace: Pace | null }

/** `withoutWriting`: transfers that are in no sum are read one by one, and the sums stay as they are. */
export type ReadRunways = (options?: { withoutWriting?: boolean }) => Promise<Runway[]>

/**
 * Reads balance and pace of each account, in the order of the configuration. A carrier is asked for a balance at most every
 * five minutes and once at a time.
 */
export function openRunways(ctx: CarrierContext): ReadRunways {
  const accounts = carrierAccounts(ctx).map(account => ({
    ...account,
    readBalance: openBalance(ctx, account),
  }))
  return async ({ withoutWriting = false } = {}) => {
    const [paces, balances] = await Promise.all([
      readPaces(ctx, withoutWriting),
      Promise.all(accounts.map(({ readBalance }) => readBalance())),
    ])
    return accounts.map(({ name, carrier }, at) => ({
      name,
      ...balances[at]!,
      pace: paces.get(carrier.account) ?? null,
    }))
  }
}

function openBalance(ctx: CarrierContext, { carrier }: CarrierAccount): () => Promise<Balance> {
  let answer: Balance | undefined
  let countsUntil = 0
  let asking: Promise<Balance> | undefined
  async function ask(): Promise<Balance> {
    const askedAt = Date.now()
    try {
      const balance = await fetchCarrierBalance({ ...ctx, carrier })
      return { balance, reason: balance === null ? 'not-reported' : null, askedAt }
    } catch {
      return { balance: null, reason: 'unavailable', askedAt }
    }
  }
  return async () => {
    if (answer && performance.now() < countsUntil) return answer
    const began = performance.now()
    asking ??= ask().finally(() => (asking = undefined))
    answer = await asking
    countsUntil = began + (answer.reason === 'unavailable' ? PROBLEM_MS : BALANCE_MS)
    return answer
  }
}

/** By the account's present name at its carrier. */
async function readPaces(
  ctx: CarrierContext,
  withoutWriting: boolean,
): Promise<Map<string, Pace | null>> {
  const accounts = carrierAccounts(ctx).map(({ carrier }) =>
    namesOfOwnCarrierAccount({ ...ctx, carrier }),
  )
  const [[only]] = accounts as [[string]]
  const spending = (view: ReportView, from: Date) =>
    // The sums of all services are those of an only account, and need no sums of their own.
    accounts.length === 1
      ? selectCarrierSpending(view, from).then(spent => new Map([[only, spent]]))
      : selectAccountSpending(view.db, accounts, from)
  const read = async (view: ReportView) => {
    const now = view.now.getTime()
    const from = new Date(quarterOf(now) - PACE_DAYS * DAY_MS)
    return new Map(
      [...(await spending(view, from))].map(([account, { spent, since }]) => [
        account,
        paceOf({ spent, since: since && since.getTime() }, now, PACE_DAYS),
      ]),
    )
  }
  return withoutWriting
    ? inSnapshot(ctx.database.db, async db => read(await selectReportView(db)))
    : readReport(ctx, read)
}
