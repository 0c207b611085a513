import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ROOT } from '#scripts/command.ts'
import { markRestored, runOnceAfterRestore } from '#server/platform/backup/restore-state.ts'
import { testDatabase } from '#tests/support/database.ts'
import { runCommand } from '#tests/support/run-command.ts'
import { newUser } from '#tests/support/users.ts'
import { booksNotice, checkBackupAge, checkData, estimateTransfers } from './data-checks.ts'

const database = await testDatabase()
const problems = async () =>
  (await checkData(database, database.url, ['sandbox']))
    .filter(({ isOk }) => !isOk)
    .map(({ text }) => text)

test('a sound database has no problems', async () => {
  await runOnceAfterRestore(database, async () => true)
  expect(await problems()).toEqual([])
})

test('where adding up the books takes minutes, that is said before', async () => {
  expect(await estimateTransfers(database)).toBeLessThan(1_000)
  expect(booksNotice(2_000_000)).toBeNull()
  expect(booksNotice(6_900_000)).toBe(
    'Books: about 7 million transfers are added up. This takes about 1 minute',
  )
  expect(booksNotice(22_000_000)).toBe(
    'Books: about 22 million transfers are added up. This takes about 3 minutes',
  )
})

test('everything that waits too long is reported with its remedy, after books that do not balance', async () => {
  const ana = await newUser(database, 'ana')
  // Without a hold, so the books are wrong too.
  await sql`insert into shipment_order (user_id, state, service_uid, service_name, price_cents, sender, receiver, package, queued_at,
      unknown_since, tracking_number, void_requested_at, lease_until)
    select ${ana}, state, 's', 's', 100, '{}', '{}', '{}', now() - age, now() - age, tracking, now() - age, now() - age
      from (values ('unknown', interval '20 minutes', null), ('queued', interval '2 hours', null),
        ('voiding', interval '16 days', '1'), ('unknown', interval '10 minutes', null)) as old (state, age, tracking)`.execute(
    database.db,
  )
  await sql`insert into batch (user_id, status, accepted_at, updated_at, total_count, files_problem, files_problem_at)
    values (${ana}, 'processing', now(), now() - interval '1 hour', 0, 'The disk is full', now())`.execute(
    database.db,
  )
  await markRestored(database)
  const found = await problems()
  expect(found[0]).toMatch(/^Books: /)
  expect(found.filter(text => !text.startsWith('Books'))).toEqual([
    expect.stringContaining('1 may or may not have been bought, for over 15 minutes'),
    expect.stringContaining(
      '1 waits for over an hour to be bought. Is a worker running (ROLE=all or worker)?',
    ),
    expect.stringContaining("1 void without the carrier's decision for over 15 days"),
    expect.stringMatching(/^Bulk order \d+ has no open label but does not end/),
    expect.stringMatching(/^Bulk order \d+ has no files: The disk is full/),
    expect.stringContaining('this database was restored, or moved to another server'),
  ])
})

test('labels of another carrier account are reported, with its name', async () => {
  await sql`update shipment_order set carrier_account = 'easypost:1a2b3c4d' where state = 'voiding'`.execute(
    database.db,
  )
  expect(await problems()).toContainEqual(
    expect.stringMatching(
      /^Labels: 1 waits for the carrier account easypost:1a2b3c4d, .* is sandbox\./,
    ),
  )
})

test('the command prints the problems and exits with 1', async () => {
  const { code, output } = await runCommand('doctor', [], { DATABASE_URL: database.url })
  expect(code).toBe(1)
  expect(output).toMatch(
    / {2}WRONG {2}Database: fsync is off: a power cut could lose confirmed transactions\. Set fsync = on\./,
  )
  expect(output).toContain('WRONG  Labels: 1 waits for over an hour')
  expect(output).toMatch(/\d+ things need attention\.\n$/)
})

test('an operator who reads only the first lines of the doctor gets no error', async () => {
  const command = ['-c', '"$0" scripts/doctor.ts | true', process.execPath]
  const { stderr } = await promisify(execFile)('sh', command, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, DATABASE_URL: database.url },
  })
  expect(stderr).toBe('')
})

test('live mode needs a backup not older than a day; in sandbox mode it is only a note', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const made = (madeAt: string) => ({ folder: '/backups/a', madeAt, bytes: 1, rehearsed: true })
  expect(checkBackupAge(null, 'live', now)).toMatchObject({
    isOk: false,
    text: expect.stringContaining('npm run backup'),
  })
  expect(checkBackupAge(null, 'sandbox', now).isOk).toBe(true)
  expect(checkBackupAge(made('2026-11-20T12:00:00.000Z'), 'live', now).isOk).toBe(true)
  expect(checkBackupAge(made('2026-11-18T12:00:00.000Z'), 'live', now)).toMatchObject({
    isOk: false,
    text: expect.stringContaining('test-restored. That is 3 days ago'),
  })
})
