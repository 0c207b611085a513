/** Parcels of the sandbox: made-up scans, a minute apart, of labels with a command. */
import type { TrackingStatus } from '#contract/tracking.ts'
import type { TrackingResult } from '#server/carriers/port.ts'
import type { ParcelCommand, SandboxCommand } from './commands.ts'
import type { RecordedSale } from './store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
export const FIRST_SCAN_MS = MINUTE_MS

type Scan = [status: TrackingStatus, text: string, place: string]

const ON_ITS_WAY: Scan[] = [
  ['in_transit', 'SAMPLE: Accepted at post office', 'Sample Origin'],
  ['in_transit', 'SAMPLE: Arrived at regional facility', 'Sample Hub'],
]
const SCANS: Record<ParcelCommand, Scan[]> = {
  transit: ON_ITS_WAY,
  delivered: [
    ...ON_ITS_WAY,
    ['out_for_delivery', 'SAMPLE: Out for delivery', 'Sample Destination'],
    ['delivered', 'SAMPLE: Delivered, in mailbox', 'Sample Destination'],
  ],
  returned: [
    ...ON_ITS_WAY,
    ['failure', 'SAMPLE: Undeliverable as addressed', 'Sample Destination'],
    ['return_to_sender', 'SAMPLE: Returning to sender', 'Sample Destination'],
  ],
}

export const isParcelCommand = (command: SandboxCommand | null): command is ParcelCommand =>
  command !== null && Object.hasOwn(SCANS, command)

/** `nowMs`: since 1970. A voided label is scanned no more. */
export function sandboxParcel(
  { command, boughtAt, voidedAt }: Pick<RecordedSale, 'command' | 'boughtAt' | 'voidedAt'>,
  nowMs: number,
): TrackingResult {
  const scans = isParcelCommand(command) ? SCANS[command] : []
  const untilMs = Math.min(nowMs, voidedAt?.getTime() ?? Infinity)
  const all = [['pre_transit', 'SAMPLE: Label created', ''] satisfies Scan, ...scans]
  const events = all
    .map(([status, text, place], minute) => ({
      at: new Date(boughtAt.getTime() + minute * MINUTE_MS),
      status,
      text,
      place,
    }))
    .filter(({ at }) => at.getTime() <= untilMs)
  const newest = events.at(-1)
  return {
    status: newest?.status ?? 'unknown',
    detail: newest?.text ?? null,
    at: newest?.at ?? null,
    events,
    expectedDay:
      command === 'transit'
        ? new Date(boughtAt.getTime() + 3 * DAY_MS).toISOString().slice(0, 10)
        : null,
    ...(events.length < all.length && { nextCheckMs: MINUTE_MS }),
  }
}
