/** A deposit's status as screens show it: Settled blue, Expired yellow, any other green (specification, 4). */
import type { InvoiceStatus } from '#contract/payments.ts'
import type { Tone } from '#web/ui/tone.ts'

/** `sign` keeps apart what shares the green: money on its way, and money that will never come. */
export type DepositLook = { tone: Tone; sign: 'open' | 'busy' | 'done' | 'over' | 'bad' }

const LOOKS: Record<InvoiceStatus, DepositLook> = {
  New: { tone: 'green', sign: 'open' },
  Processing: { tone: 'green', sign: 'busy' },
  Settled: { tone: 'blue', sign: 'done' },
  Expired: { tone: 'yellow', sign: 'over' },
  Invalid: { tone: 'green', sign: 'bad' },
}

/** A status we have no word for yet is green too, and waits. */
export const depositLook = (status: string): DepositLook =>
  Object.hasOwn(LOOKS, status) ? LOOKS[status as InvoiceStatus] : { tone: 'green', sign: 'busy' }

/** Whether more may still happen to it while one looks on. */
export const isOpen = (status: string): boolean => status === 'New' || status === 'Processing'
