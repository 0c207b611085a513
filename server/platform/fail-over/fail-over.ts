/**
 * A standby may be promoted in the place of the primary while processes run. The first connection to it waits here
 * until all of them have found out whether it has everything that they know to be committed.
 */
import { setTimeout as wait } from 'node:timers/promises'
import {
  markRestored,
  settleIdentity,
  wasContinued,
} from '#server/platform/backup/restore-state.ts'
import type { IdentityChange } from '#server/platform/backup/restore-state.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import { NotPrimaryError } from '#server/platform/database/primary-client.ts'
import type { ServerIdentity } from '#server/platform/database/primary-client.ts'
import { readMark, recordComparison, selectMarks } from './marks-store.ts'
import type { Marks } from './marks.ts'
import { decideOn, isPromotion, longestLoss } from './rules.ts'
import type { Decision } from './rules.ts'
import { allWitnessesAgree } from './witnesses.ts'

/** `lostMs`: for how long commits may be missing at most; null: unknown, as in a backup. */
export type Loss = { lostMs: number | null }

/** Does what an older copy of the database needs before anything is bought; returns what to tell the operator. */
export type Restore = (tx: Tx, loss: Loss) => Promise<string>

/** For processes that have not come to the new server yet. */
const PATIENCE_MS = 8_000
const POLL_MS = 200

const CONTINUED =
  'A standby of the database was promoted. It had confirmed every commit, and all processes have found theirs: work goes on.'

type Deciding = { database: Database; restore: Restore; marks: Marks | null; patienceMs: number }

/** Settles what the database is; null when it is the one of before. With `marks` this process compares its own. */
async function settle({ database, restore, marks, patienceMs }: Deciding): Promise<string | null> {
  const end = performance.now() + patienceMs
  let loss: Loss = { lostMs: null }
  const decide = async (tx: Tx, { before, now }: IdentityChange): Promise<Decision> => {
    if (!isPromotion(before, now)) return 'restore'
    if (marks) await compare(tx, marks, now)
    const all = await selectMarks(tx, now)
    loss = { lostMs: longestLoss(all) }
    return decideOn(all, performance.now() > end)
  }
  for (;;) {
    const settled = await settleIdentity(database, decide, tx => restore(tx, loss))
    if (settled.was === 'restore') return settled.result
    if (settled.was === 'continue') return CONTINUED
    if (settled.was === 'same') return null
    await wait(POLL_MS)
  }
}

/** `isComplete`: all that this process knows to be committed is `there`. */
async function findLoss(there: Db, marks: Marks): Promise<{ isComplete: boolean; lostMs: number }> {
  const newest = marks.newest()
  const { beats, newestBeatAt } = await readMark(there, marks.process)
  const hasBeats = newest === null || (beats !== null && beats >= newest.beats)
  return {
    isComplete: hasBeats && (await allWitnessesAgree(marks.db, there)),
    lostMs:
      newest === null || newestBeatAt === null
        ? 0
        : Math.max(0, newest.beatAt.getTime() - newestBeatAt.getTime()),
  }
}

async function compare(tx: Tx, marks: Marks, identity: string): Promise<void> {
  const { isComplete, lostMs } = await findLoss(tx, marks)
  await recordComparison(tx, marks.process, identity, isComplete, lostMs)
}

/** At a start, after the migrations and before anything works: null when there was nothing to do. */
export const settleAtStart = (
  database: Database,
  restore: Restore,
  patienceMs = PATIENCE_MS,
): Promise<string | null> => settle({ database, restore, marks: null, patienceMs })

export type FailOverOptions = {
  database: Database
  marks: Marks
  restore: Restore
  say: (line: string) => void
  /** What this process has in memory is of a past that the database does not know: it must end and start again. */
  onStale: () => void
  /** For the other processes to come to the new server. */
  patienceMs?: number
}

/** Holds up this process's connections to a promoted server until it is settled what is missing there. */
export function guardFailOver({
  database,
  marks,
  restore,
  say,
  onStale,
  patienceMs = PATIENCE_MS,
}: FailOverOptions): void {
  database.gate.judge = async (server: ServerIdentity) => {
    const there = openDatabase(database.url, { max: 1, name: 'evenpost fail-over' })
    // Only of the server that is judged.
    await there.gate.admit(server)
    try {
      const said = await settle({ database: there, restore, marks, patienceMs })
      if (said !== null) say(said)
      if (await mayContinue(there, marks)) return
    } finally {
      await there.close()
    }
    onStale()
    throw new NotPrimaryError('this process starts again, as commits are missing on the new server')
  }
}

/** Another process may have settled it without this one: then its own proof is due now. */
async function mayContinue(there: Database, marks: Marks): Promise<boolean> {
  const { was, identity } = await settleIdentity(
    there,
    async () => 'wait',
    async () => null,
  )
  if (was !== 'same' || !(await wasContinued(there.db, identity))) return false
  const { isComplete } = await findLoss(there.db, marks)
  // The next start of any process asks the carrier.
  if (!isComplete) await markRestored(there)
  return isComplete
}
