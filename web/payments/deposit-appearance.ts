/** Settled is blue, Expired yellow, any other status green (docs/requirements.md#payments). */
import type { Deposit, InvoiceStatus } from '#contract/payments.ts'
import type { Tone } from '#web/ui/tone.ts'

/** The icon distinguishes statuses that share the green: pending money, and money that will never arrive. */
export type DepositAppearance = { tone: Tone; icon: 'open' | 'busy' | 'done' | 'over' | 'bad' }

const APPEARANCES: Record<InvoiceStatus, DepositAppearance> = {
  New: { tone: 'green', icon: 'open' },
  Processing: { tone: 'green', icon: 'busy' },
  Settled: { tone: 'blue', icon: 'done' },
  Expired: { tone: 'yellow', icon: 'over' },
  Invalid: { tone: 'green', icon: 'bad' },
}

/** An unknown status is green and pending. */
export const depositAppearance = (status: string): DepositAppearance =>
  Object.hasOwn(APPEARANCES, status)
    ? APPEARANCES[status as InvoiceStatus]
    : { tone: 'green', icon: 'busy' }

/** Whether the status may still change. */
export const isDepositOpen = (status: string): boolean =>
  status === 'New' || status === 'Processing'

/**
 * The dollars that a deposit is listed with. A further payment of a settled one counts once it is
 * confirmed; until then the note mentions it.
 */
export const listedAmount = ({
  status,
  amount,
  credited,
}: Pick<Deposit, 'status' | 'amount' | 'credited'>): number =>
  status === 'Settled' && credited > 0 ? Math.min(amount, credited) : amount
