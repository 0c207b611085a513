import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { isFreshCopy, openMarks } from '#server/platform/fail-over/marks.ts'
import { testDatabase } from '#tests/support/database.ts'
import { openReader } from './reader.ts'

const primary = await testDatabase()
const opened: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.stop()
})

/** `url`: of the standby, which is the same server here. */
async function startReader(isFresh: () => boolean, url = primary.url) {
  const said: string[] = []
  const reader = openReader({
    url,
    primary,
    max: 2,
    isFresh: async standby => isFresh() && (await standby.query('select 1')).rowCount === 1,
    log: line => void said.push(line),
  })
  await reader.start()
  opened.push(reader)
  return {
    ...reader,
    said,
    readsStandby: async () =>
      (
        await sql<{ name: string }>`select current_setting('application_name') as name`.execute(
          reader.db,
        )
      ).rows[0]!.name === 'evenpost reader',
  }
}

test('a standby is read while it is fresh, and cannot be written to', async () => {
  let isFresh = true
  const { db, readsStandby } = await startReader(() => isFresh)
  // A check that takes too long on a slow machine leaves the reader at the primary until the next one.
  await expect.poll(readsStandby).toBe(true)
  const written = () =>
    sql`delete from throttle`.execute(db).then(
      () => 'by the primary',
      (error: Error) => error.message,
    )
  await expect.poll(written).toContain('read-only transaction')
  isFresh = false
  await expect.poll(readsStandby).toBe(false)
  isFresh = true
  await expect.poll(readsStandby).toBe(true)
})

test('a standby that is away is replaced by the primary', async () => {
  const { readsStandby, said } = await startReader(
    () => true,
    'postgres://ana:ana@127.0.0.1:1/books',
  )
  expect(await readsStandby()).toBe(false)
  expect(said).toEqual([
    expect.stringMatching(
      /^Statements and reports are read from the primary: DATABASE_READ_URL cannot be used \(.*ECONNREFUSED/,
    ),
  ])
})

test('a standby without the newest beats of this process is not fresh', async () => {
  const marks = openMarks(primary, { beatMs: 20 })
  await marks.start()
  opened.push(marks)
  expect(await isFreshCopy(marks, primary.pool)).toBe(true)
  await expect.poll(() => marks.newest()!.beats).toBeGreaterThan(5)
  const behind = { query: async () => ({ rows: [{ beats: 2 }] }) }
  expect(await isFreshCopy(marks, behind as never)).toBe(false)
  expect(await isFreshCopy({ ...marks, process: crypto.randomUUID() }, primary.pool)).toBe(false)
})
