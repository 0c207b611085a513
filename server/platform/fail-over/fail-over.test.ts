/** Promotions as processes see them. A server of its own is promoted in tests/crash/database-machine-lost.test.ts. */
import { afterEach, expect, test } from 'vitest'
import { readRestoreState } from '#server/platform/backup/restore-state.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { connectToPrimary } from '#server/platform/database/primary-client.ts'
import { testDatabase } from '#tests/support/database.ts'
import { guardFailOver, settleAtStart } from './fail-over.ts'
import type { Loss } from './fail-over.ts'
import { openMarks } from './marks.ts'
import { addWitness } from './witnesses.ts'

const database = await testDatabase()
const losses: Loss[] = []
const restore = async (_: unknown, loss: Loss): Promise<string> => {
  losses.push(loss)
  return 'the carrier is asked'
}

/** A process that runs. */
type TestProcess = {
  own: Database
  marks: ReturnType<typeof openMarks>
  told: string[]
  /** It comes to the server after the promotion: true if it may go on there. */
  meet(): Promise<boolean>
  kill(): Promise<void>
}

/** A later beat would be of a server without a standby. */
const NO_MORE_BEATS_MS = 600_000

/** Longer than a process stands still: all that run are waited for. */
const PATIENCE_MS = 600_000
/** Where one does not come. */
const SHORT_PATIENCE_MS = 1_000

async function startProcess({
  beatMs = NO_MORE_BEATS_MS,
  patienceMs = PATIENCE_MS,
} = {}): Promise<TestProcess> {
  const own: Database = openDatabase(database.url, { max: 2 })
  const marks = openMarks(own, { beatMs })
  await marks.start()
  const told: string[] = []
  guardFailOver({
    database: own,
    marks,
    restore,
    say: line => void told.push(line),
    onStale: () => void told.push('stale'),
    patienceMs,
  })
  const one = {
    own,
    marks,
    told,
    async meet(): Promise<boolean> {
      const client = await connectToPrimary({ connectionString: database.url })
      await client.end()
      return own.gate.judge!(client.server!).then(
        () => true,
        () => false,
      )
    },
    async kill() {
      // Without the end of its row.
      await database.owner.pool.query(
        'update commit_mark set process = gen_random_uuid() where process = $1',
        [marks.process],
      )
      await marks.stop()
    },
  }
  running.push(one)
  return one
}
const running: TestProcess[] = []

/** As if the server had been promoted since the last start, with confirmed commits unless they were not. */
async function promote({ isSynchronous = true } = {}): Promise<void> {
  await settleAtStart(database, restore, SHORT_PATIENCE_MS)
  losses.length = 0
  await database.owner.pool.query(`
    update app_setting set value = regexp_replace(value, '/\\w{8}/', '/00000000/') where key = 'database'`)
  await database.owner.pool.query('update commit_mark set is_synchronous = $1', [isSynchronous])
}

afterEach(async () => {
  for (const { marks, own } of running.splice(0)) {
    await marks.stop()
    await own.close()
  }
  await database.owner.pool.query('delete from commit_mark')
})

test('work goes on when all processes have found what they know to be committed', async () => {
  const [one, two] = [await startProcess(), await startProcess()]
  await promote()
  const first = one.meet()
  const starting = settleAtStart(database, restore, PATIENCE_MS)
  expect(await Promise.race([first, starting, new Promise(done => setTimeout(done, 600))])).toBe(
    undefined,
  )
  expect(await Promise.all([first, two.meet()])).toEqual([true, true])
  await starting
  expect([one.told, two.told].flat().filter(line => line === 'stale')).toEqual([])
  expect(losses).toEqual([])
  expect((await readRestoreState(database.db)).pending).toBe(false)
})

test('without confirmed commits the carrier is asked, and every process starts again', async () => {
  const [one, two] = [await startProcess(), await startProcess()]
  await promote({ isSynchronous: false })
  expect(await one.meet()).toBe(false)
  expect(await two.meet()).toBe(false)
  expect([one.told, two.told]).toEqual([['the carrier is asked', 'stale'], ['stale']])
  expect(losses).toEqual([{ lostMs: expect.any(Number) }])
})

test('a missing beat is a loss, although a standby had confirmed', async () => {
  const one = await startProcess()
  await promote()
  await database.owner.pool.query(
    "update commit_mark set beats = 0, beat_at = beat_at - interval '5 seconds'",
  )
  expect(await one.meet()).toBe(false)
  expect(losses[0]!.lostMs).toBeGreaterThanOrEqual(5_000)
})

test('so is a missing row of a process, and anything else that a witness misses', async () => {
  const one = await startProcess()
  await promote()
  await database.owner.pool.query('delete from commit_mark')
  expect(await one.meet()).toBe(false)
  const two = await startProcess()
  addWitness(two.own.db, async () => false)
  await promote()
  expect(await two.meet()).toBe(false)
})

test('a process that ran and does not come is taken for lost', async () => {
  const one = await startProcess({ patienceMs: SHORT_PATIENCE_MS })
  const lost = await startProcess()
  await lost.kill()
  await promote()
  expect(await one.meet()).toBe(false)
  expect(one.told).toEqual(['the carrier is asked', 'stale'])
})

test('when all processes were started again, it cannot be known what is missing', async () => {
  const one = await startProcess()
  await one.kill()
  await promote()
  expect(await settleAtStart(database, restore, SHORT_PATIENCE_MS)).toBe('the carrier is asked')
  expect(losses).toEqual([{ lostMs: null }])
})

test('a process that comes after the others went on, and misses something, has the carrier asked', async () => {
  const [one, late] = [await startProcess(), await startProcess()]
  await promote()
  // Its row is missing too, so the others do not wait for it.
  await database.owner.pool.query('delete from commit_mark where process = $1', [
    late.marks.process,
  ])
  expect(await one.meet()).toBe(true)
  expect(await late.meet()).toBe(false)
  expect(late.told).toEqual(['stale'])
  expect(await settleAtStart(database, restore)).toBe('the carrier is asked')
})

test('a beat follows a beat, and a process that ends leaves no row', async () => {
  const one = await startProcess({ beatMs: 50 })
  await expect.poll(() => one.marks.newest()!.beats).toBeGreaterThan(1)
  await one.marks.stop()
  const { rowCount } = await database.pool.query('select from commit_mark')
  expect(rowCount).toBe(0)
})
