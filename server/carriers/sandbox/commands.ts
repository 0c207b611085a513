/**
 * Commands in the recipient's second street line produce every failure of a carrier (README, Trying
 * the sandbox).
 */
export type SandboxCommand =
  | 'refuse'
  | 'refuse-once'
  | 'busy'
  | 'lost'
  | 'late'
  | 'slow'
  | 'novoid'
  | ParcelCommand

/** The parcel moves within minutes of the purchase; all others stay where they are. */
export type ParcelCommand = 'transit' | 'delivered' | 'returned'

const COMMANDS: [words: string, command: SandboxCommand][] = [
  ['SANDBOX REFUSE ONCE', 'refuse-once'], // before the shorter one that it contains
  ['SANDBOX REFUSE', 'refuse'],
  ['SANDBOX BUSY', 'busy'],
  ['SANDBOX LOST', 'lost'],
  ['SANDBOX LATE', 'late'],
  ['SANDBOX SLOW', 'slow'],
  ['SANDBOX NOVOID', 'novoid'],
  ['SANDBOX TRANSIT', 'transit'],
  ['SANDBOX DELIVERED', 'delivered'],
  ['SANDBOX RETURNED', 'returned'],
]

/** The command, or null for an ordinary address. */
export function parseCommand(street2: string): SandboxCommand | null {
  if (street2 === '') return null
  const line = street2.toUpperCase()
  return COMMANDS.find(([words]) => line.includes(words))?.[1] ?? null
}
