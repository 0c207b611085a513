/** A deposit's status as screens show it: Settled blue, Expired yellow, any other green (specification, 4). */
import type { InvoiceStatus } from '#contract/payments.ts'
import type { Tone } from '#web/ui/tone.ts'

/** `sign` keeps apart what shares the green: money on its way, and money that will never come. */
export type DepositAppearance = { tone: Tone; icon: 'open' | 'busy' | 'done' | 'over' | 'bad' }

const APPEARANCES: Record<InvoiceStatus, DepositAppearance> = {
  New: { tone: 'green', icon: 'open' },
  Processing: { tone: 'green', icon: 'busy' },
  Settled: { tone: 'blue', icon: 'done' },
  Expired: { tone: 'yellow', icon: 'over' },
  Invalid: { tone: 'green', icon: 'bad' },
}

/** A status we have no word for yet is green too, and waits. */
export const depositAppearance = (status: string): DepositAppearance =>
  Object.hasOwn(APPEARANCES, status)
    ? APPEARANCES[status as InvoiceStatus]
    : { tone: 'green', icon: 'busy' }

/** Whether more may still happen to it while one looks on. */
export const isDepositOpen = (status: string): boolean =>
  status === 'New' || status === 'Processing'
