/**
 * The second street line of the receiver commands the sandbox (architecture, 7), so that every way in which a carrier can fail
 * can be played by hand.
 */
export type SandboxCommand = 'refuse' | 'refuse-once' | 'busy' | 'lost' | 'late' | 'slow' | 'novoid'

const COMMANDS: [words: string, command: SandboxCommand][] = [
  ['SANDBOX REFUSE ONCE', 'refuse-once'], // before the shorter one that it contains
  ['SANDBOX REFUSE', 'refuse'],
  ['SANDBOX BUSY', 'busy'],
  ['SANDBOX LOST', 'lost'],
  ['SANDBOX LATE', 'late'],
  ['SANDBOX SLOW', 'slow'],
  ['SANDBOX NOVOID', 'novoid'],
]

/** The command in a street line, or null for an ordinary address. */
export function parseCommand(street2: string): SandboxCommand | null {
  if (street2 === '') return null
  const line = street2.toUpperCase()
  return COMMANDS.find(([words]) => line.includes(words))?.[1] ?? null
}
